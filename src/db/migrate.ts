import { Migrator, sql, type Migration } from 'kysely';
import type { Db } from './connection.ts';
import * as foundation from './migrations/0001_foundation.ts';
import * as records from './migrations/0002_records.ts';
import * as idempotency from './migrations/0003_idempotency.ts';
import * as rowLevelSecurity from './migrations/0004_row_level_security.ts';
import * as timeTrackingTotals from './migrations/0005_time_tracking_totals.ts';
import * as fasterWrites from './migrations/0006_faster_writes.ts';
import * as flatRanges from './migrations/0007_flat_ranges.ts';
import * as noticesAndLimits from './migrations/0008_notices_and_limits.ts';
import * as targetHours from './migrations/0009_target_hours.ts';
import * as absenceDays from './migrations/0010_absence_days.ts';
import * as sortedLists from './migrations/0011_sorted_lists.ts';
import * as timeAccountEntries from './migrations/0012_time_account_entries.ts';
import * as keptMonths from './migrations/0013_kept_months.ts';
import * as protection from './migrations/0014_protection.ts';
import * as accountingPeriods from './migrations/0015_accounting_periods.ts';
import * as workingTimeRules from './migrations/0016_working_time_rules.ts';
import * as deletedRecords from './migrations/0017_deleted_records.ts';
import * as readOnlyTokens from './migrations/0018_read_only_tokens.ts';

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
};

const migratorOf = (db: Db, all = migrations) => new Migrator({ db, provider: { getMigrations: async () => all } });

/** Brings the schema up to date and returns the names of the migrations that ran. Several processes may call it at once: one migrates. */
export async function migrate(db: Db, all = migrations): Promise<string[]> {
  if (await hasExactly(db, all)) return [];
  const { error, results = [] } = await migratorOf(db, all).migrateToLatest();
  const failed = results.find((result) => result.status === 'Error');
  if (error) {
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
export async function pendingMigrations(db: Db): Promise<string[]> {
  const all = await migratorOf(db).getMigrations();
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
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
