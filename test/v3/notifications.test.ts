import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { notify, notifyFollowers, setWarnings } from '../../src/notifications/notifications.ts';
import { addFollowers } from '../../src/followers/followers.ts';
import { pointersIn, titlesIn } from '../support/client.ts';
import { actorOf, insertAbsence, insertArea, insertTimeTracking } from '../support/records.ts';
import { service } from '../support/service.ts';
import { bodyOf, newWorld, type Person, type World } from '../support/world.ts';

const now = new Date('2026-03-02T18:30:00Z');
const tooLong = { rule: 'net_over_10h', title: 'More than 10 hours of work', message: 'Erin worked 10.5 hours.' };
const tooShortBreak = { rule: 'break_under_30m', title: 'Too short a break', message: 'Erin had no break.' };

/** Judges one tracking, as the working-time rules do once they have looked. */
async function judgeOne({ db, accountId, workspaceId }: World, timeTracking: { id: number; user_id: number }, warnings: (typeof tooLong)[], at = now) {
  const mine = db.selectFrom('notifications').where('account_id', '=', accountId).where('time_tracking_id', '=', timeTracking.id).where('rule', 'is not', null);
  const standing = await mine
    .select(['id', 'user_id', 'title', 'message'])
    .select(sql<string>`rule`.as('rule'))
    .execute();
  await setWarnings(db, accountId, workspaceId, [{ timeTracking, warnings, standing }], at);
}

const warn = async (world: World, userId: number, own: { uuid?: string; area_id?: number } = {}): Promise<number> => {
  const id = await insertTimeTracking(world, userId, own);
  await judgeOne(world, { id, user_id: userId }, [tooLong]);
  return id;
};
const tell = (world: World, userId: number, title = 'Absence confirmed') =>
  notify(world.db, world.accountId, world.workspaceId, { user_id: userId, title, message: 'Your absence was confirmed.', owner: null }, now);
const inboxOf = async (person: Person, query: Record<string, string> = {}): Promise<{ id: string; type: string; attributes: { title: string } }[]> =>
  (await person.call('listNotifications', { query })).body.data;
const kindsIn = async (person: Person): Promise<string[]> => (await inboxOf(person)).map(({ type }) => type);
const destroy = (attributes: object) => ({ body: bodyOf('batch_action', { action: 'destroy', ...attributes }) });
const drain = async () => (await service()).jobs.drain();

describe('listNotifications', () => {
  it('200 with a warning and news, in local time, with what they are about', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const trackingId = await warn(world, employee.id);
    await tell(world, admin.id);
    const { status, body } = await admin.call('listNotifications');
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      {
        type: 'trigger_warning',
        attributes: { title: tooLong.title, message: tooLong.message, created_at: '2026-03-02T19:30:00+01:00', updated_at: '2026-03-02T19:30:00+01:00' },
        relationships: { user: { data: { type: 'user', id: String(employee.id) } }, entity: { data: { type: 'time_tracking', id: String(trackingId) } } },
      },
      { type: 'notification', relationships: { user: { data: { type: 'user', id: String(admin.id) } }, entity: { data: null } } },
    ]);
    expect(body.meta).toMatchObject({ total_count: 2, total_pages: 1, current_page: 1, page_items: 20, link: 0 });
  });

  it('200 and names a punched tracking by its UUID, an absence by its id', async () => {
    const world = await newWorld();
    const uuid = randomUUID();
    await warn(world, world.employee.id, { uuid });
    const absenceId = await insertAbsence(world, world.admin.id);
    const news = { user_id: world.admin.id, title: 'Absence confirmed', message: 'It was.', owner: { absence_id: absenceId } };
    await notify(world.db, world.accountId, world.workspaceId, news, now);
    const { body } = await world.admin.call('listNotifications');
    expect(body.data.map((one: { relationships: { entity: { data: object } } }) => one.relationships.entity.data)).toEqual([
      { type: 'time_tracking', id: uuid },
      { type: 'absence', id: String(absenceId) },
    ]);
  });

  it('200 with warnings for those who administer their user or tracking, and news for the addressee alone', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [chef, barkeeper, workspaceAdmin] = [await world.addMember('areaAdmin'), await world.addMember('areaAdmin'), await world.addMember('workspaceAdmin')];
    await insertArea(world, 'Kitchen', [chef.id, employee.id]);
    const bar = await insertArea(world, 'Bar', [barkeeper.id]);
    await warn(world, employee.id);
    await tell(world, employee.id);
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
    await tell(world, world.admin.id);
    const elsewhere = await world.admin.call('listNotifications', { params: { workspace_id: body.data.id } });
    expect(elsewhere.body.data).toEqual([]);
  });

  it('200 filtered, sorted, paged, with users and sparse fields', async () => {
    const world = await newWorld();
    const { admin } = world;
    await warn(world, world.employee.id);
    await tell(world, admin.id, 'B');
    await tell(world, admin.id, 'A');
    const titles = async (query: Record<string, string>) => (await inboxOf(admin, query)).map(({ attributes }) => attributes.title);
    expect(await titles({ 'filter[type]': 'eq:trigger_warning' })).toEqual([tooLong.title]);
    expect(await titles({ 'filter[type]': 'eq:notification', sort: 'title' })).toEqual(['A', 'B']);
    expect(await titles({ sort: '-id', items: '1', page: '2' })).toEqual(['B']);
    expect(await titles({ 'filter[message]': 'ct:10.5', 'filter[created_at]': 'lte:2026-03-02T18:30:00Z' })).toEqual([tooLong.title]);
    const { body } = await admin.call('listNotifications', { query: { include: 'user', 'fields[trigger_warning]': 'title' } });
    expect(body.included.map(({ id }: { id: string }) => Number(id)).sort()).toEqual([admin.id, world.employee.id].sort());
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

  it('400 for an include that does not exist', async () => {
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
  it('200 for an admin with a warning, and for an addressee with his news', async () => {
    const world = await newWorld();
    await warn(world, world.employee.id);
    await tell(world, world.employee.id);
    for (const [person, type] of [
      [world.admin, 'trigger_warning'],
      [world.employee, 'notification'],
    ] as const) {
      const [own] = await inboxOf(person);
      const { status, body } = await person.call('deleteNotification', { params: { notification_id: own!.id }, query: { type } });
      expect(status).toBe(200);
      expect(body.data).toMatchObject({ id: own!.id, type });
      expect(await inboxOf(person)).toEqual([]);
    }
  });

  it('400 without a type, and with one that does not exist', async () => {
    const world = await newWorld();
    await warn(world, world.employee.id);
    const [own] = await inboxOf(world.admin);
    const missing = await world.admin.call('deleteNotification', { params: { notification_id: own!.id } });
    expect(missing.status).toBe(400);
    expect(titlesIn(missing)).toEqual(['type is required.']);
    const unknown = await world.admin.call('deleteNotification', { params: { notification_id: own!.id }, query: { type: 'warning' } });
    expect(unknown.status).toBe(400);
    expect(titlesIn(unknown)).toEqual(['type must be one of trigger_warning, notification, but was "warning".']);
    expect(await inboxOf(world.admin)).toHaveLength(1);
  });

  it("403 for another's news, even for an admin, and for a warning about somebody else's people", async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await tell(world, world.employee.id);
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
    for (const id of ['999999999', 'abc', '0', '99999999999999999999999']) expect(await attempt(world.admin, id)).toBe(404);
    expect(await attempt(other.admin, own!.id)).toBe(404);
    expect(await inboxOf(world.admin)).toHaveLength(1);
  });
});

describe('batchNotifications', () => {
  it('404 for a stranger, who deletes nothing', async () => {
    const world = await newWorld();
    await tell(world, world.admin.id);
    expect((await world.stranger.call('batchNotifications', destroy({ all: true }))).status).toBe(404);
    await drain();
    expect(await inboxOf(world.admin)).toHaveLength(1);
  });

  it('200 and deletes those named; what is not there counts as done', async () => {
    const world = await newWorld();
    for (let count = 0; count < 3; count++) await tell(world, world.admin.id);
    const [first, second, third] = await inboxOf(world.admin);
    const { status, body } = await world.admin.call('batchNotifications', destroy({ ids: [Number(first!.id), second!.id, 999999999] }));
    expect(status).toBe(200);
    expect(body.meta).toMatchObject({ message: 'The batch process is running.' });
    await drain();
    expect((await inboxOf(world.admin)).map(({ id }) => id)).toEqual([third!.id]);
    const batch = await world.admin.call('getBatchAction', { params: { batch_id: body.meta.batch_id } });
    expect(batch.body.data.attributes).toMatchObject({ action: 'destroy', state: 'finished', total: 3, done: 3, failed: 0, failures: [] });
  });

  it('200 with an object in place of an array', async () => {
    const world = await newWorld();
    await tell(world, world.admin.id);
    const [own] = await inboxOf(world.admin);
    expect((await world.admin.call('batchNotifications', destroy({ ids: { 0: own!.id } }))).status).toBe(200);
    await drain();
    expect(await inboxOf(world.admin)).toEqual([]);
  });

  it('200 with all: every one that the caller may delete, and no other', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await insertArea(world, 'Bar', [areaAdmin.id, world.employee.id]);
    await warn(world, world.employee.id);
    await warn(world, world.admin.id);
    for (const person of [areaAdmin, world.employee, world.admin]) await tell(world, person.id);
    expect((await areaAdmin.call('batchNotifications', destroy({ all: true, ids: ['7'] }))).status).toBe(200);
    await drain();
    expect(await kindsIn(areaAdmin)).toEqual([]);
    expect(await kindsIn(world.employee)).toEqual(['notification']);
    expect(await kindsIn(world.admin)).toEqual(['trigger_warning', 'notification']);
  });

  it('200 and reports what the caller may no longer delete when the work is done', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    const area = await insertArea(world, 'Bar', [areaAdmin.id, world.employee.id]);
    await warn(world, world.employee.id);
    const [own] = await inboxOf(areaAdmin);
    const { body } = await areaAdmin.call('batchNotifications', destroy({ ids: [own!.id] }));
    await world.db.deleteFrom('area_members').where('account_id', '=', world.accountId).where('area_id', '=', area).execute();
    await drain();
    const batch = await areaAdmin.call('getBatchAction', { params: { batch_id: body.meta.batch_id } });
    expect(batch.body.data.attributes).toMatchObject({
      state: 'finished',
      done: 0,
      failed: 1,
      failures: [{ id: own!.id, type: 'notification', reason: 'You are not authorized to delete this notification.' }],
    });
    expect(await inboxOf(world.admin)).toHaveLength(1);
  });

  it('400 for ids that the caller may not delete or that can be none, and nothing is done', async () => {
    const world = await newWorld();
    await tell(world, world.employee.id);
    await tell(world, world.admin.id);
    const [[foreign], [own]] = [await inboxOf(world.employee), await inboxOf(world.admin)];
    const response = await world.admin.call('batchNotifications', destroy({ ids: [foreign!.id, own!.id, 'abc'] }));
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual([`ids names "abc", "${foreign!.id}", which is no notification that you may delete.`]);
    await drain();
    expect(await inboxOf(world.admin)).toHaveLength(1);
  });

  it.each([
    ['neither ids nor all', {}, 'ids'],
    ['all: false alone', { all: false }, 'ids'],
    ['an unknown action', { action: 'archive', ids: [] }, 'action'],
    ['keys that leave a gap', { ids: { 0: '1', 2: '3' } }, 'ids'],
    ['keys that are no numbers', { ids: { a: '1' } }, 'ids'],
    ['too many ids', { ids: Array.from({ length: 10_001 }, (_, index) => index + 1) }, 'ids'],
    ['ids that are one text', { ids: '1,2' }, 'ids'],
  ])('400 for %s', async (_what, attributes, pointer) => {
    const { admin } = await newWorld();
    const response = await admin.call('batchNotifications', destroy(attributes));
    expect(response.status).toBe(400);
    expect(pointersIn(response)[0]).toMatch(new RegExp(`^${pointer}`));
  });

  it('403 for an employee', async () => {
    const { employee } = await newWorld();
    expect((await employee.call('batchNotifications', destroy({ all: true }))).status).toBe(403);
  });
});

describe('setWarnings', () => {
  it('raises new ones, keeps standing ones with their age, and withdraws the rest', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const id = await insertTimeTracking(world, employee.id);
    const judge = (warnings: (typeof tooLong)[], at: string) => judgeOne(world, { id, user_id: employee.id }, warnings, new Date(at));
    await judge([tooLong], '2026-03-02T10:00:00Z');
    const [before] = await inboxOf(admin);
    await judge([tooLong, tooShortBreak], '2026-03-02T11:00:00Z');
    const both = await inboxOf(admin);
    expect(both[0]).toEqual(before);
    expect(both[1]!.attributes.title).toBe(tooShortBreak.title);
    await judge([{ ...tooShortBreak, message: 'Erin had 5 minutes.' }], '2026-03-02T12:00:00Z');
    expect(await inboxOf(admin)).toMatchObject([
      { id: both[1]!.id, attributes: { message: 'Erin had 5 minutes.', created_at: '2026-03-02T12:00:00+01:00', updated_at: '2026-03-02T13:00:00+01:00' } },
    ]);
    await judge([], '2026-03-02T13:00:00Z');
    expect(await inboxOf(admin)).toEqual([]);
  });

  it('leaves other trackings and their followers’ news alone', async () => {
    const world = await newWorld();
    await warn(world, world.employee.id);
    const id = await insertTimeTracking(world, world.employee.id);
    const news = { user_id: world.admin.id, title: 'Changed', message: 'It changed.', owner: { time_tracking_id: id } };
    await notify(world.db, world.accountId, world.workspaceId, news, now);
    await judgeOne(world, { id, user_id: world.employee.id }, []);
    expect(await kindsIn(world.admin)).toEqual(['trigger_warning', 'notification']);
  });
});

describe('notifyFollowers', () => {
  it('tells every follower but the one who acts', async () => {
    const world = await newWorld();
    const { db, admin, employee } = world;
    const actor = await actorOf(world, admin);
    for (const owner of [{ time_tracking_id: await insertTimeTracking(world, employee.id) }, { absence_id: await insertAbsence(world, employee.id) }]) {
      await addFollowers(db, actor, owner, [admin.id, employee.id]);
      await notifyFollowers(db, actor, owner, 'A record changed', 'It did.', now);
    }
    expect(await inboxOf(employee)).toMatchObject([
      { relationships: { entity: { data: { type: 'time_tracking' } } } },
      { relationships: { entity: { data: { type: 'absence' } } } },
    ]);
    expect(await inboxOf(admin)).toEqual([]);
  });
});
