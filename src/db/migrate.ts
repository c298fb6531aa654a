import { Migrator, type Migration } from 'kysely';
import type { Db } from './connection.ts';
import * as foundation from './migrations/0001_foundation.ts';
import * as records from './migrations/0002_records.ts';
import * as idempotency from './migrations/0003_idempotency.ts';
import * as rowLevelSecurity from './migrations/0004_row_level_security.ts';

/** In order of their names, up only: a released migration never changes. */
const migrations: Record<string, Migration> = {
  '0001_foundation': foundation,
  '0002_records': records,
  '0003_idempotency': idempotency,
  '0004_row_level_security': rowLevelSecurity,
};

/** Brings the schema up to date and names the migrations that ran. Several processes may call it at once: one migrates. */
export async function migrate(db: Db): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error, results = [] } = await migrator.migrateToLatest();
  const failed = results.find((result) => result.status === 'Error');
  if (error) {
    throw new Error(`The migration ${failed?.migrationName ?? ''} failed and was rolled back; the database is as it was before. Cause: ${String(error)}`, {
      cause: error,
    });
  }
  return results.map((result) => result.migrationName);
}
