import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { forAccount, sharedTables, tenantRole } from '../../src/db/tenancy.ts';
import { service } from '../support/service.ts';
import { bodyOf, newWorld } from '../support/world.ts';

describe('row-level security', () => {
  it('fences every table but the shared ones', async () => {
    const { database } = await service();
    const { rows } = await sql<{ name: string; is_fenced: boolean; policies: number }>`
      select case space.nspname when 'public' then class.relname else space.nspname || '.*' end as name, class.relrowsecurity as is_fenced,
        (select count(*) from pg_policy policy where policy.polrelid = class.oid) as policies
      from pg_class class join pg_namespace space on space.oid = class.relnamespace
      where space.nspname !~ '^(pg_|information_schema)' and class.relkind in ('r', 'p')`.execute(database.db);
    const open = new Set(rows.filter((table) => !table.is_fenced || Number(table.policies) === 0).map((table) => table.name));
    expect([...open].sort()).toEqual([...sharedTables].sort());
  });

  it('holds for a role that cannot get around it', async () => {
    const { database } = await service();
    const { rows } = await sql`select rolsuper, rolbypassrls, rolcanlogin from pg_roles where rolname = ${tenantRole}`.execute(database.db);
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcanlogin: false }]);
  });

  it("lets no query that forgets to filter read another account's rows", async () => {
    const [mine, other] = [await newWorld(), await newWorld()];
    await mine.admin.call('createArea', { body: bodyOf('area', { name: 'Mine' }) });
    await other.admin.call('createArea', { body: bodyOf('area', { name: 'Other' }) });
    const names = await forAccount(mine.db, mine.accountId, (db) => db.selectFrom('areas').select('name').execute());
    expect(names).toEqual([{ name: 'Mine' }]);
    const accounts = await forAccount(mine.db, mine.accountId, (db) => db.selectFrom('accounts').select('id').execute());
    expect(accounts).toEqual([{ id: mine.accountId }]);
  });

  it("lets no statement that forgets to filter change another account's rows", async () => {
    const [mine, other] = [await newWorld(), await newWorld()];
    await other.admin.call('createArea', { body: bodyOf('area', { name: 'Other' }) });
    await forAccount(mine.db, mine.accountId, (db) => db.updateTable('areas').set({ name: 'Taken' }).execute());
    await forAccount(mine.db, mine.accountId, (db) => db.deleteFrom('areas').execute());
    expect((await other.admin.call('listAreas')).body.data[0].attributes.name).toBe('Other');
    const stamps = { created_at: new Date(), updated_at: new Date() };
    const smuggled = { account_id: other.accountId, workspace_id: other.workspaceId, name: 'Smuggled', ...stamps };
    await expect(forAccount(mine.db, mine.accountId, (db) => db.insertInto('areas').values(smuggled).execute())).rejects.toMatchObject({ code: '42501' });
  });

  it('shows nothing at all to a transaction that acts for nobody', async () => {
    const { db } = await newWorld();
    const seen = await db.transaction().execute(async (transaction) => {
      await sql`select set_config('role', ${tenantRole}, true)`.execute(transaction);
      return transaction.selectFrom('users').select('id').execute();
    });
    expect(seen).toEqual([]);
  });
});
