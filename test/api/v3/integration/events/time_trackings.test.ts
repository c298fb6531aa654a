import { describe, expect, it } from 'vitest';
import { changesIn, recorded } from '../../../../support/events/recorded.ts';
import { service } from '../../../../support/service.ts';
import { areaWith, record, tagTitled, trackingBody } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

const at = (id: string, rest: object = {}) => ({ params: { time_tracking_id: id }, ...rest });
const time = (hour: number) => `2026-01-05T${String(hour).padStart(2, '0')}:00:00.000Z`;
const drain = async () => (await service()).jobs.drain();

const batch = async ({ admin }: World, action: string, ids: readonly string[], rest: object = {}) => {
  const answer = await admin.call('batchTimeTrackings', { body: bodyOf('batch_action', { action, ids, ...rest }) });
  await drain();
  return answer.headers['x-request-id'] as string;
};

describe('events about a time tracking', () => {
  it('one for its creation, with breaks and tags, by whom and for whom', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const tag = Number(await tagTitled(world, 'Inventory'));
    const area = Number(await areaWith(world, 'Bar'));
    const breaks_attributes = [{ starts_at: '2026-01-05T10:00:00+01:00', ends_at: '2026-01-05T10:30:00+01:00' }];
    const created = await admin.call('createTimeTracking', {
      body: trackingBody({ breaks_attributes, external_id: 't-1' }, { user: employee.id, area, tags: [tag] }),
    });
    expect(await recorded(world, 'time_tracking')).toMatchObject([
      {
        name: 'time_tracking.created',
        workspace_id: world.workspaceId,
        record_id: created.body.data.id,
        record_uuid: null,
        external_id: 't-1',
        user_id: employee.id,
        actor_type: 'user',
        actor_id: String(admin.id),
        request_id: created.headers['x-request-id'],
        changes: {
          user_id: [null, employee.id],
          area_id: [null, area],
          starts_at: [null, time(8)],
          ends_at: [null, time(10)],
          breaks: [null, [{ starts_at: time(9), ends_at: '2026-01-05T09:30:00.000Z' }]],
          tag_ids: [null, [tag]],
          confirmed: [null, false],
        },
      },
    ]);
  });

  it('one for each change, break, tag, follower and confirmation', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { id } = await record(admin, {}, { user: employee.id });
    const pause = { starts_at: time(8), ends_at: time(9) };
    await admin.call('updateTimeTracking', at(id, { body: bodyOf('time_tracking', { ends_at: time(11) }) }));
    await admin.call('createBreak', at(id, { body: bodyOf('break', pause) }));
    const tag = await admin.call('createTimeTrackingTag', at(id, { body: bodyOf('tag', { title: 'Late' }) }));
    const followers = bodyOf('follower', { follower_ids: [employee.id] });
    await admin.call('createTimeTrackingFollowers', at(id, { body: followers }));
    await admin.call('createTimeTrackingFollowers', at(id, { body: followers }));
    await admin.call('deleteTimeTrackingFollower', { params: { time_tracking_id: id, follower_id: employee.id } });
    await admin.call('confirmTimeTracking', at(id));
    await admin.call('confirmTimeTracking', at(id));
    await admin.call('updateTimeTracking', at(id, { body: bodyOf('time_tracking', { confirmed: false }) }));
    await admin.call('updateTimeTracking', at(id, { body: bodyOf('time_tracking', { ends_at: time(11) }) }));
    const [, ...changes] = await changesIn(world, 'time_tracking');
    expect(changes).toEqual([
      { 'time_tracking.updated': { ends_at: [time(10), time(11)] } },
      { 'time_tracking.updated': { breaks: [[], [pause]] } },
      { 'time_tracking.updated': { tag_ids: [[], [Number(tag.body.data.id)]] } },
      { 'time_tracking.updated': { follower_ids: [[], [employee.id]] } },
      { 'time_tracking.updated': { follower_ids: [[employee.id], []] } },
      { 'time_tracking.confirmed': { confirmed: [false, true] } },
      { 'time_tracking.reset': { confirmed: [true, false] } },
    ]);
  });

  it('one for its deletion and one for its restoration, with what it was', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { id } = await record(admin, {}, { user: employee.id });
    await admin.call('deleteTimeTracking', at(id));
    await admin.call('restoreTimeTracking', at(id));
    const [, deleted, restored] = await recorded(world, 'time_tracking');
    const span = { starts_at: time(8), ends_at: time(10) };
    expect(deleted).toMatchObject({ name: 'time_tracking.deleted', record_id: id, user_id: employee.id });
    expect(deleted!.changes).toMatchObject({ starts_at: [span.starts_at, null], ends_at: [span.ends_at, null] });
    expect(restored).toMatchObject({ name: 'time_tracking.restored', record_id: id });
    expect(restored!.changes).toMatchObject({ starts_at: [null, span.starts_at], ends_at: [null, span.ends_at] });
  });

  it('none for a refused request, and none for the repetition of one', async () => {
    const world = await newWorld();
    const { admin } = world;
    const body = trackingBody({ ends_at: '2026-01-05T07:00:00Z' });
    expect((await admin.call('createTimeTracking', { body })).status).toBe(400);
    const headers = { 'Idempotency-Key': 'once-only' };
    for (let sent = 0; sent < 2; sent++)
      expect((await admin.call('createTimeTracking', { body: trackingBody(), headers })).status).toBe(201);
    expect(await recorded(world, 'time_tracking')).toHaveLength(1);
  });

  it('by the api_token in the public API, and one for all attributes', async () => {
    const world = await newWorld();
    const { employee, enterprise, workspaceId } = world;
    const area = await areaWith(world, 'Bar');
    const working_session = {
      location_id: workspaceId,
      working_area_id: area,
      user_id: employee.id,
      starts_at: time(8),
      ends_at: time(10),
    };
    const created = await enterprise('createWorkingSession', { body: { working_session } });
    const { id } = created.body;
    await enterprise('updateWorkingSession', {
      body: { working_session: { id, ends_at: time(9), external_id: 'till-8', manual_pause: 5 } },
    });
    await enterprise('confirmWorkingSession', { body: { working_session: { id } } });
    await enterprise('resetWorkingSession', { body: { working_session: { id } } });
    await enterprise('deleteWorkingSession', { body: { working_session: { id } } });
    const events = await recorded(world, 'time_tracking');
    const { id: token } = await world.db
      .selectFrom('api_tokens')
      .select('id')
      .where('account_id', '=', world.accountId)
      .executeTakeFirstOrThrow();
    expect(new Set(events.map(({ actor_type, actor_id }) => `${actor_type} ${actor_id}`))).toEqual(
      new Set([`api_token ${token}`]),
    );
    expect(events[0]).toMatchObject({ request_id: created.headers['x-request-id'], user_id: employee.id });
    expect(events[1]).toMatchObject({
      name: 'time_tracking.updated',
      external_id: 'till-8',
      changes: { ends_at: [time(10), time(9)], external_id: [null, 'till-8'], manual_pause_min: [null, 5] },
    });
    expect(events.slice(2).map(({ name }) => name)).toEqual([
      'time_tracking.confirmed',
      'time_tracking.reset',
      'time_tracking.deleted',
    ]);
  });
});

describe('events about many time trackings', () => {
  it('one for each of a batch, by its starter and with its request', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const tag = Number(await tagTitled(world, 'Fair'));
    const [{ id: one }, { id: other }] = [
      await record(admin, {}, { user: employee.id }),
      await record(admin, { starts_at: time(11), ends_at: time(12) }, { user: employee.id, tags: [tag] }),
    ];
    const requestId = await batch(world, 'confirm', [one, other]);
    await batch(world, 'unconfirm', [one]);
    await batch(world, 'tag', [one, other], { tag_ids: [tag] });
    await batch(world, 'follower', [other], { follower_ids: [admin.id] });
    await batch(world, 'destroy', [one]);
    const [, , ...events] = await recorded(world, 'time_tracking');
    expect(events.map(({ name, record_id }) => ({ name, record_id }))).toEqual([
      { name: 'time_tracking.confirmed', record_id: one },
      { name: 'time_tracking.confirmed', record_id: other },
      { name: 'time_tracking.reset', record_id: one },
      { name: 'time_tracking.updated', record_id: one },
      { name: 'time_tracking.updated', record_id: other },
      { name: 'time_tracking.deleted', record_id: one },
    ]);
    expect(events.slice(2, 5).map(({ changes }) => changes)).toEqual([
      { confirmed: [true, false] },
      { tag_ids: [[], [tag]] },
      { follower_ids: [[], [admin.id]] },
    ]);
    expect(events[0]).toMatchObject({
      actor_type: 'user',
      actor_id: String(admin.id),
      request_id: requestId,
      user_id: employee.id,
      workspace_id: world.workspaceId,
      changes: { confirmed: [false, true] },
    });
  });

  it('none for an item of a batch that is rolled back', async () => {
    const world = await newWorld();
    const { admin, employee, db, accountId } = world;
    const ids: string[] = [];
    for (const hour of [1, 3, 5])
      ids.push((await record(admin, { starts_at: time(hour), ends_at: time(hour + 1) }, { user: employee.id })).id);
    const closed = { account_id: accountId, workspace_id: world.workspaceId, user_id: employee.id };
    await db
      .insertInto('accounting_periods')
      .values({
        ...closed,
        month: '2026-01-01',
        begins_at: new Date(time(1)),
        ends_at: new Date(time(4)),
        all_s: 0,
        confirmed_s: 0,
        salary: 0,
        sums: '{}',
        days: '[]',
        closed_at: new Date(),
        closed_by_user_id: admin.id,
      })
      .execute();
    await batch(world, 'destroy', ids);
    const deleted = (await recorded(world, 'time_tracking')).filter(({ name }) => name === 'time_tracking.deleted');
    expect(deleted.map(({ record_id }) => record_id)).toEqual([ids[2]]);
  });

  it('one for each that loses its area or tag, and one for each that ends with its user', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const area = await areaWith(world, 'Bar');
    const tag = await tagTitled(world, 'Fair');
    await record(admin, {}, { user: employee.id, area, tags: [tag] });
    await employee.call('createAction', { body: bodyOf('action', { action_type: 'start' }) });
    await employee.call('createAction', { body: bodyOf('action', { action_type: 'start-break' }) });
    const before = (await recorded(world, 'time_tracking')).length;
    await admin.call('deleteArea', { params: { area_id: area } });
    await admin.call('deleteTag', { params: { tag_id: tag } });
    const deletion = await admin.call('deleteUser', { params: { user_id: employee.id } });
    expect(deletion.status).toBe(200);
    const events = (await recorded(world, 'time_tracking')).slice(before);
    expect(events).toMatchObject([
      { name: 'time_tracking.updated', actor_id: String(admin.id), changes: { area_id: [Number(area), null] } },
      { name: 'time_tracking.updated', user_id: employee.id, changes: { tag_ids: [[Number(tag)], []] } },
      { name: 'time_tracking.updated', request_id: deletion.headers['x-request-id'] },
    ]);
    expect(Object.keys(events[2]!.changes as object).sort()).toEqual(['breaks', 'ends_at']);
  });
});
