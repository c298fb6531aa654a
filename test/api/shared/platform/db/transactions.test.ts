import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { sharedTenantRole } from '../../../../../src/platform/db/tenant_role.ts';
import { forAccount, runAtCommit, sharedTables } from '../../../../../src/platform/db/transactions.ts';
import { service } from '../../../../support/service.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { isDistributed } from '../../../../support/database/distribution.ts';
import { violates } from '../../../../support/database/violations.ts';

describe('row-level security', () => {
  it('protects every table except the shared ones', async () => {
    const { database } = await service();
    const { rows } = await sql<{ name: string; is_fenced: boolean; policies: number }>`
      select case space.nspname when 'public' then class.relname else space.nspname || '.*' end as name, class.relrowsecurity as is_fenced,
        (select count(*) from pg_policy policy where policy.polrelid = class.oid) as policies
      from pg_class class join pg_namespace space on space.oid = class.relnamespace
      where space.nspname !~ '^(pg_|information_schema)' and class.relkind in ('r', 'p')`.execute(database.db);
    const open = new Set(
      rows.filter((table) => !table.is_fenced || Number(table.policies) === 0).map((table) => table.name),
    );
    expect([...open].sort()).toEqual([...sharedTables].sort());
  });

  it('applies to a role that cannot bypass it', async () => {
    const { database } = await service();
    const { rows } =
      await sql`select rolsuper, rolbypassrls, rolcanlogin from pg_roles where rolname = ${sharedTenantRole}`.execute(
        database.db,
      );
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcanlogin: isDistributed }]);
  });

  it("lets no query that forgets to filter read another account's rows", async () => {
    const [mine, other] = [await newWorld(), await newWorld()];
    await mine.admin.call('createArea', { body: bodyOf('area', { name: 'Mine' }) });
    await other.admin.call('createArea', { body: bodyOf('area', { name: 'Other' }) });
    const names = await forAccount(mine.db, mine.accountId, (db) => db.selectFrom('areas').select('name').execute());
    expect(names).toEqual([{ name: 'Mine' }]);
    const accounts = await forAccount(mine.db, mine.accountId, (db) =>
      db.selectFrom('accounts').select('id').execute(),
    );
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
    await expect(
      forAccount(mine.db, mine.accountId, (db) => db.insertInto('areas').values(smuggled).execute()),
    ).rejects.toMatchObject({ code: '42501' });
  });

  it('shows nothing to a transaction without an account', async () => {
    const { db } = await newWorld();
    const seen = await db.transaction().execute(async (transaction) => {
      await sql`select set_config('role', ${sharedTenantRole}, true)`.execute(transaction);
      return transaction.selectFrom('users').select('id').execute();
    });
    expect(seen).toEqual([]);
  });
});

describe('a transaction for an account', () => {
  const stamps = { created_at: new Date(), updated_at: new Date() };
  const area = ({ accountId, workspaceId }: World, name: string) => ({
    account_id: accountId,
    workspace_id: workspaceId,
    name,
    ...stamps,
  });
  const areasOf = async ({ db, accountId }: World) =>
    (await db.selectFrom('areas').select('name').where('account_id', '=', accountId).orderBy('name').execute()).map(
      ({ name }) => name,
    );

  it('runs its commit work at commit', async () => {
    const world = await newWorld();
    const seen = await forAccount(world.db, world.accountId, async (db) => {
      runAtCommit(db, db.insertInto('areas').values(area(world, 'Last')).compile());
      await db.insertInto('areas').values(area(world, 'First')).execute();
      return db.selectFrom('areas').select('name').execute();
    });
    expect(seen).toEqual([{ name: 'First' }]);
    expect(await areasOf(world)).toEqual(['First', 'Last']);
  });

  it('rolls back if the commit work fails, with its error', async () => {
    const world = await newWorld();
    const doubled = forAccount(world.db, world.accountId, async (db) => {
      await db.insertInto('areas').values(area(world, 'Twice')).execute();
      runAtCommit(db, db.insertInto('areas').values(area(world, 'Twice')).compile());
    });
    await expect(doubled).rejects.toSatisfy((error) => violates(error, 'areas_name'));
    expect(await areasOf(world)).toEqual([]);
  });

  it('leaves nothing behind where the work fails, before its first statement or after it', async () => {
    const world = await newWorld();
    const failing = (isLate: boolean) =>
      forAccount(world.db, world.accountId, async (db) => {
        runAtCommit(db, db.insertInto('areas').values(area(world, 'Last')).compile());
        if (isLate) await db.insertInto('areas').values(area(world, 'First')).execute();
        throw new Error('enough');
      });
    for (const isLate of [false, true]) await expect(failing(isLate)).rejects.toThrow('enough');
    expect(await areasOf(world)).toEqual([]);
    await forAccount(world.db, world.accountId, async () => {});
  });

  it('is the only one on its connection', async () => {
    const { db, accountId } = await newWorld();
    await expect(
      forAccount(db, accountId, async (transaction) => transaction.transaction().execute(async () => {})),
    ).rejects.toThrow('inside another');
  });
});
