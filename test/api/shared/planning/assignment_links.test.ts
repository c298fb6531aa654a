import { describe, expect, it } from 'vitest';
import { employeeIn, punch, trackingsOf } from '../../../support/punches.ts';
import { record } from '../../../support/time_trackings.ts';
import { removeAllAssignments } from '../../../../src/planning/assignments/assignments.ts';
import { forAccount } from '../../../../src/platform/db/transactions.ts';
import { insertAccountingPeriod, insertArea } from '../../../support/records.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../support/world.ts';
import { newEnterprise } from '../../../support/enterprise.ts';
import { assign, assignmentId, at, insertShift, unassign } from './support.ts';

/*
 * Work that begins near a shift of its user is linked to it, whichever way it is recorded. Every shift here is from 8 to 16
 * o'clock, unless the test says otherwise.
 */

/** Every way to begin work at a moment. Returns the link. */
const ways: [string, (world: World, person: Person, start: Date) => Promise<unknown>][] = [
  [
    'createTimeTracking',
    async ({ admin }, { id }, start) => {
      const times = { starts_at: start.toISOString(), ends_at: new Date(start.getTime() + 60_000).toISOString() };
      return (await record(admin, times, { user: id })).attributes.assignment_id;
    },
  ],
  [
    'createAction',
    async (world, person, start) => {
      const { status } = await punch(person, 'start', { action_time: start.toISOString() });
      expect(status).toBe(201);
      return (await trackingsOf(world, person.id)).at(-1)!.assignment_id;
    },
  ],
  [
    'createWorkingSession',
    async (world, { id }, start) => {
      const area = await insertArea(world, `Area of ${start.toISOString()}`, []);
      const times = { starts_at: start.toISOString(), ends_at: new Date(start.getTime() + 60_000).toISOString() };
      const places = { location_id: world.workspaceId, working_area_id: area };
      const { status } = await world.enterprise('createWorkingSession', {
        body: { working_session: { ...times, ...places, user_id: id } },
      });
      expect(status).toBe(200);
      return (await trackingsOf(world, id)).at(-1)!.assignment_id;
    },
  ],
  [
    'createPublicAction',
    async (world, { id }, start) => {
      const punched = { action_type: 'start', action_time: start.toISOString(), user_id: id };
      const { status } = await world.enterprise('createPublicAction', {
        body: { working_session_action: { ...punched, location_id: world.workspaceId } },
      });
      expect(status).toBe(200);
      return (await trackingsOf(world, id)).at(-1)!.assignment_id;
    },
  ],
  [
    'updateTimeTracking',
    async ({ admin }, { id }, start) => {
      const { id: time_tracking_id } = await record(admin, {}, { user: id });
      const times = { starts_at: start.toISOString(), ends_at: new Date(start.getTime() + 60_000).toISOString() };
      const { status, body } = await admin.call('updateTimeTracking', {
        params: { time_tracking_id },
        body: bodyOf('time_tracking', times),
      });
      expect(status).toBe(200);
      return body.data.attributes.assignment_id;
    },
  ],
];

describe.each(ways)('%s', (_operation, begin) => {
  it.each([
    ['05:59', false],
    ['06:00', true],
    ['15:59', true],
    ['16:01', false],
  ])('links work that begins at %s: %s', async (time, isLinked) => {
    const world = await newWorld();
    const shift = await insertShift(world);
    await assign(world, shift, [world.employee.id]);
    const link = isLinked ? await assignmentId(world, shift, world.employee.id) : null;
    expect(await begin(world, world.employee, at(time))).toBe(link);
  });

  it('links work to a short shift until 2 hours after its start', async () => {
    const world = await newWorld();
    const shift = await insertShift(world, { to: at('08:30') });
    await assign(world, shift, [world.employee.id]);
    expect(await begin(world, world.employee, at('09:59'))).toBe(await assignmentId(world, shift, world.employee.id));
  });

  it('links to the shift whose start is nearest, also if an earlier one still lasts', async () => {
    const world = await newWorld();
    const [early, late] = [await insertShift(world), await insertShift(world, { from: at('12:00') })];
    for (const shift of [late, early]) await assign(world, shift, [world.employee.id]);
    expect(await begin(world, world.employee, at('10:30'))).toBe(await assignmentId(world, late, world.employee.id));
  });

  it('links neither to drafts, nor to applications, nor to shifts of others, of other places or other accounts', async () => {
    const world = await newEnterprise();
    const { id: workspaceId } = await world.newLocation('Elsewhere');
    const { id } = world.employee;
    await assign(world, await insertShift(world, { visible: false }), [id]);
    await assign(world, await insertShift(world), [id], { application: true });
    await assign(world, await insertShift(world), [world.admin.id]);
    await assign(world, await insertShift(world, { workspaceId }), [id]);
    const stranger = await newWorld();
    await assign(stranger, await insertShift(stranger), [stranger.employee.id]);
    expect(await begin(world, world.employee, at('08:00'))).toBeNull();
    const open = await insertShift(world, { visible: null, from: at('20:00'), to: at('23:00') });
    await assign(world, open, [world.admin.id]);
    expect(await begin(world, world.admin, at('20:00'))).toBe(await assignmentId(world, open, world.admin.id));
  });
});

/** A tracking of the employee that is linked to a shift. */
async function linked() {
  const world = await newWorld();
  const { admin, employee } = world;
  const shift = await insertShift(world);
  await assign(world, shift, [employee.id, admin.id]);
  const times = { starts_at: at('08:00').toISOString(), ends_at: at('12:00').toISOString() };
  const { id, attributes } = await record(admin, times, { user: employee.id });
  const link = await assignmentId(world, shift, employee.id);
  expect(attributes.assignment_id).toBe(link);
  const linkNow = async () => (await trackingsOf(world, employee.id))[0]!.assignment_id;
  const update = (attributes: object) =>
    admin.call('updateTimeTracking', { params: { time_tracking_id: id }, body: bodyOf('time_tracking', attributes) });
  return { world, shift, id, link, linkNow, update };
}

describe('a linked time tracking', () => {
  it('is linked anew when its start or its user changes, and stays linked when something else does', async () => {
    const { world, shift, link, linkNow, update } = await linked();
    await update({ ends_at: at('13:00').toISOString() });
    expect(await linkNow()).toBe(link);
    await update({ starts_at: at('05:00').toISOString() });
    expect(await linkNow()).toBeNull();
    await update({ starts_at: at('09:00').toISOString() });
    expect(await linkNow()).toBe(link);
    await update({ user_id: world.admin.id });
    const [moved] = await trackingsOf(world, world.admin.id);
    expect(moved!.assignment_id).toBe(await assignmentId(world, shift, world.admin.id));
  });

  it('keeps the id that its client gave, whatever changes', async () => {
    const { world, shift } = await linked();
    const { admin, employee } = world;
    const times = { starts_at: at('14:00').toISOString(), ends_at: at('15:00').toISOString() };
    for (const given of ['order-7', '999999999999999']) {
      const { id, attributes } = await record(admin, { ...times, assignment_id: given }, { user: employee.id });
      expect(attributes.assignment_id).toBe(given);
      const { body } = await admin.call('updateTimeTracking', {
        params: { time_tracking_id: id },
        body: bodyOf('time_tracking', { starts_at: at('14:30').toISOString() }),
      });
      expect(body.data.attributes.assignment_id).toBe(given);
    }
    await unassign(world, shift, [employee.id]);
    const links = (await trackingsOf(world, employee.id)).map(({ assignment_id }) => assignment_id);
    expect(links).toEqual([null, 'order-7', '999999999999999']);
  });

  const endings: [string, (world: World, shift: { id: number }) => Promise<unknown>][] = [
    ['is taken off the shift', (world, shift) => unassign(world, shift, [world.employee.id])],
    [
      'is moved among those who applied',
      (world, shift) => assign(world, shift, [world.employee.id], { application: true }),
    ],
    [
      'has a shift that is deleted',
      (world, shift) =>
        forAccount(world.db, world.accountId, (tx) =>
          removeAllAssignments(tx, employeeIn(world, world.employee.id), shift, new Date()),
        ),
    ],
  ];

  it.each(endings)('loses its link when its user %s, also in a closed month', async (_what, end) => {
    const { world, shift, linkNow } = await linked();
    await insertAccountingPeriod(world, world.employee.id, '2026-03-01');
    await end(world, shift);
    expect(await linkNow()).toBeNull();
  });

  it.each(endings)('is restored without a link when its user %s meanwhile', async (_what, end) => {
    const { world, shift, id, linkNow } = await linked();
    const named = { params: { time_tracking_id: id } };
    expect((await world.admin.call('deleteTimeTracking', named)).status).toBe(200);
    await end(world, shift);
    expect((await world.admin.call('restoreTimeTracking', named)).status).toBe(201);
    expect(await linkNow()).toBeNull();
  });

  it('is restored with its link', async () => {
    const { world, id, link, linkNow } = await linked();
    const named = { params: { time_tracking_id: id } };
    await world.admin.call('deleteTimeTracking', named);
    await world.admin.call('restoreTimeTracking', named);
    expect(await linkNow()).toBe(link);
  });
});

it('links each of many punches that come at once to the shift of its own user', async () => {
  const world = await newWorld();
  const people = [world.employee, world.admin, await world.addMember('employee')];
  const links: string[] = [];
  for (const { id } of people) {
    const shift = await insertShift(world, { from: new Date(), to: new Date(Date.now() + 3_600_000) });
    await assign(world, shift, [id]);
    links.push(await assignmentId(world, shift, id));
  }
  await Promise.all(people.map((person) => punch(person, 'start')));
  const found = await Promise.all(people.map(async ({ id }) => (await trackingsOf(world, id))[0]!.assignment_id));
  expect(found).toEqual(links);
});
