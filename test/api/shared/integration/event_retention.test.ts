import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { prepareTenantRole } from '../../../../src/platform/db/tenant_role.ts';
import { forAccount } from '../../../../src/platform/db/transactions.ts';
import { removeExpiredEvents } from '../../../../src/integration/events/retention.ts';
import { insertEvents } from '../../../support/events/rows.ts';
import { newWorld, type World } from '../../../support/world.ts';

const countOf = async ({ db, accountId }: World): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from events where account_id = ${accountId} and name = 'tag.created'`.execute(db);
  return rows[0]!.count;
};

const refused = { code: '42501' };

describe('events', () => {
  it('cannot be changed or removed by transactions that act for an account', async () => {
    const world = await newWorld();
    const { db, accountId } = world;
    await insertEvents(db, world);
    await prepareTenantRole(db);
    const attempts = [
      sql`update events set name = 'tag.deleted'`,
      sql`delete from events`,
      sql`truncate events`,
      sql`create or replace function current_event_epoch() returns integer language sql as 'select 9'`,
      sql`insert into event_removals values (${accountId}, 9, '9', 9)`,
      sql`alter table events disable row level security`,
    ];
    for (const attempt of attempts)
      await expect(forAccount(db, accountId, (tx) => attempt.execute(tx))).rejects.toMatchObject(refused);
    expect(await countOf(world)).toBe(1);
  });

  it('are removed by housekeeping after their retention, in pieces', async () => {
    const world = await newWorld();
    const now = new Date();
    const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString();
    await insertEvents(world.db, { ...world, at: daysAgo(1096), count: 10_001 });
    await insertEvents(world.db, { ...world, at: daysAgo(1094), count: 2 });
    await removeExpiredEvents(world.db, 1095, now);
    expect(await countOf(world)).toBe(2);
  });
});
