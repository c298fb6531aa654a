import { describe, expect, it } from 'vitest';
import { titlesIn } from '../../../../support/client.ts';
import { callWithTokenOf, newEmail, signUp } from '../../../../support/people.ts';
import { insertArea } from '../../../../support/records.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';
import { create, cycle, datesOf, defaultWeek, list, monToWed, remove, shownTo, type Shown } from './support.ts';

describe('every user', () => {
  it('has one target hour, Monday to Friday 8 hours from the start of their accounting', async () => {
    const world = await newWorld();
    const created = await world.admin.call('createUser', {
      body: bodyOf('user', { username: 'Robin', start_of_accounting: '2026-03-02' }),
    });
    const shown = await shownTo(world.admin, created.body.data.id);
    expect(shown.map(({ attributes }) => attributes)).toEqual([{ ...defaultWeek, start_date: '2026-03-02' }]);
  });

  it('has it also when the public API or a sign-up creates them', async () => {
    const world = await newWorld();
    const { body } = await world.enterprise('createPublicUser', {
      body: { user: { username: 'Robin', location_ids: world.workspaceId } },
    });
    expect(await shownTo(world.admin, body.id)).toHaveLength(1);
    const answer = await signUp({ username: 'Dana', email: newEmail(), password: 'correct horse battery' });
    const { data: me } = (await callWithTokenOf(answer, 'getCurrentUser')).body;
    const params = { workspace_id: me.relationships.workspaces.data[0].id, user_id: me.id };
    const listed = await callWithTokenOf(answer, 'listTargetHours', { params });
    expect(listed.body.data).toHaveLength(1);
    expect(listed.body.data[0].attributes).toEqual({
      ...defaultWeek,
      start_date: me.attributes.start_of_accounting,
    });
  });
});

describe('listTargetHours', () => {
  it('200 by start, each until the day before the next, the same in every workspace', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    await create(admin, employee.id, { start_date: '2026-07-01', ...monToWed });
    await create(admin, employee.id, { start_date: '2026-04-01', ...cycle });
    expect(await datesOf(world)).toEqual([
      ['2026-01-01', '2026-03-31'],
      ['2026-04-01', '2026-06-30'],
      ['2026-07-01', null],
    ]);
    const other = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    const own = await create(admin, admin.id, { start_date: '2030-01-01', ...monToWed });
    const elsewhere = await admin.call('listTargetHours', {
      params: { workspace_id: other.body.data.id, user_id: admin.id },
    });
    expect(elsewhere.body.data.at(-1).id).toBe(own.body.data.id);
  });

  it('200 says who may create them, and who wrote the last one when', async () => {
    const { admin, employee } = await newWorld();
    const own = (await list(employee, employee.id)).body.meta;
    expect(own).toMatchObject({
      can_create_target_hours: false,
      last_updated_at: expect.stringMatching(/\+0[12]:00$/),
    });
    expect(own).not.toHaveProperty('last_updated_by');
    const { id } = (await admin.call('createUser', { body: bodyOf('user', { username: 'Robin' }) })).body.data;
    const created = await create(admin, id, { start_date: '2026-04-01', ...monToWed });
    expect(created.body.data.attributes.updated_by).toBe('admin');
    const after = (await list(admin, id)).body.meta;
    expect(after).toMatchObject({ can_create_target_hours: true, last_updated_by: 'admin' });
  });

  it('200 filtered and sorted', async () => {
    const { admin, employee } = await newWorld();
    const { id } = (await create(admin, employee.id, { start_date: '2026-04-01', target_limited: true, ...cycle })).body
      .data;
    for (const filter of [
      'id]=eq:' + id,
      'rhythm_type]=eq:free',
      'start_date]=gt:2026-01-01',
      'target_limited]=eq:true',
    ]) {
      const { body } = await admin.call('listTargetHours', {
        params: { user_id: employee.id },
        query: `filter[${filter}`,
      });
      expect(body.data.map((one: Shown) => one.id)).toEqual([id]);
    }
    expect((await list(admin, employee.id, { sort: '-start_date' })).body.data[0].id).toBe(id);
  });

  it('200 for oneself and for admins of the user, 403 for others', async () => {
    const world = await newWorld();
    const [areaAdmin, colleague] = [await world.addMember('areaAdmin'), await world.addMember('employee')];
    const { employee } = world;
    expect((await list(areaAdmin, employee.id)).status).toBe(403);
    await insertArea(world, 'Bar', [areaAdmin.id, employee.id]);
    expect((await list(areaAdmin, employee.id)).status).toBe(200);
    expect((await list(employee, employee.id)).status).toBe(200);
    expect((await list(colleague, employee.id)).status).toBe(403);
  });

  it('400 for an invalid page, 404 for an unknown user', async () => {
    const { admin, employee } = await newWorld();
    expect((await list(admin, employee.id, { items: 500 })).status).toBe(400);
    expect((await list(admin, 4711)).status).toBe(404);
  });
});

describe('getTargetHour', () => {
  it('200 with the permissions that are asked for', async () => {
    const { admin, employee } = await newWorld();
    const [{ id }] = (await shownTo(employee, employee.id)) as [Shown];
    const show = (person: Person) =>
      person.call('getTargetHour', {
        params: { user_id: employee.id, target_hour_id: id },
        query: { permissions: '' },
      });
    expect((await show(employee)).body.data.attributes.permissions).toEqual({
      read: true,
      update: false,
      destroy: false,
    });
    expect((await show(admin)).body.data.attributes.permissions).toEqual({ read: true, update: true, destroy: true });
  });

  it('403 for a colleague, 404 for that of another user', async () => {
    const world = await newWorld();
    const colleague = await world.addMember('employee');
    const [{ id }] = (await shownTo(world.admin, world.employee.id)) as [Shown];
    const show = (person: Person, user_id: number, target_hour_id: string) =>
      person.call('getTargetHour', { params: { user_id, target_hour_id } });
    expect((await show(colleague, world.employee.id, id)).status).toBe(403);
    expect((await show(colleague, colleague.id, id)).status).toBe(404);
    expect((await show(world.admin, world.employee.id, 'abc')).status).toBe(404);
  });
});

describe('deleteTargetHour', () => {
  it('200 lets the one before it last longer', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const { id } = (await create(admin, employee.id, { start_date: '2026-04-01', ...cycle })).body.data;
    await create(admin, employee.id, { start_date: '2026-07-01', ...monToWed });
    const { status, body } = await remove(admin, employee.id, id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, attributes: { rhythm_type: 'free', end_date: '2026-06-30' } });
    expect(await datesOf(world)).toEqual([
      ['2026-01-01', '2026-06-30'],
      ['2026-07-01', null],
    ]);
    expect((await remove(admin, employee.id, id)).status).toBe(404);
  });

  it('400 for the last one', async () => {
    const { admin, employee } = await newWorld();
    const [{ id }] = (await shownTo(admin, employee.id)) as [Shown];
    const response = await remove(admin, employee.id, id);
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual(['The last target hour of a user cannot be deleted. Change it instead.']);
  });

  it('400 for one of the last two that are deleted at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const { admin, employee } = await newWorld();
      await create(admin, employee.id, { start_date: '2026-04-01', ...monToWed });
      const both = await shownTo(admin, employee.id);
      const answers = await Promise.all(both.map(({ id }) => remove(admin, employee.id, id)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(await shownTo(admin, employee.id)).toHaveLength(1);
    }
  });

  it('403 for an employee', async () => {
    const { admin, employee } = await newWorld();
    const [{ id }] = (await shownTo(admin, employee.id)) as [Shown];
    expect((await remove(employee, employee.id, id)).status).toBe(403);
  });
});
