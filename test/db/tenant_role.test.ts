import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../src/db/connection.ts';
import { migrate } from '../../src/db/migrate.ts';
import { prepareTenantRole, tenantRoleOf } from '../../src/db/tenant_role.ts';
import { rowLevelSecurityWorks } from '../../src/db/transactions.ts';

/** An empty embedded database, which is newer than PostgreSQL 15, used by somebody who is no superuser. */
async function databaseOf(rights: string) {
  const database = await openDatabase({ memory: true });
  onTestFinished(() => database.close());
  const { pool } = database;
  await pool.query('create role punchcard_app nologin');
  await pool.query(`create role ordinary login ${rights}`);
  await pool.query('do $$ begin execute format($f$alter database %I owner to ordinary$f$, current_database()); end $$');
  await pool.query('set session authorization ordinary');
  return database;
}

describe('the tenant role of a second installation on a cluster', { timeout: 60_000 }, () => {
  it('carries the name of the database, and can be taken on by a user who may create roles', async () => {
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
