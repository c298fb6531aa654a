import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase, type Database, type Db } from '../../../../../src/platform/db/connection.ts';
import { migrate } from '../../../../../src/platform/db/migrate.ts';
import { prepareTenantRole, tenantRoleOf } from '../../../../../src/platform/db/tenant_role.ts';
import { forAccount, rowLevelSecurityWorks } from '../../../../../src/platform/db/transactions.ts';

/** An empty embedded database, which is newer than PostgreSQL 15, used by somebody who is no superuser. */
async function databaseOf(rights: string, preparation = 'create role punchcard_app nologin') {
  const database = await openDatabase({ memory: true });
  onTestFinished(() => database.close());
  const { pool } = database;
  await pool.query(`create role ordinary login ${rights}`);
  await pool.query(preparation);
  await pool.query('do $$ begin execute format($f$alter database %I owner to ordinary$f$, current_database()); end $$');
  await pool.query('set session authorization ordinary');
  return database;
}

describe('the tenant role of a second installation on a cluster', { timeout: 240_000 }, () => {
  it('contains the name of the database, and can be set by a user who may create roles', async () => {
    const { db } = await databaseOf('createrole');
    await migrate(db);
    expect(await rowLevelSecurityWorks(db)).toBe(false);
    await prepareTenantRole(db);
    expect(await tenantRoleOf(db)).toMatch(/^punchcard_app_./);
    expect(await rowLevelSecurityWorks(db)).toBe(true);
    await prepareTenantRole(db);
    expect(await rowLevelSecurityWorks(db)).toBe(true);
  });

  it('does not exist for a user who may not create roles, and the schema is migrated all the same', async () => {
    const { db } = await databaseOf('nocreaterole');
    await migrate(db);
    await prepareTenantRole(db);
    expect(await tenantRoleOf(db)).toBeUndefined();
    expect(await rowLevelSecurityWorks(db)).toBe(false);
  });
});

describe('membership of the tenant role without the right to take it on', { timeout: 240_000 }, () => {
  const rightTo = async ({ pool }: Database, right: 'MEMBER' | 'SET'): Promise<boolean> =>
    (await pool.query<{ has: boolean }>(`select pg_has_role('punchcard_app', '${right}') as has`)).rows[0]!.has;

  it('is what a user who creates the role has at first; the grant at the start adds the right', async () => {
    const database = await databaseOf('createrole', 'select 1');
    const { db, pool } = database;
    await migrate(db);
    expect([await rightTo(database, 'MEMBER'), await rightTo(database, 'SET')]).toEqual([true, false]);
    await expect(pool.query('set role punchcard_app')).rejects.toMatchObject({ code: '42501' });
    expect(await tenantRoleOf(db)).toBeUndefined();

    await prepareTenantRole(db);
    expect(await rightTo(database, 'SET')).toBe(true);
    expect(await tenantRoleOf(db)).toBe('punchcard_app');
    expect(await rowLevelSecurityWorks(db)).toBe(true);
    expect(await roleInTransaction(db)).toBe('punchcard_app');
  });

  it('counts as no role where an administrator withheld the right, and transactions run without it', async () => {
    const preparation = 'create role punchcard_app nologin; grant punchcard_app to ordinary with set false';
    const database = await databaseOf('nocreaterole', preparation);
    const { db } = database;
    await migrate(db);
    await prepareTenantRole(db);
    expect([await rightTo(database, 'MEMBER'), await rightTo(database, 'SET')]).toEqual([true, false]);
    expect(await tenantRoleOf(db)).toBeUndefined();
    expect(await rowLevelSecurityWorks(db)).toBe(false);
    expect(await roleInTransaction(db)).toBe('ordinary');
  });
});

/** The role as which a transaction for an account runs. */
const roleInTransaction = (db: Db): Promise<string> =>
  forAccount(db, 1, async (tx) => {
    const { rows } = await sql<{ name: string }>`select current_user as name`.execute(tx);
    return rows[0]!.name;
  });
