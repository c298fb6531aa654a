import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { readableFiles } from '../../../../support/records.ts';
import {
  areaWith,
  openBreak,
  punched,
  record,
  systemNotes,
  tagTitled,
  trackingBody,
} from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

const uuid = '0b9f4c1e-3c7d-4c55-8a35-6f2f6d1f0a77';

const shown = async (world: World, id: string) =>
  (await world.admin.call('getTimeTracking', { params: { time_tracking_id: id } })).body.data as {
    attributes: Record<string, unknown>;
    relationships: Record<string, { data: unknown }>;
  };

describe('getTimeTracking', () => {
  it('200 by either form of a punched one’s id, which is always shown as the UUID', async () => {
    const world = await newWorld();
    const { id } = await punched(world, world.employee.id, uuid);
    for (const name of [String(id), uuid, uuid.toUpperCase()]) {
      const { status, body } = await world.employee.call('getTimeTracking', { params: { time_tracking_id: name } });
      expect([status, body.data.id]).toEqual([200, uuid]);
    }
  });

  it('200 with everything included, each record once', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [area, tag] = [await areaWith(world, 'Bar'), await tagTitled(world, 'Night')];
    const breaks = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }];
    const { id } = await record(admin, { breaks_attributes: breaks }, { user: employee.id, area, tags: [tag] });
    await admin.call('createTimeTrackingFollowers', {
      params: { time_tracking_id: id },
      body: bodyOf('follower', { follower_ids: [admin.id] }),
    });
    const include = 'workspace, user, area, tags, breaks, followers, last_editor, notes, attachments, signatures';
    const { status, body } = await admin.call('getTimeTracking', {
      params: { time_tracking_id: id },
      query: { include },
    });
    expect(status).toBe(200);
    const kinds = body.included.map((record: { type: string }) => record.type).sort();
    expect(kinds).toEqual(['area', 'break', 'note', 'note', 'tag', 'user_overview', 'user_overview', 'workspace']);
    const { body: empty } = await admin.call('getTimeTracking', {
      params: { time_tracking_id: id },
      query: 'include=signatures',
    });
    expect(empty.included).toEqual([]);
  });

  it('200 with the permissions that were asked for', async () => {
    const world = await newWorld();
    const { id } = await record(world.employee);
    const of = async (person: World['admin'], permissions: string) =>
      (await person.call('getTimeTracking', { params: { time_tracking_id: id }, query: { permissions } })).body.data
        .attributes.permissions;
    expect(await of(world.employee, '')).toEqual({ read: true, update: true, destroy: false });
    expect(await of(world.admin, 'destroy, nonsense')).toEqual({ destroy: true });
  });

  it('200 for a follower', async () => {
    const world = await newWorld();
    const follower = await world.addMember('employee', 'follower');
    const { id } = await record(world.employee);
    const params = { time_tracking_id: id };
    expect((await follower.call('getTimeTracking', { params })).status).toBe(403);
    await world.admin.call('createTimeTrackingFollowers', {
      params,
      body: bodyOf('follower', { follower_ids: [follower.id] }),
    });
    expect((await follower.call('getTimeTracking', { params })).status).toBe(200);
    expect((await follower.call('updateTimeTracking', { params, body: bodyOf('time_tracking', {}) })).status).toBe(403);
  });

  it('400 for an unknown include, naming the known ones', async () => {
    const { admin } = await newWorld();
    const { id } = await record(admin);
    const response = await admin.call('getTimeTracking', { params: { time_tracking_id: id }, query: 'include=shifts' });
    expect([response.status, pointersIn(response)]).toEqual([400, ['include']]);
    expect(titlesIn(response)[0]).toContain('last_editor');
  });

  it('403 for a colleague, 404 for an unknown one', async () => {
    const { admin, employee, stranger } = await newWorld();
    const { id } = await record(admin);
    expect((await employee.call('getTimeTracking', { params: { time_tracking_id: id } })).status).toBe(403);
    expect((await stranger.call('getTimeTracking', { params: { time_tracking_id: id } })).status).toBe(404);
    for (const wrong of ['abc', '22_22', '99999999999999999999', '0', '-1', uuid, '1.5']) {
      expect((await admin.call('getTimeTracking', { params: { time_tracking_id: wrong } })).status).toBe(404);
    }
  });

  it('404 in another workspace of the same account', async () => {
    const { admin } = await newWorld();
    const { id } = await record(admin);
    const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Second' }) });
    expect(
      (await admin.call('getTimeTracking', { params: { workspace_id: body.data.id, time_tracking_id: id } })).status,
    ).toBe(404);
  });
});

describe('deleteTimeTracking', () => {
  it('200 returns it without its notes, and deletes it with all related records', async () => {
    const world = await newWorld();
    const { admin, db, accountId } = world;
    const made = await record(admin, {
      breaks_attributes: [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }],
    });
    const params = { time_tracking_id: made.id };
    const files = [{ field: 'files', name: 'a.txt', bytes: Buffer.from('a') }];
    expect((await admin.call('createTimeTrackingAttachments', { params, files })).status).toBe(201);
    const { status, body } = await admin.call('deleteTimeTracking', { params });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: made.id,
      attributes: { gross_time: 2, system_notes_count: 0 },
      relationships: { notes: { data: [] } },
    });
    expect((await admin.call('getTimeTracking', { params })).status).toBe(404);
    for (const table of ['time_trackings', 'breaks', 'notes', 'attachments'] as const) {
      expect(await db.selectFrom(table).select('account_id').where('account_id', '=', accountId).execute()).toEqual([]);
    }
    expect(await readableFiles(world)).toBe(0);
  });

  it('200 withdraws the warnings that it caused', async () => {
    const { admin, db, accountId } = await newWorld();
    await record(admin);
    const { id } = await record(admin);
    const warnings = () =>
      db
        .selectFrom('notifications')
        .select('rule')
        .where('account_id', '=', accountId)
        .where('rule', '=', 'overlap')
        .execute();
    expect(await warnings()).toHaveLength(2);
    await admin.call('deleteTimeTracking', { params: { time_tracking_id: id } });
    expect(await warnings()).toEqual([]);
  });

  it('403 for its owner, 404 for an unknown one', async () => {
    const { admin, employee } = await newWorld();
    const { id } = await record(employee);
    expect((await employee.call('deleteTimeTracking', { params: { time_tracking_id: id } })).status).toBe(403);
    expect((await admin.call('deleteTimeTracking', { params: { time_tracking_id: 'abc' } })).status).toBe(404);
  });
});

describe('confirmTimeTracking', () => {
  it('200 confirms it with a system note, and changes nothing the second time', async () => {
    const { admin, employee } = await newWorld();
    const { id } = await record(employee);
    const params = { time_tracking_id: id };
    const first = await admin.call('confirmTimeTracking', { params });
    expect(first.status).toBe(200);
    expect(first.body.data.attributes).toMatchObject({
      confirmed: true,
      last_update_by: admin.id,
      system_notes_count: 2,
    });
    expect((await systemNotes(admin, id)).at(-1)).toBe('admin confirmed the time tracking.');
    const second = await admin.call('confirmTimeTracking', { params });
    expect(second.body.data).toEqual(first.body.data);
  });

  it('403 while it is running', async () => {
    const { admin } = await newWorld();
    const { id } = await record(admin, { ends_at: null });
    const response = await admin.call('confirmTimeTracking', { params: { time_tracking_id: id } });
    expect([response.status, titlesIn(response)]).toEqual([
      403,
      ['The time tracking is running and can be confirmed only once it has ended.'],
    ]);
  });

  it('403 for its owner, and for an area admin who only follows it; 404 for an unknown one', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    const { id } = await record(world.employee);
    const params = { time_tracking_id: id };
    await world.admin.call('createTimeTrackingFollowers', {
      params,
      body: bodyOf('follower', { follower_ids: [areaAdmin.id] }),
    });
    expect((await areaAdmin.call('getTimeTracking', { params })).status).toBe(200);
    expect((await areaAdmin.call('confirmTimeTracking', { params })).status).toBe(403);
    expect((await world.employee.call('confirmTimeTracking', { params })).status).toBe(403);
    expect((await world.admin.call('confirmTimeTracking', { params: { time_tracking_id: uuid } })).status).toBe(404);
  });
});

describe('what happens elsewhere', () => {
  it('deleteUser ends what is running, with its open break, and its record stays', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { id } = await record(employee, { starts_at: '2026-01-05T08:00:00Z', ends_at: null });
    await openBreak(world, id);
    expect((await admin.call('deleteUser', { params: { user_id: employee.id } })).status).toBe(200);
    const { body } = await admin.call('getTimeTracking', { params: { time_tracking_id: id }, query: 'include=user' });
    expect(body.data.attributes).toMatchObject({ current_status: 'finished', last_update_by: employee.id });
    expect(body.data.attributes.break_time).toBeCloseTo(body.data.attributes.gross_time - 1, 1);
    expect(body.included).toMatchObject([
      { type: 'user_overview', attributes: { username: 'employee', status: 'inactive' } },
    ]);
    expect((await systemNotes(admin, id)).at(-1)).toBe('admin deleted the user, which ended the time tracking.');
  });

  it('deleteUser ends one that has not even begun', async () => {
    const { admin, employee } = await newWorld();
    const future = { starts_at: '2999-01-05T08:00:00Z', ends_at: null };
    const { id } = await record(admin, future, { user: employee.id });
    expect((await admin.call('deleteUser', { params: { user_id: employee.id } })).status).toBe(200);
    const { body } = await admin.call('getTimeTracking', { params: { time_tracking_id: id } });
    expect(body.data.attributes.ends_at).toBe('2999-01-05T08:00:01Z');
  });

  it('deleteUser ends one that has been running for a century', async () => {
    const { admin, employee } = await newWorld();
    const { id } = await record(employee, { starts_at: '1900-01-01T00:00:00Z', ends_at: null });
    expect((await admin.call('deleteUser', { params: { user_id: employee.id } })).status).toBe(200);
    const { body } = await admin.call('getTimeTracking', { params: { time_tracking_id: id } });
    expect(body.data.attributes.gross_time).toBeGreaterThan(1_000_000);
  });

  it('deleteArea at the same moment leaves no tracking in an area that is gone', async () => {
    const world = await newWorld();
    for (const name of ['Bar', 'Kitchen', 'Cellar']) {
      const area = await areaWith(world, name);
      await Promise.all([
        world.admin.call('createTimeTracking', { body: trackingBody({}, { area }) }),
        world.admin.call('deleteArea', { params: { area_id: area } }),
        world.admin.call('createTimeTracking', { body: trackingBody({}, { area }) }),
      ]);
    }
    const { body } = await world.admin.call('listTimeTrackings');
    for (const { relationships } of body.data) expect(relationships).not.toHaveProperty('area');
  });

  it('deleteArea takes trackings out of the area', async () => {
    const world = await newWorld();
    const area = await areaWith(world, 'Bar');
    const { id } = await record(world.admin, {}, { area });
    expect((await shown(world, id)).relationships).toHaveProperty('area');
    await world.admin.call('deleteArea', { params: { area_id: area } });
    expect((await shown(world, id)).relationships).not.toHaveProperty('area');
  });

  it('a running tracking that was punched shows its UUID with the user', async () => {
    const world = await newWorld();
    const { id } = await punched(world, world.employee.id, uuid);
    const running = () =>
      world.admin
        .call('getUser', { params: { user_id: world.employee.id } })
        .then(({ body }) => body.data.attributes.running_time_tracking);
    expect(await running()).toBeNull();
    await world.db
      .updateTable('time_trackings')
      .set({ ends_at: null })
      .where('account_id', '=', world.accountId)
      .where('id', '=', id)
      .execute();
    expect(await running()).toBe(uuid);
  });
});
