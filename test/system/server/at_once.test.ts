import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createAction } from '../../../src/working_time/punches/create.ts';
import { forAccount } from '../../../src/platform/db/transactions.ts';
import { generateEntitlements } from '../../../src/absence/vacation_entitlements/generate.ts';
import { refreshWarnings } from '../../../src/working_time/working_time_rules/warnings.ts';
import { employeeIn, punch, trackingsOf } from '../../support/punches.ts';
import { actorOf } from '../../support/records.ts';
import { bodyOf, newWorld, type Person } from '../../support/world.ts';
import { isSomebodyWaiting } from '../../support/database/distribution.ts';

/*
 * Concurrent transactions. They need PostgreSQL, because the embedded database has only one connection.
 */

describe('a punch while its user is being deleted', () => {
  it('leaves nothing running', async () => {
    const world = await newWorld();
    const { db, admin, employee } = world;
    let deletion: Promise<unknown> | undefined;
    await forAccount(db, world.accountId, async (transaction) => {
      await createAction(
        transaction,
        employeeIn(world, employee.id),
        { action_type: 'start', tag_ids: [] },
        new Date(),
      );
      let isDone = false;
      deletion = admin.call('deleteUser', { params: { user_id: employee.id } }).then(() => (isDone = true));
      while (!isDone && !(await isSomebodyWaiting(db))) await new Promise(setImmediate);
    });
    await deletion;
    const trackings = await db
      .selectFrom('time_trackings')
      .select('ends_at')
      .where('account_id', '=', world.accountId)
      .execute();
    expect(trackings).toHaveLength(1);
    expect(trackings[0]!.ends_at).not.toBeNull();
  });
});

describe('two changes of working time', () => {
  it('miss no warning about each other', async () => {
    const world = await newWorld();
    const { accountId, workspaceId, employee } = world;
    const scope = { accountId, workspace: { id: workspaceId, time_zone: 'Europe/Berlin' } };
    const at = (hours: number): Date => new Date(Date.parse('2026-03-02T06:00:00Z') + hours * 3_600_000);
    const now = at(1000);
    let inserted = 0;
    await Promise.all(
      [0, 2].map((from) =>
        forAccount(world.db, accountId, async (db) => {
          const span = { starts_at: at(from), ends_at: at(from + 4) };
          const row = {
            account_id: accountId,
            workspace_id: workspaceId,
            user_id: employee.id,
            created_by: 'admin',
            created_at: now,
            updated_at: now,
          };
          await db
            .insertInto('time_trackings')
            .values({ ...row, ...span, actual_starts_at: span.starts_at })
            .execute();
          inserted += 1;
          // Both have inserted their row, or the second waits for the first, because both connections write the same row of totals.
          while (inserted < 2 && !(await isSomebodyWaiting(world.db))) await new Promise(setImmediate);
          await refreshWarnings(db, scope, [{ user_id: employee.id, ...span }], now);
        }),
      ),
    );
    const violations = await world.db
      .selectFrom('working_time_violations')
      .select(['rule', 'value_s'])
      .where('account_id', '=', accountId)
      .execute();
    expect(violations).toEqual([{ rule: 'overlap', value_s: 2 * 3600 }]);
  });
});

describe('a punch whose user is locked by another transaction', () => {
  it('waits, and delays nobody else', async () => {
    const world = await newWorld();
    const { db, accountId, employee } = world;
    const others = [
      await world.addMember('employee'),
      await world.addMember('employee'),
      await world.addMember('employee'),
    ];
    let waiting: ReturnType<typeof punch> | undefined;
    await db.transaction().execute(async (transaction) => {
      await sql`select from users where account_id = ${accountId} and id = ${employee.id} for no key update`.execute(
        transaction,
      );
      waiting = punch(employee, 'start');
      waiting.then(() => {});
      while (!(await isSomebodyWaiting(db))) await new Promise(setImmediate);
      const answers = await Promise.all(others.map((other) => punch(other, 'start')));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(await trackingsOf(world, employee.id)).toEqual([]);
    });
    expect((await waiting!).status).toBe(201);
    expect(await trackingsOf(world, employee.id)).toHaveLength(1);
  });
});

describe('two admins who create the same tag', () => {
  it('both get it', async () => {
    const world = await newWorld();
    const { db, accountId, workspaceId, admin } = world;
    const createTag = (person: Person) => person.call('createTag', { body: bodyOf('tag', { title: 'Inventory' }) });
    let answer: ReturnType<typeof createTag> | undefined;
    await forAccount(db, accountId, async (transaction) => {
      const now = new Date();
      const tag = {
        account_id: accountId,
        workspace_id: workspaceId,
        title: 'Inventory',
        created_at: now,
        updated_at: now,
      };
      await transaction.insertInto('tags').values(tag).execute();
      let isDone = false;
      answer = createTag(admin).finally(() => (isDone = true));
      while (!isDone && !(await isSomebodyWaiting(db))) await new Promise(setImmediate);
    });
    const { status, body } = await answer!;
    expect(status, JSON.stringify(body)).toBe(201);
    const tags = await db.selectFrom('tags').select('id').where('account_id', '=', accountId).execute();
    expect(tags.map(({ id }) => String(id))).toEqual([body.data.id]);
    expect((await createTag(admin)).status, 'afterwards').toBe(400);
  });

  it('both get it, however their requests meet', async () => {
    const world = await newWorld();
    const admins = await Promise.all(
      ['Ada', 'Bea', 'Cleo', 'Dora'].map((name) => world.addMember('workspaceAdmin', name)),
    );
    const create = (person: Person) => person.call('createTag', { body: bodyOf('tag', { title: 'Inventory' }) });
    const answers = await Promise.all(admins.map(create));
    const created = answers.filter(({ status }) => status === 201);
    expect(new Set(created.map(({ body }) => body.data.id)).size).toBe(1);
  });
});

describe('two requests that generate the vacation of a year', () => {
  it('give everybody one entitlement', async () => {
    const world = await newWorld();
    const { db, accountId, admin } = world;
    const actor = await actorOf(world, admin);
    const year = { year: 2027, days: 30 };
    let answer: ReturnType<Person['call']> | undefined;
    await forAccount(db, accountId, async (transaction) => {
      expect(await generateEntitlements(transaction, actor, year, new Date())).toHaveLength(2);
      let isDone = false;
      const body = bodyOf('batch_action', { action: 'generate', ...year });
      answer = admin.call('batchVacationEntitlements', { body }).finally(() => (isDone = true));
      while (!isDone && !(await isSomebodyWaiting(db))) await new Promise(setImmediate);
    });
    expect((await answer!).body.meta.created).toBe(0);
    const made = await db
      .selectFrom('vacation_entitlements')
      .select('user_id')
      .where('account_id', '=', accountId)
      .execute();
    expect(made).toHaveLength(2);
  });
});
