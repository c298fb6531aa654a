import { describe, expect, it } from 'vitest';
import { forAccount } from '../../../../src/platform/db/transactions.ts';
import { warningJobs } from '../../../../src/working_time/working_time_rules/jobs.ts';
import { refreshWarnings } from '../../../../src/working_time/working_time_rules/warnings.ts';
import { inboxOf } from '../../../support/notifications.ts';
import { record } from '../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../support/world.ts';

const hour = 3_600_000;
const zero = Date.parse('2026-03-02T06:00:00Z');
const at = (hours: number): Date => new Date(zero + hours * hour);
const now = at(1000);

const scopeOf = ({ accountId, workspaceId }: World) => ({
  accountId,
  workspace: { id: workspaceId, time_zone: 'Europe/Berlin' },
});

/** A time tracking of the employee that is stored but not judged yet. */
async function insert({ db, accountId, workspaceId, employee }: World, from: number, to: number | null) {
  const span = { starts_at: at(from), ends_at: to === null ? null : at(to) };
  const { id } = await db
    .insertInto('time_trackings')
    .values({
      ...span,
      account_id: accountId,
      workspace_id: workspaceId,
      user_id: employee.id,
      actual_starts_at: span.starts_at,
      created_by: 'admin',
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, ...span };
}

const refresh = (world: World, range: { starts_at: Date; ends_at: Date | null }) =>
  forAccount(world.db, world.accountId, (tx) =>
    refreshWarnings(tx, scopeOf(world), [{ user_id: world.employee.id, ...range }], now),
  );

async function warningsOf({ db, accountId }: World, trackingId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('notifications')
    .select('rule')
    .where('account_id', '=', accountId)
    .where('time_tracking_id', '=', trackingId)
    .where('type', '=', 'trigger_warning')
    .orderBy('rule')
    .execute();
  return rows.map(({ rule }) => rule!);
}

async function remove({ db, accountId }: World, id: number): Promise<void> {
  await db
    .updateTable('working_time_violations')
    .set({ time_tracking_id: null })
    .where('account_id', '=', accountId)
    .where('time_tracking_id', '=', id)
    .execute();
  await db.deleteFrom('time_trackings').where('account_id', '=', accountId).where('id', '=', id).execute();
}

describe('refreshWarnings', () => {
  it('raises a warning once, and withdraws it when its cause is gone', async () => {
    const world = await newWorld();
    const long = await insert(world, 0, 11);
    await refresh(world, long);
    await refresh(world, long);
    expect(await warningsOf(world, long.id)).toEqual(['long_stretch', 'long_work', 'short_breaks']);

    await world.db
      .updateTable('time_trackings')
      .set({ custom_break_s: 3600, force_custom_break_duration: true })
      .where('account_id', '=', world.accountId)
      .where('id', '=', long.id)
      .execute();
    await refresh(world, long);
    expect(await warningsOf(world, long.id)).toEqual([]);
  });

  it('counts a manual pause as a break without times', async () => {
    const world = await newWorld();
    const long = await insert(world, 0, 11);
    const pauseOf = (manual_pause_min: number) =>
      world.db
        .updateTable('time_trackings')
        .set({ manual_pause_min })
        .where('account_id', '=', world.accountId)
        .where('id', '=', long.id)
        .execute();
    await pauseOf(60);
    await refresh(world, long);
    expect(await warningsOf(world, long.id)).toEqual([]);
    await pauseOf(14);
    await refresh(world, long);
    expect(await warningsOf(world, long.id)).toEqual(['long_stretch', 'long_work', 'short_breaks']);
  });

  it('checks the neighbours too', async () => {
    const world = await newWorld();
    const [before, after] = [await insert(world, 0, 4), await insert(world, 20, 24)];
    for (const tracking of [before, after]) await refresh(world, tracking);
    expect(await warningsOf(world, before.id)).toEqual([]);
    expect(await warningsOf(world, after.id)).toEqual([]);

    const between = await insert(world, 3, 10);
    await refresh(world, between);
    expect(await warningsOf(world, before.id)).toEqual([]);
    expect(await warningsOf(world, between.id)).toEqual(['long_stretch', 'overlap', 'short_breaks']);
    expect(await warningsOf(world, after.id)).toEqual(['short_rest']);

    await remove(world, between.id);
    await refresh(world, between);
    expect(await warningsOf(world, before.id)).toEqual([]);
    expect(await warningsOf(world, after.id)).toEqual([]);
  });

  it('sees a long tracking that began long before', async () => {
    const world = await newWorld();
    await insert(world, -24 * 360, 2);
    const short = await insert(world, 1, 3);
    await refresh(world, short);
    expect(await warningsOf(world, short.id)).toEqual(['overlap']);
  });

  it('sees a tracking that has been running for years', async () => {
    const world = await newWorld();
    const forgotten = await insert(world, -24 * 800, null);
    const short = await insert(world, 1, 3);
    await refresh(world, short);
    expect(await warningsOf(world, short.id)).toEqual(['overlap']);
    await look(world, now);
    expect(await warningsOf(world, forgotten.id)).toEqual(['long_running']);
  });

  it('judges a working day that began weeks ago', async () => {
    const world = await newWorld();
    const trackings = [];
    for (let day = 0; day < 20; day++) trackings.push(await insert(world, day * 21, day * 21 + 20));
    await refresh(world, trackings.at(-1)!);
    expect(await warningsOf(world, trackings[0]!.id)).toEqual(['long_stretch', 'long_work']);
    // Without the one in the middle there are two working days.
    await remove(world, trackings[10]!.id);
    await refresh(world, trackings[10]!);
    expect(await warningsOf(world, trackings[11]!.id)).toEqual(['long_stretch', 'long_work']);
  });

  it('judges each user alone', async () => {
    const world = await newWorld();
    const colleague = await world.addMember('employee');
    const own = await insert(world, 0, 4);
    const other = await insert({ ...world, employee: colleague }, 1, 3);
    await refresh(world, own);
    await refresh({ ...world, employee: colleague }, other);
    expect(await warningsOf(world, own.id)).toEqual([]);
    expect(await warningsOf(world, other.id)).toEqual([]);
  });
});

const look = (world: World, time: Date) =>
  warningJobs(world.watchedDb, () => time)['judge_running']!(undefined as never);

describe('judge_running', () => {
  it('raises a warning after more than 16 hours, and once only', async () => {
    const world = await newWorld();
    const running = await insert(world, 0, null);
    await look(world, at(16));
    expect(await warningsOf(world, running.id)).toEqual([]);
    await look(world, at(16.01));
    await look(world, at(16.2));
    expect(await warningsOf(world, running.id)).toEqual(['long_running']);
  });

  it('leaves finished time trackings to the other rules', async () => {
    const world = await newWorld();
    const running = await insert(world, 0, null);
    await look(world, at(17));
    await world.db
      .updateTable('time_trackings')
      .set({ ends_at: at(17.5) })
      .where('account_id', '=', world.accountId)
      .where('id', '=', running.id)
      .execute();
    await refresh(world, { starts_at: running.starts_at, ends_at: at(17.5) });
    await look(world, at(18));
    expect(await warningsOf(world, running.id)).toEqual(['long_stretch', 'long_work', 'short_breaks']);
  });
});

describe('what admins see', () => {
  const warningsSeenBy = async (person: Person): Promise<string[]> =>
    (await person.call('listNotifications', { query: { 'filter[type]': 'eq:trigger_warning' } })).body.data.map(
      ({ attributes }: { attributes: { title: string } }) => attributes.title,
    );

  it('appears and disappears with the times, the breaks and the tracking', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { id } = await record(employee, { starts_at: '2026-01-05T08:00:00Z', ends_at: '2026-01-05T18:30:00Z' });
    const titles = ['More than 10 hours of work', 'Too little break', 'More than 6 hours without a break'];
    expect(await warningsSeenBy(admin)).toEqual(titles);
    expect(await warningsSeenBy(employee)).toEqual([]);
    expect((await inboxOf(employee)).map(({ type, attributes }) => [type, attributes.title])).toEqual(
      titles.map((title) => ['notification', title]),
    );

    const change = (attributes: object) =>
      admin.call('updateTimeTracking', { params: { time_tracking_id: id }, body: bodyOf('time_tracking', attributes) });
    await change({ breaks_attributes: [{ starts_at: '2026-01-05T12:00:00Z', ends_at: '2026-01-05T12:45:00Z' }] });
    expect(await warningsSeenBy(admin)).toEqual([]);

    // The break between two time trackings of a day is no rest, and both are the work of one day.
    const next = await record(employee, { starts_at: '2026-01-05T20:00:00Z', ends_at: '2026-01-05T21:00:00Z' });
    expect(await warningsSeenBy(admin)).toEqual(['More than 10 hours of work']);
    await change({ ends_at: '2026-01-05T20:30:00Z' });
    expect((await warningsSeenBy(admin)).sort()).toEqual([
      'More than 10 hours of work',
      'More than 6 hours without a break',
      'Overlapping time trackings',
    ]);
    await admin.call('deleteTimeTracking', { params: { time_tracking_id: id } });
    expect(await warningsSeenBy(admin)).toEqual([]);
    expect((await inboxOf(employee)).map(({ attributes }) => attributes.title)).toEqual([
      'Your time tracking was deleted',
    ]);
    await admin.call('deleteTimeTracking', { params: { time_tracking_id: next.id } });
  });

  it('is raised at once for a tracking that began long ago', async () => {
    const { admin, employee } = await newWorld();
    await record(employee, { starts_at: new Date(Date.now() - 17 * hour).toISOString(), ends_at: null });
    expect(await warningsSeenBy(admin)).toEqual(['Running for more than 16 hours']);
    await employee.call('createAction', { body: bodyOf('action', { action_type: 'end' }) });
    expect(await warningsSeenBy(admin)).toEqual([
      'More than 10 hours of work',
      'Too little break',
      'More than 6 hours without a break',
    ]);
  });
});
