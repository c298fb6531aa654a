import { Migrator, sql, type Migration } from 'kysely';
import type { Db } from './connection.ts';
import { distribute } from './distribution/distribute.ts';
import { dropShardViews, viewShards } from './distribution/shard_views.ts';
import { raiseEventEpoch } from './event_epoch.ts';
import * as foundation from './migrations/0001_to_0010/0001_foundation.ts';
import * as records from './migrations/0001_to_0010/0002_records.ts';
import * as idempotency from './migrations/0001_to_0010/0003_idempotency.ts';
import * as rowLevelSecurity from './migrations/0001_to_0010/0004_row_level_security.ts';
import * as timeTrackingTotals from './migrations/0001_to_0010/0005_time_tracking_totals.ts';
import * as fasterWrites from './migrations/0001_to_0010/0006_faster_writes.ts';
import * as flatRanges from './migrations/0001_to_0010/0007_flat_ranges.ts';
import * as noticesAndLimits from './migrations/0001_to_0010/0008_notices_and_limits.ts';
import * as targetHours from './migrations/0001_to_0010/0009_target_hours.ts';
import * as absenceDays from './migrations/0001_to_0010/0010_absence_days.ts';
import * as sortedLists from './migrations/0011_to_0020/0011_sorted_lists.ts';
import * as timeAccountEntries from './migrations/0011_to_0020/0012_time_account_entries.ts';
import * as keptMonths from './migrations/0011_to_0020/0013_kept_months.ts';
import * as protection from './migrations/0011_to_0020/0014_protection.ts';
import * as accountingPeriods from './migrations/0011_to_0020/0015_accounting_periods.ts';
import * as workingTimeRules from './migrations/0011_to_0020/0016_working_time_rules.ts';
import * as deletedRecords from './migrations/0011_to_0020/0017_deleted_records.ts';
import * as readOnlyTokens from './migrations/0011_to_0020/0018_read_only_tokens.ts';
import * as workingSessions from './migrations/0011_to_0020/0019_working_sessions.ts';
import * as shifts from './migrations/0011_to_0020/0020_shifts.ts';
import * as preferencesAndTaggings from './migrations/0021_to_0030/0021_preferences_and_taggings.ts';
import * as assumedRoles from './migrations/0021_to_0030/0022_assumed_roles.ts';
import * as invitations from './migrations/0021_to_0030/0023_invitations.ts';
import * as events from './migrations/0021_to_0030/0024_events.ts';
import * as customFields from './migrations/0021_to_0030/0025_custom_fields.ts';
import * as exportsOfRecords from './migrations/0021_to_0030/0026_exports.ts';
import * as webhooks from './migrations/0021_to_0030/0027_webhooks.ts';
import * as eventRemovals from './migrations/0021_to_0030/0028_event_removals.ts';
import * as objectStorage from './migrations/0021_to_0030/0029_object_storage.ts';
import * as calendarFeeds from './migrations/0021_to_0030/0030_calendar_feeds.ts';
import * as personalData from './migrations/0031_to_0040/0031_personal_data.ts';
import * as anonymisation from './migrations/0031_to_0040/0032_anonymisation.ts';
import * as monthLock from './migrations/0031_to_0040/0033_month_lock.ts';
import * as oneAccountEach from './migrations/0031_to_0040/0034_one_account_each.ts';
import * as eventsByAccount from './migrations/0031_to_0040/0035_events_by_account.ts';

/** In order of their names, up only: a released migration never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001_foundation': foundation,
  '0002_records': records,
  '0003_idempotency': idempotency,
  '0004_row_level_security': rowLevelSecurity,
  '0005_time_tracking_totals': timeTrackingTotals,
  '0006_faster_writes': fasterWrites,
  '0007_flat_ranges': flatRanges,
  '0008_notices_and_limits': noticesAndLimits,
  '0009_target_hours': targetHours,
  '0010_absence_days': absenceDays,
  '0011_sorted_lists': sortedLists,
  '0012_time_account_entries': timeAccountEntries,
  '0013_kept_months': keptMonths,
  '0014_protection': protection,
  '0015_accounting_periods': accountingPeriods,
  '0016_working_time_rules': workingTimeRules,
  '0017_deleted_records': deletedRecords,
  '0018_read_only_tokens': readOnlyTokens,
  '0019_working_sessions': workingSessions,
  '0020_shifts': shifts,
  '0021_preferences_and_taggings': preferencesAndTaggings,
  '0022_assumed_roles': assumedRoles,
  '0023_invitations': invitations,
  '0024_events': events,
  '0025_custom_fields': customFields,
  '0026_exports': exportsOfRecords,
  '0027_webhooks': webhooks,
  '0028_event_removals': eventRemovals,
  '0029_object_storage': objectStorage,
  '0030_calendar_feeds': calendarFeeds,
  '0031_personal_data': personalData,
  '0032_anonymisation': anonymisation,
  '0033_month_lock': monthLock,
  '0034_one_account_each': oneAccountEach,
  '0035_events_by_account': eventsByAccount,
};

const migratorOf = (db: Db, all = migrations) => new Migrator({ db, provider: { getMigrations: async () => all } });

/** Brings the schema up to date and returns the names of the migrations that ran. Several processes may call it at once: one migrates. */
export async function migrate(db: Db, all = migrations): Promise<string[]> {
  const migrated = (await hasExactly(db, all)) ? [] : await migrateToLatest(db, all);
  await raiseEventEpoch(db);
  return [...migrated, ...(await distribute(db))];
}

async function migrateToLatest(db: Db, all: typeof migrations): Promise<string[]> {
  const pending = await pendingMigrations(db, all);
  if (pending.length > 0) await dropShardViews(db);
  const { error, results = [] } = await migratorOf(db, all).migrateToLatest();
  const failed = results.find((result) => result.status === 'Error');
  if (error) {
    await viewShards(db).catch(() => {});
    throw new Error(
      `The migration ${failed?.migrationName ?? ''} failed and was rolled back; the database is as it was before. Cause: ${String(error)}`,
      {
        cause: error,
      },
    );
  }
  return results.map((result) => result.migrationName);
}

/** Checked first, because the migrator reads the whole catalogue twice, and at nearly every start there is nothing to do. */
async function hasExactly(db: Db, all: typeof migrations): Promise<boolean> {
  const { rows: tables } = await sql<{
    found: boolean;
  }>`select to_regclass('kysely_migration') is not null as found`.execute(db);
  if (!tables[0]!.found) return false;
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
  const names = rows.map(({ name }) => name);
  return names.sort().join() === Object.keys(all).sort().join();
}

/** The migrations of this release that have not run on this database. */
export async function pendingMigrations(db: Db, all = migrations): Promise<string[]> {
  const known = await migratorOf(db, all).getMigrations();
  return known.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}

/** Refuses a server that is too old for the schema and the queries. */
export async function requireServerVersion(db: Db): Promise<void> {
  const { rows } = await sql<{ number: string; name: string }>`
    select current_setting('server_version_num') as number, current_setting('server_version') as name`.execute(db);
  const { number, name } = rows[0]!;
  if (Number(number) < 150_000)
    throw new Error(
      `The database server is PostgreSQL ${name}, and Punchcard needs 15 or newer. Upgrade it, or point DATABASE_URL to a newer one.`,
    );
}
