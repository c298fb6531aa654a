import { describe, expect, it } from 'vitest';
import { areaWith, record, systemNotes, tagTitled } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

/** A confirmed time tracking of the employee, with a break, in an area that they may change. */
async function confirmed() {
  const world = await newWorld();
  const { admin, employee } = world;
  const area = await areaWith(world, 'Bar', [employee]);
  const breaks_attributes = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }];
  const { id, relationships } = await record(
    admin,
    { breaks_attributes, confirmed: true },
    { user: employee.id, area },
  );
  return { ...world, world, id, area, breakId: relationships['breaks']!.data[0]!.id };
}

type Confirmed = Awaited<ReturnType<typeof confirmed>>;

const update = (person: Person, id: string, attributes: object, relationships?: object) =>
  person.call('updateTimeTracking', {
    params: { time_tracking_id: id },
    body: bodyOf('time_tracking', attributes, relationships),
  });

const isConfirmed = async ({ admin }: Pick<World, 'admin'>, id: string): Promise<boolean> =>
  (await admin.call('getTimeTracking', { params: { time_tracking_id: id } })).body.data.attributes.confirmed;

const lost = 'The time tracking is no longer confirmed, because employee changed it and may not confirm it.';

/** Every way to change what was confirmed. */
const changes: [string, (person: Person, tracking: Confirmed) => Promise<{ status: number }>][] = [
  ['the start', (person, { id }) => update(person, id, { starts_at: '2026-01-05T07:00:00Z' })],
  ['the end', (person, { id }) => update(person, id, { ends_at: '2026-01-05T11:00:00Z' })],
  ['the area', (person, { id }) => update(person, id, {}, { area: { data: null } })],
  [
    'a break that is added with the time tracking',
    (person, { id }) =>
      update(person, id, {
        breaks_attributes: [{ starts_at: '2026-01-05T09:00:00Z', ends_at: '2026-01-05T09:10:00Z' }],
      }),
  ],
  [
    'a new break',
    (person, { id }) =>
      person.call('createBreak', {
        params: { time_tracking_id: id },
        body: bodyOf('break', { starts_at: '2026-01-05T09:00:00Z', ends_at: '2026-01-05T09:10:00Z' }),
      }),
  ],
  [
    'the times of a break',
    (person, { id, breakId }) =>
      person.call('updateBreak', {
        params: { time_tracking_id: id, break_id: breakId },
        body: bodyOf('break', { ends_at: '2026-01-05T08:35:00Z' }),
      }),
  ],
  [
    'the end of a break that is deleted',
    (person, { id, breakId }) => person.call('deleteBreak', { params: { time_tracking_id: id, break_id: breakId } }),
  ],
];

describe('a confirmed time tracking', () => {
  for (const [what, change] of changes) {
    it(`200 is set back with a note when its user changes ${what}, and stays confirmed when an admin does`, async () => {
      const [byUser, byAdmin] = [await confirmed(), await confirmed()];
      expect((await change(byUser.employee, byUser)).status).toBeLessThan(300);
      expect(await isConfirmed(byUser, byUser.id)).toBe(false);
      expect((await systemNotes(byUser.admin, byUser.id)).at(-1)).toBe(lost);
      expect((await change(byAdmin.admin, byAdmin)).status).toBeLessThan(300);
      expect(await isConfirmed(byAdmin, byAdmin.id)).toBe(true);
    });
  }

  it('200 stays confirmed when its user sends what it has already', async () => {
    const { admin, employee, id, area, breakId } = await confirmed();
    const before = await systemNotes(admin, id);
    const same = {
      starts_at: '2026-01-05T09:00:00.700+01:00',
      ends_at: '2026-01-05T10:00:00Z',
      user_id: employee.id,
      breaks_attributes: [{ id: breakId, starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }],
    };
    expect((await update(employee, id, same, { area: { data: { type: 'area', id: area } } })).status).toBe(200);
    expect(await isConfirmed({ admin }, id)).toBe(true);
    expect(await systemNotes(admin, id)).toEqual(before);
  });

  it('200 stays confirmed when its user tags it or writes a note: neither changes the time', async () => {
    const { world, admin, employee, id } = await confirmed();
    await admin.call('updateWorkspace', {
      body: bodyOf('workspace', { allow_employees_tag_working_sessions: true }),
    });
    const tag = await tagTitled(world, 'Late');
    expect((await update(employee, id, {}, { tags: { data: [{ type: 'tag', id: tag }] } })).status).toBe(200);
    const note = { params: { time_tracking_id: id }, body: bodyOf('note', { content: 'I was late.' }) };
    expect((await employee.call('createTimeTrackingNote', note)).status).toBe(201);
    expect(await isConfirmed({ admin }, id)).toBe(true);
  });

  it('200 is set back by an area admin who moves it to where they may not confirm it', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin', 'Ada');
    const inside = await areaWith(world, 'Bar', [areaAdmin]);
    const outside = await areaWith(world, 'Kitchen');
    const made = () => record(world.admin, { confirmed: true }, { user: world.employee.id, area: inside });
    const [moved, longer] = [await made(), await made()];
    const areaOf = (id: string) => ({ area: { data: { type: 'area', id } } });
    expect((await update(areaAdmin, longer.id, { ends_at: '2026-01-05T11:00:00Z' })).status).toBe(200);
    expect(await isConfirmed(world, longer.id)).toBe(true);
    expect((await update(areaAdmin, moved.id, {}, areaOf(outside))).body.data.attributes.confirmed).toBe(false);
  });

  it('200 is set back once, with a note in the same change', async () => {
    const { admin, employee, id } = await confirmed();
    for (const ends_at of ['2026-01-05T11:00:00Z', '2026-01-05T12:00:00Z'])
      expect((await update(employee, id, { ends_at })).status).toBe(200);
    const notes = await systemNotes(admin, id);
    expect(notes.filter((note) => note === lost)).toHaveLength(1);
    expect(notes.at(-2)).toBe(lost);
  });
});
