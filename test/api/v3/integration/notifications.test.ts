import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { notify } from '../../../../src/platform/notifications/notifications.ts';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { inboxOf, kindsIn, now, notifyUser, tooLong, warn } from '../../../support/notifications.ts';
import { insertAbsence, insertArea } from '../../../support/records.ts';
import { bodyOf, newWorld, type Person } from '../../../support/world.ts';

describe('listNotifications', () => {
  it('200 with a warning and news, in local time, with what they are about', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const trackingId = await warn(world, employee.id);
    await notifyUser(world, admin.id);
    const { status, body } = await admin.call('listNotifications');
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      {
        type: 'trigger_warning',
        attributes: {
          title: tooLong.title,
          message: tooLong.message,
          created_at: '2026-03-02T19:30:00+01:00',
          updated_at: '2026-03-02T19:30:00+01:00',
        },
        relationships: {
          user: { data: { type: 'user', id: String(employee.id) } },
          entity: { data: { type: 'time_tracking', id: String(trackingId) } },
        },
      },
      {
        type: 'notification',
        relationships: { user: { data: { type: 'user', id: String(admin.id) } }, entity: { data: null } },
      },
    ]);
    expect(body.meta).toMatchObject({ total_count: 2, total_pages: 1, current_page: 1, page_items: 20, link: 0 });
  });

  it('200 and names a punched tracking by its UUID, an absence by its id', async () => {
    const world = await newWorld();
    const uuid = randomUUID();
    await warn(world, world.employee.id, { uuid });
    const absenceId = await insertAbsence(world, world.admin.id);
    const news = {
      user_id: world.admin.id,
      title: 'Absence confirmed',
      message: 'It was.',
      owner: { absence_id: absenceId },
    };
    await notify(world.db, world.accountId, world.workspaceId, news, now);
    const { body } = await world.admin.call('listNotifications');
    expect(
      body.data.map((one: { relationships: { entity: { data: object } } }) => one.relationships.entity.data),
    ).toEqual([
      { type: 'time_tracking', id: uuid },
      { type: 'absence', id: String(absenceId) },
    ]);
  });

  it('200 filters by user, area and rule', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const colleague = await world.addMember('employee', 'colleague');
    const [bar, kitchen] = [await insertArea(world, 'Bar', [employee.id]), await insertArea(world, 'Kitchen', [])];
    await warn(world, employee.id);
    const shortRest = { ...tooLong, rule: 'short_rest', title: 'Too little rest' };
    await warn(world, colleague.id, { area_id: kitchen }, shortRest);
    await notifyUser(world, admin.id);
    const found = async (query: string) => {
      const { status, body } = await admin.call('listNotifications', { query, headers: { Prefer: 'handling=strict' } });
      expect([query, status]).toEqual([query, 200]);
      return body.data.map(({ attributes }: { attributes: { title: string } }) => attributes.title);
    };
    const [long, rest, news] = [tooLong.title, 'Too little rest', 'Absence confirmed'];
    expect(await found('')).toEqual([long, rest, news]);
    expect(await found(`filter[user_id]=${employee.id}`)).toEqual([long]);
    expect(await found(`filter[user_id]=${employee.id},${admin.id}`)).toEqual([long, news]);
    expect(await found(`filter[area_id]=${bar}`)).toEqual([long]);
    expect(await found(`filter[area_id]=${kitchen}`)).toEqual([rest]);
    expect(await found(`filter[area_id]=${bar},${kitchen}`)).toEqual([long, rest]);
    expect(await found('filter[rule]=long_work')).toEqual([long]);
    expect(await found('filter[rule]=long_work, short_rest')).toEqual([long, rest]);
    expect(await found('filter[rule]=nothing')).toEqual([]);
    expect(await found('filter[rule]=present:false')).toEqual([news]);
    expect(await found(`filter[rule]=short_rest&filter[user_id]=${employee.id}`)).toEqual([]);
    const wrong = await admin.call('listNotifications', { query: 'filter[user_id]=x' });
    expect([wrong.status, pointersIn(wrong)]).toEqual([400, ['filter[user_id]']]);
  });

  it('200 with warnings for those who administer their user or tracking, and news for the addressee alone', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [chef, barkeeper, workspaceAdmin] = [
      await world.addMember('areaAdmin'),
      await world.addMember('areaAdmin'),
      await world.addMember('workspaceAdmin'),
    ];
    await insertArea(world, 'Kitchen', [chef.id, employee.id]);
    const bar = await insertArea(world, 'Bar', [barkeeper.id]);
    await warn(world, employee.id);
    await notifyUser(world, employee.id);
    expect(await kindsIn(admin)).toEqual(['trigger_warning']);
    expect(await kindsIn(workspaceAdmin)).toEqual(['trigger_warning']);
    expect(await kindsIn(chef)).toEqual(['trigger_warning']);
    expect(await kindsIn(barkeeper)).toEqual([]);
    expect(await kindsIn(employee)).toEqual(['notification']);
    await warn(world, employee.id, { area_id: bar });
    expect(await kindsIn(barkeeper)).toEqual(['trigger_warning']);
  });

  it('200 without those of another workspace', async () => {
    const world = await newWorld();
    const { body } = await world.admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
    await notifyUser(world, world.admin.id);
    const elsewhere = await world.admin.call('listNotifications', { params: { workspace_id: body.data.id } });
    expect(elsewhere.body.data).toEqual([]);
  });

  it('200 filtered, sorted, paged, with users and sparse fields', async () => {
    const world = await newWorld();
    const { admin } = world;
    await warn(world, world.employee.id);
    await notifyUser(world, admin.id, 'B');
    await notifyUser(world, admin.id, 'A');
    const titles = async (query: Record<string, string>) =>
      (await inboxOf(admin, query)).map(({ attributes }) => attributes.title);
    expect(await titles({ 'filter[type]': 'eq:trigger_warning' })).toEqual([tooLong.title]);
    expect(await titles({ 'filter[type]': 'eq:notification', sort: 'title' })).toEqual(['A', 'B']);
    expect(await titles({ sort: '-id', items: '1', page: '2' })).toEqual(['B']);
    expect(await titles({ 'filter[message]': 'ct:10.5', 'filter[created_at]': 'lte:2026-03-02T18:30:00Z' })).toEqual([
      tooLong.title,
    ]);
    const { body } = await admin.call('listNotifications', {
      query: { include: 'user', 'fields[trigger_warning]': 'title' },
    });
    expect(body.included.map(({ id }: { id: string }) => Number(id)).sort()).toEqual(
      [admin.id, world.employee.id].sort(),
    );
    expect(body.data[0].attributes).toEqual({ title: tooLong.title });
  });

  it('200 with the records they are about, as far as the caller may still read them', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const trackingId = await warn(world, employee.id);
    const absenceId = await insertAbsence(world, admin.id);
    for (const person of [admin, employee]) {
      const news = { user_id: person.id, title: 'Changed', message: 'It changed.', owner: { absence_id: absenceId } };
      await notify(world.db, world.accountId, world.workspaceId, news, now);
    }
    const related = async (person: Person): Promise<string[]> =>
      (await person.call('listNotifications', { query: { include: 'entity' } })).body.included.map(
        ({ type, id }: { type: string; id: string }) => `${type} ${id}`,
      );
    expect(await related(admin)).toEqual([`time_tracking ${trackingId}`, `absence ${absenceId}`]);
    expect(await related(employee)).toEqual([]);
  });

  it('400 for an unknown include', async () => {
    const { admin } = await newWorld();
    const response = await admin.call('listNotifications', { query: { include: 'cause' } });
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['include']);
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newWorld();
    expect((await stranger.call('listNotifications')).status).toBe(404);
  });
});

describe('deleteNotification', () => {
  it('200 for an admin with a warning, and for an addressee with their news', async () => {
    const world = await newWorld();
    await warn(world, world.employee.id);
    await notifyUser(world, world.employee.id);
    for (const [person, type] of [
      [world.admin, 'trigger_warning'],
      [world.employee, 'notification'],
    ] as const) {
      const [own] = await inboxOf(person);
      const { status, body } = await person.call('deleteNotification', {
        params: { notification_id: own!.id },
        query: { type },
      });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ id: own!.id, type });
      expect(await inboxOf(person)).toEqual([]);
    }
  });

  it('404 through another workspace', async () => {
    const world = await newWorld();
    const { admin } = world;
    await notifyUser(world, admin.id);
    const [own] = await inboxOf(admin);
    const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
    const params = { workspace_id: body.data.id, notification_id: own!.id };
    expect((await admin.call('deleteNotification', { params, query: { type: 'notification' } })).status).toBe(404);
    expect(await inboxOf(admin)).toHaveLength(1);
  });

  it('400 without a type, and with one that does not exist', async () => {
    const world = await newWorld();
    await warn(world, world.employee.id);
    const [own] = await inboxOf(world.admin);
    const missing = await world.admin.call('deleteNotification', { params: { notification_id: own!.id } });
    expect(missing.status).toBe(400);
    expect(titlesIn(missing)).toEqual(['type is required.']);
    const unknown = await world.admin.call('deleteNotification', {
      params: { notification_id: own!.id },
      query: { type: 'warning' },
    });
    expect(unknown.status).toBe(400);
    expect(titlesIn(unknown)).toEqual(['type must be one of trigger_warning, notification, but was "warning".']);
    expect(await inboxOf(world.admin)).toHaveLength(1);
  });

  it("403 for another's news, even for an admin, and for a warning about somebody else's people", async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await notifyUser(world, world.employee.id);
    const [news] = await inboxOf(world.employee);
    await warn(world, world.employee.id);
    const [warning] = await inboxOf(world.admin);
    const attempt = async (person: Person, id: string, type: string) =>
      (await person.call('deleteNotification', { params: { notification_id: id }, query: { type } })).status;
    expect(await attempt(world.admin, news!.id, 'notification')).toBe(403);
    expect(await attempt(areaAdmin, warning!.id, 'trigger_warning')).toBe(403);
    expect(await attempt(world.employee, warning!.id, 'trigger_warning')).toBe(403);
  });

  it('404 for the other type, an unknown id, an impossible one, and one of another account', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    await warn(world, world.employee.id);
    const [own] = await inboxOf(world.admin);
    const attempt = async (person: Person, id: string, type = 'trigger_warning') =>
      (await person.call('deleteNotification', { params: { notification_id: id }, query: { type } })).status;
    expect(await attempt(world.admin, own!.id, 'notification')).toBe(404);
    for (const id of ['999999999', 'abc', '0', '99999999999999999999999'])
      expect(await attempt(world.admin, id)).toBe(404);
    expect(await attempt(other.admin, own!.id)).toBe(404);
    expect(await inboxOf(world.admin)).toHaveLength(1);
  });
});
