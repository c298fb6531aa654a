import { describe, expect, it } from 'vitest';
import { punch, at, trackingsOf, area } from '../../../../support/punches.ts';
import { statementsDuring } from '../../../../support/database/statements.ts';
import { areaWith } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

describe('listActions', () => {
  const usersIn = (body: { data: { relationships: { user: { data: { id: string } } } }[] }): number[] =>
    body.data.map(({ relationships }) => Number(relationships.user.data.id));

  it('200 with what each may see, by time', async () => {
    const world = await newWorld();
    const { areaAdmin, member } = await area(world);
    await punch(member, 'start', { action_time: at('09:00:00') });
    await punch(world.employee, 'start', { action_time: at('08:00:00') });
    await punch(areaAdmin, 'start', { action_time: at('07:00:00') });
    expect(usersIn((await world.employee.call('listActions')).body)).toEqual([world.employee.id]);
    expect(usersIn((await areaAdmin.call('listActions')).body)).toEqual([areaAdmin.id, member.id]);
    const { body } = await world.admin.call('listActions', { query: { include: 'user, workspace' } });
    expect(usersIn(body)).toEqual([areaAdmin.id, world.employee.id, member.id]);
    expect(body.included).toHaveLength(4);
  });

  it('200 with nothing of another account', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    await punch(other.employee, 'start');
    expect((await world.admin.call('listActions')).body.data).toEqual([]);
  });

  it('200 filtered and sorted by every attribute', async () => {
    const world = await newWorld();
    const ids: string[] = [];
    for (const [type, time] of [
      ['start', '08:00:00'],
      ['end', '09:00:00'],
      ['start', '10:00:00'],
    ] as const) {
      ids.push((await punch(world.employee, type, { action_time: at(time) })).body.data.id);
    }
    const [first, second, third] = ids;
    const found = async (query: Record<string, string>) =>
      (await world.admin.call('listActions', { query })).body.data.map(({ id }: { id: string }) => id) as string[];
    const [tracking] = await trackingsOf(world, world.employee.id);
    expect(await found({ 'filter[id]': `eq:${first}` })).toEqual([first]);
    expect(await found({ 'filter[action_type]': 'eq:end' })).toEqual([second]);
    expect(await found({ 'filter[working_session_id]': 'present:false' })).toEqual([third]);
    expect(await found({ 'filter[working_session_id]': `eq:${tracking!.uuid}` })).toEqual([first, second]);
    expect(await found({ 'filter[action_time]': `gt:${at('08:30:00')}` })).toEqual([second, third]);
    expect(await found({ 'filter[created_at]': 'gt:2020-01-01' })).toEqual(ids);
    expect(await found({ 'filter[updated_at]': 'lt:2020-01-01' })).toEqual([]);
    expect(await found({ 'filter[user_id]': String(world.admin.id) })).toEqual([]);
    expect(await found({ 'filter[user_id]': `${world.admin.id},${world.employee.id}` })).toEqual(ids);
    expect(await found({ sort: '-action_time' })).toEqual([third, second, first]);
    expect(await found({ page: '2', items: '2' })).toEqual([third]);
  });

  it('200 in as many statements for many as for few, with every include', async () => {
    const world = await newWorld();
    const list = () => world.admin.call('listActions', { query: { include: 'user,workspace', items: 100 } });
    // Once before, because a connection that is opened first costs a statement of its own.
    const count = async () => {
      await list();
      return statementsDuring(list);
    };
    await punch(world.employee, 'start');
    const few = await count();
    for (const person of [await world.addMember('employee'), await world.addMember('employee')]) {
      for (const type of ['start', 'start-break', 'end-break', 'end']) await punch(person, type);
    }
    expect(await count()).toBe(few);
  });

  it('400 for an invalid page', async () => {
    const { employee } = await newWorld();
    expect((await employee.call('listActions', { query: { page: 0 } })).status).toBe(400);
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newWorld();
    expect((await stranger.call('listActions')).status).toBe(404);
  });
});

describe('getAction', () => {
  it('200 for its user and for admins', async () => {
    const world = await newWorld();
    const { areaAdmin, member } = await area(world);
    const { body } = await punch(member, 'start');
    for (const person of [member, areaAdmin, await world.addMember('workspaceAdmin'), world.admin]) {
      const answer = await person.call('getAction', {
        params: { action_id: body.data.id },
        query: { include: 'user' },
      });
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual(body.data);
      expect(answer.body.included).toHaveLength(1);
    }
  });

  it('200 outlives a deleted tracking', async () => {
    const world = await newWorld();
    await punch(world.employee, 'start', { action_time: at('08:00:00') });
    const { body } = await punch(world.employee, 'end', { action_time: at('09:00:00') });
    await world.admin.call('deleteTimeTracking', {
      params: { time_tracking_id: body.data.attributes.working_session_id },
    });
    const answer = await world.employee.call('getAction', { params: { action_id: body.data.id } });
    expect(answer.status).toBe(200);
    expect(answer.body.data.attributes.working_session_id).toBeNull();
  });

  it('400 for an unknown include', async () => {
    const { employee } = await newWorld();
    const { body } = await punch(employee, 'start');
    expect(
      (await employee.call('getAction', { params: { action_id: body.data.id }, query: { include: 'tags' } })).status,
    ).toBe(400);
  });

  it("403 for a colleague's", async () => {
    const world = await newWorld();
    const { areaAdmin } = await area(world);
    const { body } = await punch(world.admin, 'start');
    for (const person of [world.employee, areaAdmin])
      expect((await person.call('getAction', { params: { action_id: body.data.id } })).status).toBe(403);
  });

  it('404 for an unknown action', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const { body } = await punch(other.employee, 'start');
    for (const id of [body.data.id, 'abc', '1', '00000000-0000-4000-8000-000000000000']) {
      expect((await world.admin.call('getAction', { params: { action_id: id } })).status).toBe(404);
    }
  });
});

describe('last_action', () => {
  it('is the last punch of a user in the workspace, and can be included', async () => {
    const world = await newWorld();
    await punch(world.employee, 'start', { action_time: at('08:00:00') });
    const { body } = await punch(world.employee, 'end', { action_time: at('08:00:00') });
    const user = await world.employee.call('getCurrentWorkspaceUser', { query: { include: 'last_action' } });
    expect(user.body.data.relationships.last_action.data).toEqual({ type: 'action', id: body.data.id });
    expect(user.body.included).toEqual([body.data]);
    const users = await world.admin.call('listUsers', { query: { include: 'last_action' } });
    expect(users.body.included).toEqual([body.data]);
    const { body: second } = await world.admin.call('createWorkspace', {
      body: bodyOf('workspace', { name: 'Second' }),
    });
    const elsewhere = await world.admin.call('listUsers', {
      params: { workspace_id: second.data.id },
      query: { include: 'last_action' },
    });
    expect(elsewhere.body.included).toEqual([]);
  });

  it('is nothing outside a workspace, nor for those who may not read the user', async () => {
    const world = await newWorld();
    await punch(world.admin, 'start');
    const area_id = await areaWith(world, 'Kitchen', [world.admin]);
    const seen = await world.employee.call('getArea', { params: { area_id }, query: { include: 'users' } });
    expect(seen.body.included[0].relationships.last_action.data).toBeNull();
    const outside = await world.admin.call('getCurrentUser', { query: { include: 'last_action' } });
    expect(outside.body.data.relationships).not.toHaveProperty('last_action');
    expect(outside.body.included).toEqual([]);
  });
});
