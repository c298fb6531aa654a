import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { areaWith, openBreak, punched, record, systemNotes, tagTitled } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

const uuid = '0b9f4c1e-3c7d-4c55-8a35-6f2f6d1f0a77';

const shown = async (world: World, id: string) =>
  (await world.admin.call('getTimeTracking', { params: { time_tracking_id: id } })).body.data as {
    attributes: Record<string, unknown>;
    relationships: Record<string, { data: unknown }>;
  };

const allow = async ({ admin }: World, settings: object) =>
  expect((await admin.call('updateWorkspace', { body: bodyOf('workspace', settings) })).status).toBe(200);

describe('updateTimeTracking', () => {
  const update = (person: World['admin'], id: string, attributes: object, relationships?: object) =>
    person.call('updateTimeTracking', {
      params: { time_tracking_id: id },
      body: bodyOf('time_tracking', attributes, relationships),
    });

  it('200 changes times, breaks, area and tags, a system note each with old and new value', async () => {
    const world = await newWorld();
    const [bar, kitchen] = [await areaWith(world, 'Bar'), await areaWith(world, 'Kitchen')];
    const [night, late] = [await tagTitled(world, 'Night'), await tagTitled(world, 'Late')];
    const breaks = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }];
    const made = await record(
      world.admin,
      { breaks_attributes: breaks },
      { user: world.employee.id, area: bar, tags: [night] },
    );
    const { status, body } = await update(
      world.admin,
      made.id,
      {
        ends_at: '2026-01-05T11:00:00Z',
        breaks_attributes: [
          { id: made.relationships['breaks']!.data[0]!.id, ends_at: '2026-01-05T08:45:00Z' },
          { starts_at: '2026-01-05T10:00:00Z', ends_at: '2026-01-05T10:15:00Z' },
        ],
      },
      { area: { data: { type: 'area', id: kitchen } }, tags: { data: [{ type: 'tag', id: late }] } },
    );
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      ends_at: '2026-01-05T11:00:00Z',
      actual_ends_at: '2026-01-05T10:00:00Z',
      gross_time: 3,
      break_time: 0.5,
      net_time: 2.5,
      break_duration: 1800,
      system_notes_count: 6,
    });
    expect(body.data.relationships).toMatchObject({ area: { data: { id: kitchen } }, tags: { data: [{ id: late }] } });
    expect(await systemNotes(world.admin, made.id)).toEqual([
      'admin created the time tracking.',
      'admin recorded the breaks: 2026-01-05T09:30:00+01:00 – 2026-01-05T09:40:00+01:00.',
      'admin changed the times from 2026-01-05T09:00:00+01:00 – 2026-01-05T11:00:00+01:00 to 2026-01-05T09:00:00+01:00 – 2026-01-05T12:00:00+01:00.',
      'admin changed the breaks from 2026-01-05T09:30:00+01:00 – 2026-01-05T09:40:00+01:00 to 2026-01-05T09:30:00+01:00 – 2026-01-05T09:45:00+01:00; 2026-01-05T11:00:00+01:00 – 2026-01-05T11:15:00+01:00.',
      'admin changed the area from "Bar" to "Kitchen".',
      'admin changed the tags from "Night" to "Late".',
    ]);
  });

  it('200 takes it out of its area, removes its tags and a break', async () => {
    const world = await newWorld();
    const [area, tag] = [await areaWith(world, 'Bar'), await tagTitled(world, 'Night')];
    const breaks = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }];
    const made = await record(world.admin, { breaks_attributes: breaks }, { area, tags: [tag] });
    const destroyed = [{ id: Number(made.relationships['breaks']!.data[0]!.id), _destroy: true }];
    const { body } = await update(
      world.admin,
      made.id,
      { breaks_attributes: destroyed },
      { area: { data: null }, tags: { data: [] } },
    );
    expect(body.data.relationships).toMatchObject({ breaks: { data: [] }, tags: { data: [] } });
    expect(body.data.relationships).not.toHaveProperty('area');
    expect(body.data.attributes).toMatchObject({ break_duration: null, break_time: 0, system_notes_count: 5 });
  });

  it('200 writes nothing if nothing changes', async () => {
    const world = await newWorld();
    const made = await record(world.employee);
    const { status, body } = await update(world.admin, made.id, {
      starts_at: '2026-01-05T09:00:00+01:00',
      breaks_attributes: [],
    });
    expect(status).toBe(200);
    expect(body.data).toEqual(made);
  });

  it('200 finishes a running one, with the break that is open; then null makes it run again', async () => {
    const world = await newWorld();
    const { employee, db, accountId } = world;
    const { id } = await record(employee, { starts_at: '2026-01-05T08:00:00Z', ends_at: null });
    await openBreak(world, id);
    await db
      .updateTable('time_trackings')
      .set({ breaks_s: 0 })
      .where('account_id', '=', accountId)
      .where('id', '=', Number(id))
      .execute();
    const finished = await update(employee, id, { ends_at: '2026-01-05T09:30:00Z' });
    expect(finished.body.data.attributes).toMatchObject({
      current_status: 'finished',
      gross_time: 1.5,
      break_time: 0.5,
      actual_ends_at: '2026-01-05T09:30:00Z',
    });
    const again = await update(employee, id, { ends_at: null });
    expect(again.body.data.attributes).toMatchObject({
      current_status: 'running',
      ends_at: null,
      actual_ends_at: null,
      break_duration: 1800,
    });
    const last = await update(employee, id, { ends_at: '2026-01-05T10:00:00Z' });
    expect(last.body.data.attributes).toMatchObject({ gross_time: 2, actual_ends_at: '2026-01-05T09:30:00Z' });
  });

  it('200 moves it to another user', async () => {
    const world = await newWorld();
    const { id } = await record(world.admin);
    const { status, body } = await update(world.admin, id, { user_id: world.employee.id });
    expect([status, body.data.relationships.user.data.id]).toEqual([200, String(world.employee.id)]);
    expect((await systemNotes(world.admin, id)).at(-1)).toBe('admin changed the user from "admin" to "employee".');
  });

  it('200 keeps an inactive tag that it carries already', async () => {
    const world = await newWorld();
    const tag = await tagTitled(world, 'Night');
    const { id } = await record(world.admin, {}, { tags: [tag] });
    await world.admin.call('updateTag', { params: { tag_id: tag }, body: bodyOf('tag', { active: false }) });
    expect((await update(world.admin, id, {}, { tags: { data: [{ type: 'tag', id: tag }] } })).status).toBe(200);
  });

  it('200 notifies the followers and the user, but not the actor', async () => {
    const world = await newWorld();
    const follower = await world.addMember('employee', 'follower');
    const { id } = await record(world.employee);
    const body = bodyOf('follower', { follower_ids: [follower.id, world.admin.id] });
    await world.admin.call('createTimeTrackingFollowers', { params: { time_tracking_id: id }, body });
    await update(world.admin, id, { ends_at: '2026-01-05T11:00:00Z' });
    const told = await world.db
      .selectFrom('notifications')
      .selectAll()
      .where('account_id', '=', world.accountId)
      .where('type', '=', 'notification')
      .orderBy('id')
      .execute();
    expect(told.map(({ user_id, time_tracking_id }) => [user_id, String(time_tracking_id)])).toEqual([
      [follower.id, id],
      [world.employee.id, id],
    ]);
    expect(told[0]!.message).toContain('admin changed the times from');
  });

  it('400 names every problem at once, and writes nothing', async () => {
    const world = await newWorld();
    const other = await newWorld();
    const breaks = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }];
    const made = await record(world.admin, { breaks_attributes: breaks });
    const response = await update(
      world.admin,
      made.id,
      {
        starts_at: '2026-01-05T08:35:00Z',
        user_id: other.employee.id,
        breaks_attributes: [{ id: 999_999, _destroy: true }],
      },
      { area: { data: { type: 'area', id: 'abc' } }, tags: { data: [{ type: 'tag', id: 999_999 }] } },
    );
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual(['area', 'breaks_attributes/0/id', 'starts_at', 'tags', 'user_id']);
    expect(await shown(world, made.id)).toEqual(made);
  });

  it('400 for a break without times, a null start, and a wrong type', async () => {
    const { admin } = await newWorld();
    const { id } = await record(admin);
    const response = await admin.call('updateTimeTracking', {
      params: { time_tracking_id: id },
      body: { data: { type: 'tracking', attributes: { starts_at: null, breaks_attributes: [{ _destroy: true }] } } },
    });
    expect(response.status).toBe(400);
    expect([...new Set(pointersIn(response))].sort()).toEqual([
      'breaks_attributes/0/ends_at',
      'breaks_attributes/0/starts_at',
      'starts_at',
      'type',
    ]);
  });

  it('400 makes a confirmed one run again, or a second one run', async () => {
    const world = await newWorld();
    const confirmed = await record(world.admin, { confirmed: true });
    expect(pointersIn(await update(world.admin, confirmed.id, { ends_at: null }))).toEqual(['ends_at']);
    await record(world.employee, { ends_at: null });
    const finished = await record(world.employee);
    expect(titlesIn(await update(world.employee, finished.id, { ends_at: null }))[0]).toContain(
      'already running since',
    );
    const running = await record(world.admin, { ends_at: null });
    expect(titlesIn(await update(world.admin, running.id, { user_id: world.employee.id }))[0]).toContain(
      'already running since',
    );
  });

  it('403 for a punched one, the area, the tags and the user, until the workspace allows it', async () => {
    const world = await newWorld();
    const { employee } = world;
    await punched(world, employee.id, uuid);
    const { id } = await record(employee);
    const [area, tag] = [await areaWith(world, 'Bar'), await tagTitled(world, 'Night')];
    const tries = async () =>
      Promise.all([
        update(employee, uuid, { ends_at: '2026-01-06T11:00:00Z' }),
        update(employee, id, {}, { area: { data: { type: 'area', id: area } } }),
        update(employee, id, {}, { tags: { data: [{ type: 'tag', id: tag }] } }),
        update(employee, id, { user_id: world.admin.id }),
      ]).then((responses) => responses.map(({ status }) => status));
    await allow(world, { allow_employees_edit_working_session_area: false });
    expect(await tries()).toEqual([403, 403, 403, 403]);
    await allow(world, {
      allow_employees_edit_working_session_area: true,
      allow_employee_edit_punched_working_sessions: true,
      allow_employees_tag_working_sessions: true,
    });
    expect(await tries()).toEqual([200, 200, 200, 403]);
  });

  it('403 for an area admin who would give it to somebody outside their areas', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await areaWith(world, 'Bar', [areaAdmin]);
    const { id } = await record(areaAdmin);
    expect((await update(areaAdmin, id, { user_id: world.employee.id })).status).toBe(403);
  });

  it('403 for a colleague, 404 for an unknown one', async () => {
    const { admin, employee } = await newWorld();
    const { id } = await record(admin);
    expect((await update(employee, id, {})).status).toBe(403);
    expect((await update(admin, '999999', {})).status).toBe(404);
  });

  it('two concurrent changes leave the same as consecutive ones', async () => {
    const world = await newWorld();
    const { id } = await record(world.admin);
    const add = (from: string, to: string) =>
      update(world.admin, id, {
        breaks_attributes: [{ starts_at: `2026-01-05T${from}:00Z`, ends_at: `2026-01-05T${to}:00Z` }],
      });
    const responses = await Promise.all([add('08:00', '09:00'), add('08:30', '09:30'), add('08:45', '08:50')]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  });
});
