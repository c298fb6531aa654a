import { Migrator, sql, type Migration } from 'kysely';
import { migrations } from '../../../generated/migrations.ts';
import { adoptPreRelease } from './adoption/adopt.ts';
import type { Db } from './connection.ts';
import { distribute } from './distribution/distribute.ts';
import { raiseEventEpoch } from './event_epoch.ts';

type Migrations = Readonly<Record<string, () => Promise<Migration>>>;

/** Brings the database up to date and returns what was done. Several processes may call it at once: one migrates. */
export async function migrate(db: Db): Promise<string[]> {
  const migrated = await migrateSchema(db);
  await raiseEventEpoch(db);
  return [...migrated, ...(await distribute(db))];
}

/** Brings the schema up to date and returns the names of the migrations that ran. No setting of the service is stored. */
export async function migrateSchema(db: Db, all: Migrations = migrations): Promise<string[]> {
  if ((await executedNames(db)).join() === Object.keys(all).join()) return [];
  return db.connection().execute((connection) => oneAtATime(connection, () => migrateWith(connection, all)));
}

/** The migrator looks at all tables before it takes its own lock, and fails when another process renames one at that moment. */
async function oneAtATime<Result>(connection: Db, work: () => Promise<Result>): Promise<Result> {
  const lock = sql`hashtext('punchcard_migrations')`;
  await sql`select pg_advisory_lock(${lock})`.execute(connection);
  try {
    return await work();
  } finally {
    await sql`select pg_advisory_unlock(${lock})`.execute(connection);
  }
}

async function migrateWith(db: Db, all: Migrations): Promise<string[]> {
  await adoptPreRelease(db, await executedNames(db), await all['0001_baseline']!());
  const { error, results = [] } = await migratorOf(db, all).migrateToLatest();
  if (error) {
    const failed = results.find((result) => result.status === 'Error');
    throw new Error(
      `The migration ${failed?.migrationName ?? ''} failed and was rolled back; the database is as it was before. Cause: ${String(error)}`,
      { cause: error },
    );
  }
  return results.map((result) => result.migrationName);
}

const migratorOf = (db: Db, all: Migrations) =>
  new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          await Promise.all(Object.entries(all).map(async ([name, load]) => [name, await load()] as const)),
        ),
    },
  });

/** Read without the migrator, which reads the whole catalogue twice, because at nearly every start there is nothing to do. */
async function executedNames(db: Db): Promise<string[]> {
  const { rows: tables } = await sql<{
    found: boolean;
  }>`select to_regclass('kysely_migration') is not null as found`.execute(db);
  if (!tables[0]!.found) return [];
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name collate "C"`.execute(db);
  return rows.map(({ name }) => name);
}

/** The migrations of this release that have not run on this database. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const executed = await executedNames(db);
  return Object.keys(migrations).filter((name) => !executed.includes(name));
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
