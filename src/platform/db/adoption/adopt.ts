import { sql, type Migration } from 'kysely';
import type { Db } from '../connection.ts';
import { schemaOf } from './schema.ts';

/*
 * Takes over a database that a pre-release made with its 35 migrations. The baseline is created once more in a schema beside the
 * database's own, the two are compared, and nothing is changed unless they are equal. One transaction does all of it.
 */

const preReleaseNames = `
0001_foundation 0002_records 0003_idempotency 0004_row_level_security 0005_time_tracking_totals 0006_faster_writes 0007_flat_ranges
0008_notices_and_limits 0009_target_hours 0010_absence_days 0011_sorted_lists 0012_time_account_entries 0013_kept_months
0014_protection 0015_accounting_periods 0016_working_time_rules 0017_deleted_records 0018_read_only_tokens 0019_working_sessions
0020_shifts 0021_preferences_and_taggings 0022_assumed_roles 0023_invitations 0024_events 0025_custom_fields 0026_exports
0027_webhooks 0028_event_removals 0029_object_storage 0030_calendar_feeds 0031_personal_data 0032_anonymisation 0033_month_lock
0034_one_account_each 0035_events_by_account`.match(/\S+/g)!;

const advice =
  'Nothing was changed. Start this release on an empty database, with another DATA_DIR or DATABASE_URL, or go on with the pre-release.';

/** Replaces the migrations of a pre-release with the baseline. Does nothing on any other database. */
export async function adoptPreRelease(db: Db, executed: readonly string[], baseline: Migration): Promise<void> {
  if (!executed.includes(preReleaseNames[0]!)) return;
  if (executed.join() !== preReleaseNames.join())
    throw new Error(
      `This database was made by a pre-release with other migrations than its last ones. ${advice} Its last version can migrate it first.`,
    );
  await db.transaction().execute(async (tx) => {
    // Another process may be quicker.
    await sql`lock table kysely_migration in exclusive mode`.execute(tx);
    const { rows } = await sql`select from kysely_migration where name = ${preReleaseNames[0]}`.execute(tx);
    if (rows.length === 0) return;
    await removeWhatIsGone(tx);
    const differences = await differencesFrom(baseline, tx);
    if (differences.length > 0)
      throw new Error(
        `This database was made by a pre-release, and its schema was changed since. ${advice} It differs in:\n${differences.join('\n')}`,
      );
    await sql`delete from kysely_migration`.execute(tx);
    await sql`insert into kysely_migration (name, timestamp) values ('0001_baseline', now()::text)`.execute(tx);
  });
}

/** Removes what the pre-release has and the baseline has not. Batches of the very first version are checked too. */
const removeWhatIsGone = (tx: Db) =>
  sql`
    drop function notify_identity_change cascade;
    drop function default_absence_days cascade;
    alter table batches validate constraint batches_finished`.execute(tx);

/** The first lines of the statements of either schema that the other lacks. The epoch of events is data, although it is a function. */
async function differencesFrom(baseline: Migration, tx: Db): Promise<string[]> {
  const found = comparable(await schemaOf(tx));
  await sql`create schema baseline; set local search_path = baseline`.execute(tx);
  await baseline.up(tx);
  const expected = comparable(await schemaOf(tx));
  await sql`set local search_path = public; drop schema baseline cascade`.execute(tx);
  return [
    ...[...found].filter(([key]) => !expected.has(key)).map(([, text]) => `only here: ${text}`),
    ...[...expected].filter(([key]) => !found.has(key)).map(([, text]) => `missing: ${text}`),
  ].sort();
}

/** Statements by their text without white space and quotation marks, in which the pre-release wrote the same functions differently. */
const comparable = (statements: readonly string[]): Map<string, string> =>
  new Map(
    statements
      .filter((text) => !text.includes('FUNCTION current_event_epoch('))
      .map((text) => [text.replaceAll(/[\s"]+/g, ''), text.split('\n', 1)[0]!]),
  );
