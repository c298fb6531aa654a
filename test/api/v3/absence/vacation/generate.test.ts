import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { statementsDuring } from '../../../../support/database/statements.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';
import { create as createTargetHour, cycle, monToWed } from '../../time_account/target_hours/support.ts';
import { entitle } from './support.ts';

const generate = (person: Person, attributes: object = {}) =>
  person.call('batchVacationEntitlements', {
    body: bodyOf('batch_action', { action: 'generate', year: 2027, days: 30, ...attributes }),
  });

const entitlementsIn = ({ db, accountId }: World) =>
  db
    .selectFrom('vacation_entitlements')
    .select(['id', 'user_id', 'title', 'starts_at', 'ends_at', 'planned_days', 'expires', 'transfer_remaining'])
    .select('end_of_transfer_period')
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();

interface Line {
  readonly id: string;
  readonly attributes: Record<string, number | string>;
  readonly relationships: { readonly vacation_entitlements: { readonly data: readonly { readonly id: string }[] } };
}

const linesIn = (body: { data: Line[] }) =>
  Object.fromEntries(
    body.data.map(({ attributes }) => [
      attributes['username'],
      [attributes['outcome'], attributes['earned_days'], attributes['months'], attributes['working_days_per_week']],
    ]),
  );

/** Sets the dates in the data profile of a user. */
const employed = ({ enterprise }: World, user: Person, data_profiles: object) =>
  enterprise('updatePublicUser', { body: { user: { id: user.id, data_profiles } } });

describe('batchVacationEntitlements', () => {
  it('200 by months of work and working days', async () => {
    const world = await newWorld();
    const { admin } = world;
    const [joiner, leaver, partTimer, shiftWorker, gone] = [
      await world.addMember('employee', 'joiner'),
      await world.addMember('employee', 'leaver'),
      await world.addMember('employee', 'part-timer'),
      await world.addMember('employee', 'shift worker'),
      await world.addMember('employee', 'gone'),
    ];
    await employed(world, joiner, { start_of_work: '2027-04-01' });
    await employed(world, leaver, { end_of_contract: '2027-08-31' });
    await employed(world, gone, { end_of_contract: '2026-12-31' });
    await createTargetHour(admin, partTimer.id, { start_date: '2026-06-01', ...monToWed });
    await createTargetHour(admin, shiftWorker.id, { start_date: '2026-06-01', ...cycle });
    const { status, body } = await generate(admin);
    expect(status).toBe(200);
    expect(linesIn(body)).toEqual({
      admin: ['created', 30, 12, 5],
      employee: ['created', 30, 12, 5],
      // 22.5 days, rounded up.
      joiner: ['created', 23, 9, 5],
      leaver: ['created', 20, 8, 5],
      'part-timer': ['created', 18, 12, 3],
      'shift worker': ['created', 28, 12, 4.67],
      gone: ['nothing_earned', 0, 0, 5],
    });
    expect([body.meta.dry_run, body.meta.created]).toEqual([false, 6]);
    const names = body.data.map(({ attributes }: Line) => attributes['username']);
    expect(names).toEqual(['admin', 'employee', 'gone', 'joiner', 'leaver', 'part-timer', 'shift worker']);
    const rows = await entitlementsIn(world);
    expect(rows).toHaveLength(6);
    expect(rows.find(({ user_id }) => user_id === partTimer.id)).toMatchObject({
      ...{ title: 'Vacation 2027', starts_at: '2027-01-01', ends_at: '2027-12-31', planned_days: 18 },
      ...{ expires: true, transfer_remaining: true, end_of_transfer_period: '2028-03-31' },
    });
    for (const { id, relationships } of body.data as Line[])
      expect(relationships.vacation_entitlements.data.map((one) => Number(one.id))).toEqual(
        rows.filter(({ user_id }) => user_id === Number(id)).map((row) => row.id),
      );
  });

  it('200 says the same in a dry run, and writes nothing', async () => {
    const world = await newWorld();
    const { admin } = world;
    const dry = await generate(admin, { dry_run: true });
    expect([dry.status, dry.body.meta.dry_run, dry.body.meta.created]).toEqual([200, true, 2]);
    expect(await entitlementsIn(world)).toEqual([]);
    const wet = await generate(admin);
    expect(linesIn(wet.body)).toEqual(linesIn(dry.body));
    expect(await entitlementsIn(world)).toHaveLength(2);
  });

  it('200 leaves users alone who have an entitlement for the year, and repeats itself without a change', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const own = { starts_at: '2026-07-01', ends_at: '2027-06-30', planned_days: 12 };
    const id = await entitle(world, employee, own);
    await entitle(world, admin, { starts_at: '2026-01-01', ends_at: '2026-12-31' });
    const first = await generate(admin);
    expect(linesIn(first.body)).toEqual({ admin: ['created', 30, 12, 5], employee: ['existing', 30, 12, 5] });
    const kept = first.body.data.find((line: Line) => line.id === String(employee.id));
    expect(kept.relationships.vacation_entitlements.data).toEqual([{ type: 'vacation_entitlement', id }]);
    const rows = await entitlementsIn(world);
    const second = await generate(admin, { days: 25 });
    expect(second.body.meta.created).toBe(0);
    expect(linesIn(second.body)).toMatchObject({ admin: ['existing', 25, 12, 5] });
    expect(await entitlementsIn(world)).toEqual(rows);
  });

  it('200 makes one each, of two requests at the same moment', async () => {
    const world = await newWorld();
    for (let index = 0; index < 5; index++) await world.addMember('employee', `member ${index}`);
    const answers = await Promise.all(Array.from({ length: 4 }, () => generate(world.admin)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(answers.map(({ body }) => body.meta.created).sort()).toEqual([0, 0, 0, 7]);
    expect(await entitlementsIn(world)).toHaveLength(7);
  });

  it('200 for named users only, with what the request sets', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const inactive = await world.addMember('employee', 'inactive');
    await world.enterprise('deactivatePublicUser', { body: { user: { id: inactive.id } } });
    expect(Object.keys(linesIn((await generate(admin, { dry_run: true })).body))).toEqual(['admin', 'employee']);
    const more = {
      title: 'Urlaub',
      transfer_remaining: false,
      expires: false,
      user_ids: [String(employee.id), inactive.id],
    };
    expect(linesIn((await generate(admin, more)).body)).toEqual({
      employee: ['created', 30, 12, 5],
      inactive: ['created', 30, 12, 5],
    });
    expect(await entitlementsIn(world)).toMatchObject(
      [employee, inactive].map(({ id }) => ({
        ...{ user_id: id, title: 'Urlaub', expires: false, transfer_remaining: false, end_of_transfer_period: null },
      })),
    );
    const until = { user_ids: { 0: admin.id }, end_of_transfer_period: '2028-06-30' };
    expect((await generate(admin, until)).body.meta.created).toBe(1);
    expect((await entitlementsIn(world)).at(-1)).toMatchObject({
      user_id: admin.id,
      end_of_transfer_period: '2028-06-30',
    });
  });

  it('200 with the same number of statements for any number of users', async () => {
    const world = await newWorld();
    const few = await statementsDuring(() => generate(world.admin));
    for (let index = 0; index < 8; index++) await world.addMember('employee', `member ${index}`);
    expect(await statementsDuring(() => generate(world.admin, { year: 2028 }))).toBe(few);
  });

  it('400 with all problems, and nothing written', async () => {
    const world = await newWorld();
    const { admin, stranger } = world;
    const attempt = async (attributes: object) => {
      const response = await generate(admin, attributes);
      return [response.status, pointersIn(response).sort()];
    };
    expect(await attempt({ action: 'invent', year: 1999, days: -1, dry_run: 'perhaps' })).toEqual([
      400,
      ['action', 'days', 'dry_run', 'year'],
    ]);
    expect(await attempt({ year: '', days: null, user_ids: [] })).toEqual([400, ['days', 'user_ids', 'year']]);
    expect(await attempt({ days: 260.5 })).toEqual([400, ['days']]);
    const foreign = await generate(admin, {
      user_ids: [admin.id, stranger.id, 'abc'],
      end_of_transfer_period: '2027-03-31',
    });
    expect([foreign.status, titlesIn(foreign)]).toEqual([
      400,
      [
        `user_ids names "abc", ${stranger.id}, which is no user of this workspace.`,
        'end_of_transfer_period must lie after ends_at, which is 2027-12-31, but was 2027-03-31.',
      ],
    ]);
    expect(await entitlementsIn(world)).toEqual([]);
  });

  it('403 for an employee and an area admin, 404 in another account', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    for (const person of [world.employee, areaAdmin])
      expect((await generate(person, { dry_run: true })).status).toBe(403);
    expect((await generate(world.stranger)).status).toBe(404);
    expect(await entitlementsIn(world)).toEqual([]);
    expect((await generate(await world.addMember('workspaceAdmin'))).status).toBe(200);
  });
});
