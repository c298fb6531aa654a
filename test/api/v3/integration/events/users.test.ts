import { describe, expect, it } from 'vitest';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { newEnterprise } from '../../../../support/enterprise.ts';
import { service } from '../../../../support/service.ts';
import { newEventsOf } from './recorded.ts';

describe('events about users', () => {
  it('say what was created, changed and deleted, by whom, and whom it concerns', async () => {
    const world = await newWorld();
    const { admin, workspaceId } = world;
    const newEvents = await newEventsOf(world);
    const born = { username: 'Robin', birthday: '1990-04-01', external_id: 'robin' };
    const created = await admin.call('createUser', { body: bodyOf('user', born) });
    const id = Number(created.body.data.id);
    const actor = { actor_type: 'user', actor_id: String(admin.id) };
    const about = { record_id: String(id), external_id: 'robin', user_id: id };
    expect(await newEvents()).toMatchObject([
      {
        name: 'user.created',
        ...actor,
        ...about,
        request_id: created.headers['x-request-id'],
        workspace_id: workspaceId,
        changes: {
          username: [null, 'Robin'],
          birthday: [null, '1990-04-01'],
          role: [null, 1],
          workspace_ids: [null, [workspaceId]],
          identifier_pin: [null, 'hidden'],
        },
      },
    ]);
    const params = { user_id: id };
    await admin.call('updateUser', { params, body: bodyOf('user', { username: 'Robin Baker' }) });
    // What belongs to the user in the whole account is told to the admins of all their workspaces.
    expect(await newEvents()).toEqual([
      expect.objectContaining({
        name: 'user.updated',
        ...about,
        workspace_id: null,
        changes: { username: ['Robin', 'Robin Baker'] },
      }),
    ]);
    await admin.call('updateUser', { params, body: bodyOf('user', { role_ids: [3] }) });
    expect(await newEvents()).toMatchObject([{ workspace_id: workspaceId, changes: { role: [1, 3] } }]);
    await admin.call('updateUser', { params, body: bodyOf('user', { username: 'Robin Baker' }) });
    expect(await newEvents()).toEqual([]);
    for (const status of ['inactive', 'inactive', 'active'])
      await admin.call('updateUserStatus', { params, body: bodyOf('user', { status }) });
    expect(await newEvents()).toMatchObject([
      { name: 'user.deactivated', ...actor, ...about, changes: { status: ['active', 'inactive'] } },
      { name: 'user.activated', ...actor, ...about, changes: { status: ['inactive', 'active'] } },
    ]);
    await admin.call('deleteUser', { params });
    expect(await newEvents()).toMatchObject([
      { name: 'user.deleted', ...about, workspace_id: workspaceId, changes: { username: ['Robin Baker', null] } },
    ]);
  });

  it('say which areas have got and lost a member', async () => {
    const world = await newEnterprise();
    const { admin, employee } = world;
    const [bar, kitchen] = [await world.newArea('Bar'), await world.newArea('Kitchen', { external_id: 'kitchen' })];
    const tag = await world.newTag('Night');
    await admin.call('updateArea', {
      params: { area_id: bar.id },
      body: bodyOf('area', { user_ids: [admin.id, employee.id] }),
    });
    const newEvents = await newEventsOf(world);
    const params = { user_id: employee.id };
    const type = await world.absenceType('vacation');
    const change = { area_ids: [kitchen.id], tag_ids: [tag], absence_type_ids: [type] };
    await admin.call('updateUser', { params, body: bodyOf('user', change) });
    expect(await newEvents()).toMatchObject([
      { name: 'area.updated', record_id: String(bar.id), changes: { user_ids: [[admin.id, employee.id], [admin.id]] } },
      {
        name: 'area.updated',
        record_id: String(kitchen.id),
        external_id: 'kitchen',
        changes: { user_ids: [[], [employee.id]] },
      },
      {
        name: 'user.updated',
        user_id: employee.id,
        changes: {
          area_ids: [[bar.id], [kitchen.id]],
          tag_ids: [[], [tag]],
          absence_type_ids: [expect.any(Array), [type]],
        },
      },
    ]);
  });

  it('are an update where a user stays in another workspace', async () => {
    const world = await newEnterprise();
    const { id: elsewhere } = await world.newLocation('Elsewhere');
    const locations = `${world.workspaceId},${elsewhere}`;
    const { id } = await world.newUser({ location_ids: locations });
    const workspaceAdmin = await world.addMember('workspaceAdmin');
    const newEvents = await newEventsOf(world);
    await workspaceAdmin.call('deleteUser', { params: { user_id: id } });
    expect(await newEvents()).toMatchObject([
      {
        name: 'user.updated',
        user_id: id,
        workspace_id: world.workspaceId,
        changes: { workspace_ids: [[world.workspaceId, elsewhere], [elsewhere]], role: [1, null] },
      },
    ]);
  });

  it('name the api_token of the public API, and fields of the data profile', async () => {
    const world = await newEnterprise();
    const newEvents = await newEventsOf(world);
    const { id } = await world.newUser({ username: 'Erika', data_profiles: { phone: '123' } });
    const { id: tokenId } = await world.db
      .selectFrom('api_tokens')
      .select('id')
      .where('account_id', '=', world.accountId)
      .executeTakeFirstOrThrow();
    const actor = { actor_type: 'api_token', actor_id: tokenId, request_id: expect.any(String) };
    expect(await newEvents()).toMatchObject([
      {
        name: 'user.created',
        ...actor,
        user_id: id,
        workspace_id: world.workspaceId,
        changes: { 'data_profile.phone': [null, '123'] },
      },
    ]);
    await world.enterprise('updatePublicUser', { body: { user: { id, data_profiles: { phone: '456' } } } });
    await world.enterprise('deactivatePublicUser', { body: { user: { id } } });
    await world.enterprise('deletePublicUser', { body: { user: { id } } });
    expect(await newEvents()).toMatchObject([
      { name: 'user.updated', ...actor, changes: { 'data_profile.phone': ['123', '456'] } },
      { name: 'user.deactivated', ...actor },
      { name: 'user.deleted', ...actor },
    ]);
  });

  it('say what users decide for themselves', async () => {
    const world = await newWorld();
    const { employee } = world;
    const newEvents = await newEventsOf(world);
    await employee.call('updateCurrentUser', { body: bodyOf('user', { mail_notifications: true }) });
    const params = { user_id: employee.id, preference_id: 3 };
    await employee.call('updatePreference', { params, body: bodyOf('preference', { value: { user: false } }) });
    await employee.call('deletePreference', { params });
    await employee.call('deletePreference', { params });
    const own = { actor_id: String(employee.id), user_id: employee.id };
    const byDefault = { days: true, tags: true, type: true, dates: true, employee: true };
    expect(await newEvents()).toMatchObject([
      { name: 'user.updated', ...own, changes: { mail_notifications: [false, true] } },
      { name: 'preference.updated', ...own, record_id: '3', changes: { value: [byDefault, { user: false }] } },
      { name: 'preference.updated', ...own, record_id: '3', changes: { value: [{ user: false }, byDefault] } },
    ]);
    await world.admin.call('switchRole', {});
    await world.admin.call('switchRole', {});
    const switched = { user_id: world.admin.id, workspace_id: world.workspaceId };
    expect(await newEvents()).toMatchObject([
      { name: 'assumed_role.created', ...switched },
      { name: 'assumed_role.deleted', ...switched },
    ]);
  });
});

describe('events about what a user has', () => {
  it('say what happened to target hours', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const newEvents = await newEventsOf(world);
    const week = { start_date: '2026-03-01', is_mon: true, mon: 8 };
    const { status, body } = await admin.call('createTargetHour', {
      params: { user_id: employee.id },
      body: bodyOf('target_hour', week),
    });
    expect([status, body.errors]).toEqual([201, undefined]);
    const params = { user_id: employee.id, target_hour_id: body.data.id };
    await admin.call('updateTargetHour', { params, body: bodyOf('target_hour', { start_date: '2026-04-01' }) });
    await admin.call('deleteTargetHour', { params });
    const about = { record_id: body.data.id, user_id: employee.id, actor_id: String(admin.id) };
    expect(await newEvents()).toMatchObject([
      { name: 'target_hour.created', ...about, changes: { start_date: [null, '2026-03-01'] } },
      { name: 'target_hour.updated', ...about, changes: { start_date: ['2026-03-01', '2026-04-01'] } },
      { name: 'target_hour.deleted', ...about, changes: { start_date: ['2026-04-01', null] } },
    ]);
  });

  it('say what happened to vacation entitlements, also to generated ones', async () => {
    const world = await newEnterprise();
    const { enterprise, employee, admin } = world;
    const newEvents = await newEventsOf(world);
    const times = { title: 'Vacation', user_id: employee.id, planned_days: 28 };
    const { body } = await enterprise('createVacationEntitlement', { body: { vacation_times: times } });
    const { id } = body.vacation_times[0];
    await enterprise('updateVacationEntitlement', { body: { vacation_times: { id, planned_days: 30 } } });
    await enterprise('deleteVacationEntitlement', { body: { vacation_times: { id } } });
    const about = { actor_type: 'api_token', record_id: String(id), user_id: employee.id };
    expect(await newEvents()).toMatchObject([
      { name: 'vacation_entitlement.created', ...about, changes: { planned_days: [null, 28] } },
      { name: 'vacation_entitlement.updated', ...about, changes: { planned_days: [28, 30] } },
      { name: 'vacation_entitlement.deleted', ...about, changes: { planned_days: [30, null] } },
    ]);
    const generated = { action: 'generate', year: 2027, days: 24, user_ids: [admin.id, employee.id] };
    const generate = (more: object) =>
      admin.call('batchVacationEntitlements', { body: bodyOf('batch_action', { ...generated, ...more }) });
    await generate({ dry_run: true });
    expect(await newEvents()).toEqual([]);
    await generate({});
    const names = (await newEvents()).map(({ name, user_id }) => [name, user_id]);
    expect(names).toEqual([
      ['vacation_entitlement.created', admin.id],
      ['vacation_entitlement.created', employee.id],
    ]);
  });

  it('say who deleted which notification, also in batches', async () => {
    const world = await newWorld();
    const { db, accountId, workspaceId, admin } = world;
    const now = new Date();
    const notices = ['One', 'Two', 'Three'].map((title) => ({
      ...{ account_id: accountId, workspace_id: workspaceId, user_id: admin.id, type: 'notification' },
      ...{ title, message: title, created_at: now, updated_at: now },
    }));
    const [one, ...others] = await db.insertInto('notifications').values(notices).returning('id').execute();
    const newEvents = await newEventsOf(world);
    await admin.call('deleteNotification', { params: { notification_id: one!.id }, query: 'type=notification' });
    const own = { actor_type: 'user', actor_id: String(admin.id), user_id: admin.id };
    expect(await newEvents()).toMatchObject([
      { name: 'notification.deleted', ...own, record_id: String(one!.id), changes: { title: ['One', null] } },
    ]);
    const ids = others.map(({ id }) => id);
    await admin.call('batchNotifications', { body: bodyOf('batch_action', { action: 'destroy', ids }) });
    await (await service()).jobs.drain();
    expect(await newEvents()).toMatchObject([
      { name: 'notification.deleted', ...own, changes: { title: ['Two', null] } },
      { name: 'notification.deleted', ...own, changes: { title: ['Three', null] } },
    ]);
  });
});
