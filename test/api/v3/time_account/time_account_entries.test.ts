import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { insertArea } from '../../../support/records.ts';
import { bodyOf, newWorld, type Person } from '../../../support/world.ts';

const payout = { date: '2026-05-29', hours: -10.25, kind: 'payout', note: 'Paid out with the wages of May.' };

const list = (person: Person, userId: number, query: object | string = {}) =>
  person.call('listTimeAccountEntries', { params: { user_id: userId }, query: query as string });
const create = (person: Person, userId: number, attributes: object) =>
  person.call('createTimeAccountEntry', {
    params: { user_id: userId },
    body: bodyOf('time_account_entry', attributes),
  });
const remove = (person: Person, userId: number, id: string) =>
  person.call('deleteTimeAccountEntry', { params: { user_id: userId, time_account_entry_id: id } });
const idsOf = async (person: Person, userId: number, query: string): Promise<string[]> =>
  (await list(person, userId, query)).body.data.map(({ id }: { id: string }) => id);

describe('createTimeAccountEntry', () => {
  it('201 with who created it and when, exact to the second', async () => {
    const { admin, employee, db, accountId } = await newWorld();
    const { status, body } = await create(admin, employee.id, payout);
    expect(status).toBe(201);
    expect(body.data).toEqual({
      id: expect.any(String),
      type: 'time_account_entry',
      attributes: {
        permissions: null,
        ...payout,
        created_by: 'admin',
        created_at: expect.stringMatching(/\+0[12]:00$/),
      },
      relationships: {
        user: { data: { type: 'user', id: String(employee.id) } },
        creator: { data: { type: 'user', id: String(admin.id) } },
      },
    });
    const rows = () =>
      db.selectFrom('time_account_entries').select('seconds').where('account_id', '=', accountId).orderBy('id');
    await create(admin, employee.id, { ...payout, hours: 2.14 });
    await create(admin, employee.id, { ...payout, hours: 0.01 });
    expect((await rows().execute()).map(({ seconds }) => seconds)).toEqual([-36_900, 7_704, 36]);
  });

  it('400 names every problem, and writes nothing', async () => {
    const { admin, employee } = await newWorld();
    const wrong = await create(admin, employee.id, { date: '2026-02-30', hours: 0, kind: 'gift', note: ' ' });
    expect(wrong.status).toBe(400);
    expect(titlesIn(wrong)).toEqual([
      'note is required.',
      'date must be a day that exists, like 2026-01-30, but was "2026-02-30".',
      'hours must be at least 0.01 or at most -0.01, but was 0.',
      'kind must be one of correction, payout, opening, but was "gift".',
    ]);
    const missing = await create(admin, employee.id, {});
    expect(missing.status).toBe(400);
    expect(pointersIn(missing)).toEqual(['date', 'hours', 'kind', 'note']);
    for (const hours of [10_001, -10_001, 0.009, -0.001, '5', null]) {
      const refused = await create(admin, employee.id, { ...payout, hours });
      expect([hours, refused.status, pointersIn(refused)]).toEqual([hours, 400, ['hours']]);
    }
    const far = await create(admin, employee.id, { ...payout, date: '9999-12-31' });
    expect(titlesIn(far)).toEqual(['date must be a day from 1900 to 2099, but was "9999-12-31".']);
    const long = await create(admin, employee.id, { ...payout, note: 'x'.repeat(1_001) });
    expect(pointersIn(long)).toEqual(['note']);
    expect((await list(admin, employee.id)).body.data).toEqual([]);
  });

  it('403 for employees and area admins, also for themselves', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await insertArea(world, 'Bar', [areaAdmin.id, world.employee.id]);
    expect((await create(areaAdmin, world.employee.id, payout)).status).toBe(403);
    expect((await create(world.employee, world.employee.id, payout)).status).toBe(403);
    const workspaceAdmin = await world.addMember('workspaceAdmin');
    expect((await create(workspaceAdmin, world.employee.id, payout)).status).toBe(201);
  });

  it('404 for an unknown user, and for one of another account', async () => {
    const { admin, stranger } = await newWorld();
    expect((await create(admin, 4711, payout)).status).toBe(404);
    expect((await create(admin, stranger.id, payout)).status).toBe(404);
  });
});

describe('listTimeAccountEntries', () => {
  it('200 by date, filtered and sorted, for one user only', async () => {
    const { admin, employee } = await newWorld();
    const made: string[] = [];
    for (const [date, hours, kind] of [
      ['2026-03-31', 4, 'correction'],
      ['2026-01-01', 12.5, 'opening'],
      ['2026-05-29', -10, 'payout'],
    ] as const)
      made.push((await create(admin, employee.id, { date, hours, kind, note: `Note ${kind}` })).body.data.id);
    await create(admin, admin.id, payout);
    const [correction, opening, paid] = made as [string, string, string];
    expect(await idsOf(admin, employee.id, '')).toEqual([opening, correction, paid]);
    expect(await idsOf(admin, employee.id, 'sort=-date')).toEqual([paid, correction, opening]);
    expect(await idsOf(admin, employee.id, 'sort=hours')).toEqual([paid, correction, opening]);
    expect(await idsOf(admin, employee.id, 'items=1&page=2')).toEqual([correction]);
    expect(await idsOf(admin, employee.id, 'filter[date]=gte:2026-03-31')).toEqual([correction, paid]);
    expect(await idsOf(admin, employee.id, 'filter[kind]=eq:payout')).toEqual([paid]);
    expect(await idsOf(admin, employee.id, 'filter[hours]=lt:0')).toEqual([paid]);
    expect(await idsOf(admin, employee.id, 'filter[note]=ct:opening')).toEqual([opening]);
    expect(await idsOf(admin, employee.id, `filter[id]=eq:${opening}`)).toEqual([opening]);
    expect(await idsOf(admin, employee.id, 'filter[created_at]=lt:2026-01-01T00:00:00Z')).toEqual([]);
  });

  it('200 for oneself and for admins of the user, 403 for others', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    await create(admin, employee.id, payout);
    const [areaAdmin, colleague] = [await world.addMember('areaAdmin'), await world.addMember('employee')];
    expect((await list(areaAdmin, employee.id)).status).toBe(403);
    await insertArea(world, 'Bar', [areaAdmin.id, employee.id]);
    expect((await list(areaAdmin, employee.id)).body.data).toHaveLength(1);
    expect((await list(colleague, employee.id)).status).toBe(403);
    const own = await list(employee, employee.id, { permissions: '' });
    expect(own.body.meta.can_create_time_account_entries).toBe(false);
    expect(own.body.data[0].attributes.permissions).toEqual({ read: true, update: false, destroy: false });
    const byAdmin = await list(admin, employee.id, { permissions: '' });
    expect(byAdmin.body.meta.can_create_time_account_entries).toBe(true);
    expect(byAdmin.body.data[0].attributes.permissions).toEqual({ read: true, update: false, destroy: true });
  });

  it('400 for an invalid page, 404 for an unknown user', async () => {
    const { admin, employee } = await newWorld();
    expect((await list(admin, employee.id, { items: 500 })).status).toBe(400);
    expect((await list(admin, 4711)).status).toBe(404);
  });
});

describe('deleteTimeAccountEntry', () => {
  it('200 with the entry as it was, once', async () => {
    const { admin, employee } = await newWorld();
    const { id } = (await create(admin, employee.id, payout)).body.data;
    const answers = await Promise.all([remove(admin, employee.id, id), remove(admin, employee.id, id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(answers.find(({ status }) => status === 200)!.body.data).toMatchObject({ id, attributes: payout });
    expect((await list(admin, employee.id)).body.data).toEqual([]);
  });

  it('403 for an employee, 404 for that of another user', async () => {
    const { admin, employee } = await newWorld();
    const { id } = (await create(admin, employee.id, payout)).body.data;
    expect((await remove(employee, employee.id, id)).status).toBe(403);
    expect((await remove(admin, admin.id, id)).status).toBe(404);
    expect((await remove(admin, employee.id, 'abc')).status).toBe(404);
    expect((await list(admin, employee.id)).body.data).toHaveLength(1);
  });
});
