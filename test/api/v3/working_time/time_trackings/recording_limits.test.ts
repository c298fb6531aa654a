import { describe, expect, it } from 'vitest';
import { localDay, startOfLocalDay } from '../../../../../src/platform/core/time.ts';
import { backdatingProblems } from '../../../../../src/working_time/time_trackings/problems.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { actorOf } from '../../../../support/records.ts';
import { record, trackingBody } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const fromNow = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

/** Noon in Berlin, so many days ago. */
const noon = (daysAgo: number): Date =>
  new Date(
    startOfLocalDay(localDay(new Date(Date.now() - daysAgo * day), 'Europe/Berlin'), 'Europe/Berlin').getTime() +
      12 * hour,
  );

const spanAt = (start: Date, length = hour) => ({
  starts_at: start.toISOString(),
  ends_at: new Date(start.getTime() + length).toISOString(),
});

const limit = async ({ admin }: World, max_backdating_days: number | null) =>
  expect((await admin.call('updateWorkspace', { body: bodyOf('workspace', { max_backdating_days }) })).status).toBe(
    200,
  );

const create = (person: Person, attributes: object, user?: number) =>
  person.call('createTimeTracking', { body: trackingBody(attributes, user === undefined ? {} : { user }) });

const update = (person: Person, id: string, attributes: object) =>
  person.call('updateTimeTracking', { params: { time_tracking_id: id }, body: bodyOf('time_tracking', attributes) });

const punch = (person: Person, attributes: object) =>
  person.call('createAction', { body: bodyOf('action', attributes) });

describe('createTimeTracking', () => {
  it('400 further back than the workspace allows employees, and 201 for admins and without a limit', async () => {
    const world = await newWorld();
    const [recent, old] = [spanAt(noon(2)), spanAt(noon(3))];
    expect((await create(world.employee, old)).status).toBe(201);
    await limit(world, 2);
    expect((await create(world.employee, recent)).status).toBe(201);
    const refused = await create(world.employee, old);
    expect([refused.status, pointersIn(refused)]).toEqual([400, ['starts_at', 'ends_at']]);
    const earliest = localDay(noon(2), 'Europe/Berlin');
    expect(titlesIn(refused)).toContainEqual(
      expect.stringContaining(
        `starts_at must not be before ${earliest}, because employees of this workspace record time at most 2 days back, but was ${localDay(noon(3), 'Europe/Berlin')}T12:00:00`,
      ),
    );
    expect((await create(world.admin, old, world.employee.id)).status).toBe(201);
    await limit(world, null);
    expect((await create(world.employee, old)).status).toBe(201);
  });

  it('400 more than 5 minutes in the future for an employee, and 201 for an admin', async () => {
    const { admin, employee } = await newWorld();
    const [soon, later] = [fromNow(4 * minute), fromNow(6 * minute)];
    const starts_at = fromNow(-hour);
    expect((await create(employee, { starts_at, ends_at: soon })).status).toBe(201);
    const refused = await create(employee, { starts_at, ends_at: later });
    expect([refused.status, pointersIn(refused)]).toEqual([400, ['ends_at']]);
    expect(titlesIn(refused)[0]).toMatch(/^ends_at must be at most 5 minutes in the future, but was /);
    expect(pointersIn(await create(employee, { starts_at: later, ends_at: null }))).toEqual(['starts_at']);
    expect((await create(admin, { starts_at, ends_at: later }, employee.id)).status).toBe(201);
  });

  it('400 longer than 24 hours for an employee, and 201 for an admin', async () => {
    const { admin, employee } = await newWorld();
    const long = spanAt(noon(5), day + 1000);
    expect((await create(employee, spanAt(noon(5), day))).status).toBe(201);
    const refused = await create(employee, long);
    expect(titlesIn(refused)[0]).toMatch(/^ends_at must be at most 24 hours after starts_at, .*, but was /);
    expect((await create(admin, long, employee.id)).status).toBe(201);
  });

  it('201 ignores `created_by` from an employee, and takes it from an admin', async () => {
    const { admin, employee } = await newWorld();
    const given = { created_by: 'admin' };
    expect((await record(employee, given)).attributes['created_by']).toBe('employee');
    expect((await record(admin, given, { user: employee.id })).attributes['created_by']).toBe('admin');
  });
});

describe('updateTimeTracking', () => {
  it('400 moves the times of an employee beyond the limits, and 200 leaves alone what does not change', async () => {
    const world = await newWorld();
    const { id } = await record(world.admin, spanAt(noon(9), 2 * day), { user: world.employee.id });
    const recent = await record(world.employee, spanAt(noon(1)));
    await limit(world, 3);
    const pauses = { starts_at: noon(9).toISOString(), ends_at: new Date(noon(9).getTime() + hour).toISOString() };
    const same = spanAt(noon(9), 2 * day);
    expect((await update(world.employee, id, { ...same, breaks_attributes: [pauses] })).status).toBe(200);
    expect(pointersIn(await update(world.employee, id, { ends_at: noon(8).toISOString() }))).toEqual(['ends_at']);
    expect(pointersIn(await update(world.employee, recent.id, { starts_at: noon(4).toISOString() }))).toEqual([
      'ends_at',
      'starts_at',
    ]);
    expect(pointersIn(await update(world.employee, recent.id, { ends_at: fromNow(hour) }))).toContain('ends_at');
    const earlier = new Date(noon(1).getTime() - hour).toISOString();
    expect((await update(world.employee, recent.id, { starts_at: earlier })).status).toBe(200);
    expect((await update(world.admin, recent.id, { starts_at: noon(9).toISOString() })).status).toBe(200);
  });
});

describe('createAction', () => {
  it('400 starts further back than the workspace allows an employee, and 201 for an admin', async () => {
    const world = await newWorld();
    await limit(world, 0);
    const early = { action_type: 'start', action_time: noon(1).toISOString() };
    const refused = await punch(world.employee, early);
    expect([refused.status, pointersIn(refused)]).toEqual([400, ['action_time']]);
    expect((await punch(world.admin, { ...early, user_id: world.employee.id })).status).toBe(201);
  });

  it('201 ends what ran longer than an employee may record, further back than the limit and for years', async () => {
    const world = await newWorld();
    for (const [index, start] of [noon(3), noon(800)].entries()) {
      await record(world.admin, { starts_at: start.toISOString(), ends_at: null }, { user: world.employee.id });
      await limit(world, 0);
      const action_time = index === 0 ? { action_time: noon(2).toISOString() } : {};
      expect((await punch(world.employee, { action_type: 'end', ...action_time })).status).toBe(201);
    }
  });
});

describe('the days that an employee may go back', () => {
  it('are days of their own time zone', async () => {
    const world = await newWorld();
    await limit(world, 1);
    const actor = await actorOf(world, world.employee);
    // It is 11 January in Berlin, and 12 January in Auckland.
    const now = new Date('2026-01-11T12:00:00Z');
    const problemsAt = async (time: string) =>
      (await backdatingProblems(world.db, actor, world.employee.id, { starts_at: new Date(time) }, now)).length;
    expect([await problemsAt('2026-01-09T22:59:59Z'), await problemsAt('2026-01-09T23:00:00Z')]).toEqual([1, 0]);
    await world.db
      .updateTable('users')
      .set({ time_zone: 'Pacific/Auckland' })
      .where('account_id', '=', world.accountId)
      .where('id', '=', world.employee.id)
      .execute();
    expect([await problemsAt('2026-01-10T10:59:59Z'), await problemsAt('2026-01-10T11:00:00Z')]).toEqual([1, 0]);
  });
});

describe('updateWorkspace', () => {
  it('400 for a number of days that is negative or too large', async () => {
    const { admin } = await newWorld();
    for (const max_backdating_days of [-1, 3651, 1.5])
      expect(
        pointersIn(await admin.call('updateWorkspace', { body: bodyOf('workspace', { max_backdating_days }) })),
      ).toEqual(['max_backdating_days']);
  });
});
