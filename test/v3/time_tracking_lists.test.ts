import { DateTime } from 'luxon';
import { beforeAll, describe, expect, it } from 'vitest';
import { listTimeTrackings } from '../../src/time_trackings/listing.ts';
import { pointersIn } from '../support/client.ts';
import { statementsDuring } from '../support/statements.ts';
import { actorOf } from '../support/records.ts';
import { areaWith, punched, record, tagTitled } from '../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../support/world.ts';

interface Listed {
  data: { id: string; attributes: Record<string, unknown> }[];
  included?: unknown[];
  meta: Record<string, number>;
}

const list = async (person: Person, query: string = ''): Promise<Listed> => {
  const { status, body } = await person.call('listTimeTrackings', { query });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as Listed;
};
const idsOf = ({ data }: Listed): string[] => data.map(({ id }) => id);
const namesOf = ({ data }: Listed): unknown[] => data.map(({ attributes }) => attributes['external_id']);

/** Many finished trackings of one user, straight into the database. */
async function insertMany({ db, accountId, workspaceId }: World, userId: number, count: number, minutes: number, from: string = '2026-01-01T00:00:00Z') {
  const zero = Date.parse(from);
  const rows = Array.from({ length: count }, (_, index) => ({
    account_id: accountId,
    workspace_id: workspaceId,
    user_id: userId,
    starts_at: new Date(zero + index * 3_600_000),
    ends_at: new Date(zero + index * 3_600_000 + minutes * 60_000),
    actual_starts_at: new Date(zero + index * 3_600_000),
    created_by: 'admin',
    created_at: new Date(zero),
    updated_at: new Date(zero),
  }));
  await db.insertInto('time_trackings').values(rows).execute();
}

describe('listTimeTrackings', () => {
  it('200 by start, with the six totals of all that match and not of the page', async () => {
    const { admin, employee } = await newWorld();
    await record(admin, { external_id: 'b', starts_at: '2026-01-05T09:00:00Z', ends_at: '2026-01-05T10:00:00Z', confirmed: true });
    await record(admin, { external_id: 'a', starts_at: '2026-01-05T08:00:00Z', ends_at: '2026-01-05T08:06:00Z',
      breaks_attributes: [{ starts_at: '2026-01-05T08:02:00Z', ends_at: '2026-01-05T08:03:00Z' }] }, { user: employee.id }); // prettier-ignore
    const page = await list(admin, 'items=1');
    expect(namesOf(page)).toEqual(['a']);
    expect(page.meta).toMatchObject({ link: 0, current_page: 1, page_items: 1, total_pages: 2, total_count: 2 });
    expect(page.meta).toMatchObject({ total_unconfirmed: 1, total_confirmed: 1, total_running: 0 });
    expect(page.meta).toMatchObject({ total_gross_time: 1.1, total_net_time: 1.08, total_break_time: 0.02 });
    const filtered = await list(admin, 'filter[confirmed]=eq:true');
    expect(filtered.meta).toMatchObject({ total_unconfirmed: 0, total_confirmed: 1, total_gross_time: 1, total_net_time: 1, total_break_time: 0 });
  });

  it('200 with nothing to show', async () => {
    const { admin } = await newWorld();
    const { data, meta } = await list(admin);
    expect(data).toEqual([]);
    expect(meta).toMatchObject({ total_pages: 1, total_count: 0, total_unconfirmed: 0, total_gross_time: 0, total_net_time: 0, total_break_time: 0 });
    expect((await list(admin, 'page=7')).meta).toMatchObject({ current_page: 7, total_pages: 1 });
  });

  it('200 with sums that do not drift: 1,000 trackings of 20 minutes total 333.33', async () => {
    const world = await newWorld();
    await insertMany(world, world.employee.id, 1000, 20);
    const { meta } = await list(world.admin, 'items=3');
    expect(meta).toMatchObject({ total_count: 1000, total_gross_time: 333.33, total_net_time: 333.33, total_break_time: 0, total_unconfirmed: 1000 });
  });

  it('200 counts running ones as unconfirmed, up to now, with the break that is open', async () => {
    const world = await newWorld();
    const { id } = await record(world.employee, { starts_at: '2026-01-05T08:00:00Z', ends_at: null });
    await record(world.admin);
    const open = { account_id: world.accountId, time_tracking_id: Number(id), starts_at: new Date('2026-01-05T09:00:00Z'), created_by: 'actions' };
    await world.db
      .insertInto('breaks')
      .values({ ...open, created_at: new Date(), updated_at: new Date() })
      .execute();
    await world.db.updateTable('time_trackings').set({ breaks_s: 0 }).where('account_id', '=', world.accountId).where('id', '=', Number(id)).execute();
    const now = new Date('2026-01-05T10:30:00.9Z');
    const selection = { page: 1, items: 20, outset: 0, sort: [], filter: {} };
    const { totals } = await listTimeTrackings(world.db, await actorOf(world, world.admin), selection, now);
    expect(totals).toEqual({
      total_unconfirmed: 2,
      total_confirmed: 0,
      total_running: 1,
      total_gross_time: 4.5,
      total_net_time: 3,
      total_break_time: 1.5,
    });
  });

  it('200 for one that has been running for a century', async () => {
    const { admin } = await newWorld();
    await record(admin, { starts_at: '1900-01-01T00:00:00Z', ends_at: null });
    expect((await list(admin, 'sort=gross_time')).meta['total_gross_time']).toBeGreaterThan(1_000_000);
  });

  it('200 shows an employee his own and what he follows, and totals of just that', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const own = await record(employee);
    const followed = await record(admin);
    await record(admin);
    const body = bodyOf('follower', { follower_ids: [employee.id] });
    await admin.call('createTimeTrackingFollowers', { params: { time_tracking_id: followed.id }, body });
    const seen = await list(employee);
    expect(idsOf(seen).sort()).toEqual([own.id, followed.id].sort());
    expect(seen.meta).toMatchObject({ total_count: 2, total_gross_time: 4, total_unconfirmed: 2 });
    expect((await list(admin)).meta).toMatchObject({ total_count: 3, total_gross_time: 6 });
    expect(idsOf(await list(employee, `filter[user_id]=${admin.id}`))).toEqual([followed.id]);
  });

  it('200 shows an area admin what his people did and what was done in his areas', async () => {
    const world = await newWorld();
    const [areaAdmin, colleague] = [await world.addMember('areaAdmin'), await world.addMember('employee', 'colleague')];
    const bar = await areaWith(world, 'Bar', [areaAdmin, colleague]);
    const [own, theirs] = [await record(areaAdmin), await record(colleague)];
    const there = await record(world.employee, {}, { area: bar });
    await record(world.employee);
    expect(idsOf(await list(areaAdmin)).sort()).toEqual([own.id, theirs.id, there.id].sort());
    const idle = await world.addMember('areaAdmin', 'idle');
    const alone = await record(idle);
    expect(idsOf(await list(idle))).toEqual([alone.id]);
  });

  it('200 shows nothing of another workspace of the account', async () => {
    const { admin } = await newWorld();
    await record(admin);
    const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Second' }) });
    const { body: second } = await admin.call('listTimeTrackings', { params: { workspace_id: body.data.id } });
    expect(second.data).toEqual([]);
  });

  it('400 for a page that cannot be, and an include that is not known', async () => {
    const { admin } = await newWorld();
    expect(pointersIn(await admin.call('listTimeTrackings', { query: 'page=0&items=101&outset=-1' })).sort()).toEqual(['items', 'outset', 'page']);
    expect(pointersIn(await admin.call('listTimeTrackings', { query: 'include=users' }))).toEqual(['include']);
  });

  it('shows each row exactly once while rows are appended at the end of the order', async () => {
    const world = await newWorld();
    await insertMany(world, world.employee.id, 10, 20);
    const before = idsOf(await list(world.admin, 'items=100'));
    const seen: string[] = [];
    for (let page = 1; seen.length < before.length; page++) {
      seen.push(...idsOf(await list(world.admin, `items=3&page=${page}`)));
      await insertMany(world, world.employee.id, 2, 20, `2026-02-0${page}T00:00:00Z`);
    }
    expect(seen.slice(0, before.length)).toEqual(before);
    expect(new Set(seen).size).toBe(seen.length);
    const rest = idsOf(await list(world.admin, 'items=100'));
    expect(rest.slice(0, before.length)).toEqual(before);
  });

  it('shows each row once where all sort alike, and skips what outset says', async () => {
    const world = await newWorld();
    await insertMany(world, world.employee.id, 7, 20);
    const pages = await Promise.all([1, 2, 3].map(async (page) => idsOf(await list(world.admin, `items=3&page=${page}&sort=created_by`))));
    expect(new Set(pages.flat()).size).toBe(7);
    const { data, meta } = await list(world.admin, 'items=3&outset=5');
    expect([data.length, meta['total_count'], meta['total_pages']]).toEqual([2, 2, 1]);
  });

  it('costs the same number of statements whatever the page, its includes and the rows there are', async () => {
    const world = await newWorld();
    const include = 'area,attachments,breaks,notes,signatures,tags,followers,user,last_editor,workspace';
    const [area, tag] = [await areaWith(world, 'Bar'), await tagTitled(world, 'Night')];
    const breaks_attributes = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }];
    for (let index = 0; index < 3; index++) {
      const { id } = await record(world.admin, { breaks_attributes }, { area, tags: [tag] });
      const params = { time_tracking_id: id };
      const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
      await world.admin.call('createTimeTrackingFollowers', { params, body: bodyOf('follower', { follower_ids: [world.employee.id] }) });
      await world.admin.call('createTimeTrackingAttachments', { params, files: [{ field: 'files', name: 'a.txt', bytes: Buffer.from('a') }] });
      await world.admin.call('createTimeTrackingSignature', { params, files: [{ field: 'image', name: 'a.png', bytes: png }] });
    }
    const small = await statementsDuring(() => list(world.admin, `items=1&include=${include}&permissions`));
    await insertMany(world, world.employee.id, 300, 20, '2026-01-05T09:00:00Z');
    const large = await statementsDuring(() => list(world.admin, `items=100&include=${include}&permissions`));
    const plain = await statementsDuring(() => list(world.admin, 'items=100'));
    expect(large).toBe(small);
    expect(large - plain).toBe(10);
    // The page with its totals; three more where the read is fenced by a transaction.
    expect([1, 4]).toContain(plain);
  });
});

describe('filters of listTimeTrackings', () => {
  let world: World;
  let tag: string;
  let area: string;
  const uuid = '5f1c3f0e-6f1c-4a55-9d6a-0a3f3a8d9b11';
  const names = async (filter: string): Promise<string> => namesOf(await list(world.admin, `${filter}&sort=external_id`)).join('');

  beforeAll(async () => {
    world = await newWorld();
    tag = await tagTitled(world, 'Night');
    area = await areaWith(world, 'Bar');
    const pause = [{ starts_at: '2026-01-06T08:10:00Z', ends_at: '2026-01-06T08:40:00Z' }];
    await record(world.admin, { external_id: 'a', assignment_id: 'Alpha_1', confirmed: true }, { tags: [tag] });
    await record(world.admin, { external_id: 'b', assignment_id: 'alpha%2', starts_at: '2026-01-06T08:00:00Z', ends_at: '2026-01-06T09:00:00Z', breaks_attributes: pause }, { area }); // prettier-ignore
    await record(world.employee, { external_id: 'c', assignment_id: '', starts_at: '2026-01-07T08:00:00Z', ends_at: '2026-01-07T12:30:00Z' });
    await record(world.employee, { external_id: 'd', assignment_id: 'Beta', starts_at: '2026-01-08T08:00:00Z', ends_at: null });
  });

  it.each([
    // text
    ['filter[assignment_id]=eq:Beta', 'd'],
    ['filter[assignment_id]=eq:beta', ''],
    ['filter[assignment_id]=!eq:Beta', 'abc'],
    ['filter[assignment_id]=gt:Alpha_1', 'bd'],
    ['filter[assignment_id]=gte:Beta', 'bd'],
    ['filter[assignment_id]=lt:Beta', 'a'],
    ['filter[assignment_id]=lte:Beta', 'ad'],
    ['filter[assignment_id]=pre:ALPHA', 'ab'],
    ['filter[assignment_id]=suf:A', 'd'],
    ['filter[assignment_id]=ct:PHA', 'ab'],
    ['filter[assignment_id]=!ct:pha', 'cd'],
    ['filter[assignment_id]=ct:_', 'a'],
    ['filter[assignment_id]=ct:%25', 'b'],
    ['filter[assignment_id]=in:Beta,Alpha_1', 'ad'],
    ['filter[assignment_id][]=Beta&filter[assignment_id][]=Alpha_1', 'ad'],
    ['filter[assignment_id]=present:true', 'abd'],
    ['filter[assignment_id]=present:false', 'c'],
    // number
    ['filter[gross_time]=eq:1', 'b'],
    ['filter[gross_time]=!eq:1', 'acd'],
    ['filter[gross_time]=gt:2&filter[running]=0', 'c'],
    ['filter[gross_time]=gte:2&filter[running]=0', 'ac'],
    ['filter[gross_time]=lt:2', 'b'],
    ['filter[gross_time]=lte:2', 'ab'],
    ['filter[net_time]=eq:0.5', 'b'],
    ['filter[break_time]=gt:0.25', 'b'],
    ['filter[gross_time]=in:1,4.5', 'bc'],
    ['filter[break_duration]=eq:1800', 'b'],
    ['filter[break_duration]=present:true', 'b'],
    ['filter[break_duration]=present:false', 'acd'],
    ['filter[break_duration]=!eq:1800', 'acd'],
    ['filter[system_notes_count]=gt:1', 'b'],
    ['filter[user_notes_count]=eq:0', 'abcd'],
    ['filter[signatures_count]=gt:0', ''],
    ['filter[attachments_count]=lt:1', 'abcd'],
    ['filter[default_break_duration]=eq:0', 'abcd'],
    // boolean
    ['filter[confirmed]=eq:true', 'a'],
    ['filter[confirmed]=eq:0', 'bcd'],
    ['filter[confirmed]=!eq:true', 'bcd'],
    ['filter[confirmed]=in:true,false', 'abcd'],
    ['filter[confirmed]=present:true', 'abcd'],
    ['filter[force_custom_break_duration]=eq:true', ''],
    // time
    ['filter[starts_at]=eq:2026-01-06T09:00:00%2B01:00', 'b'],
    ['filter[starts_at]=!eq:2026-01-06T08:00:00Z', 'acd'],
    ['filter[starts_at]=gt:2026-01-06T08:00:00Z', 'cd'],
    ['filter[starts_at]=gte:2026-01-06T08:00:00Z', 'bcd'],
    ['filter[starts_at]=lt:2026-01-06', 'a'],
    ['filter[starts_at]=lte:2026-01-06T08:00:00Z', 'ab'],
    ['filter[starts_at]=in:2026-01-05T08:00:00Z,2026-01-07T08:00:00Z', 'ac'],
    ['filter[ends_at]=present:false', 'd'],
    ['filter[ends_at]=present:true', 'abc'],
    ['filter[actual_starts_at]=present:false', 'd'],
    ['filter[actual_ends_at]=lt:2026-01-06', 'a'],
    ['filter[created_at]=gt:2026-01-01&filter[updated_at]=present:true', 'abcd'],
    // derived
    ['filter[current_status]=eq:running', 'd'],
    ['filter[current_status]=!eq:running', 'abc'],
    ['filter[status]=eq:active', 'abcd'],
    ['filter[created_by]=eq:employee', 'cd'],
    ['filter[external_id]=in:a,d', 'ad'],
    ['filter[start_signature_id]=present:true', ''],
    ['filter[end_signature_id]=present:false', 'abcd'],
    // bare values
    ['filter[running]=1', 'd'],
    ['filter[running]=0', 'abc'],
    ['filter[running]=maybe', 'abcd'],
    ['filter[overlapping_with_range]=2026-01-05_2026-01-06', 'ab'],
    ['filter[overlapping_with_range]=2026-01-06_2026-01-06', 'b'],
    ['filter[overlapping_with_range]=2026-01-07', 'cd'],
    ['filter[overlapping_with_range]=2026-02-30', 'abcd'],
    ['filter[overlapping_with_range]=2026-01-05_2026-01-06_2026-01-07', 'abcd'],
    // several at once, and what fits nothing
    ['filter[confirmed]=eq:false&filter[gross_time]=lt:2', 'b'],
    ['filter[nonsense]=eq:1', 'abcd'],
    ['filter[gross_time]=near:1', 'abcd'],
    ['filter[gross_time]=gt:abc', 'abcd'],
    ['filter[gross_time]=ct:1', 'abcd'],
    ['filter[confirmed]=gt:false', 'abcd'],
    ['filter[starts_at]=gt:yesterday', 'abcd'],
    ['filter[starts_at]=pre:2026', 'abcd'],
    ['filter[assignment_id]=eq:a%00b', ''],
  ])('%s finds "%s"', async (filter, expected) => {
    expect(await names(filter)).toBe(expected);
  });

  it('by user, area, tag, editor and id', async () => {
    const { admin, employee } = world;
    expect(await names(`filter[user_id]=${employee.id}`)).toBe('cd');
    expect(await names(`filter[user_id]=eq:${admin.id},${employee.id}`)).toBe('abcd');
    expect(await names('filter[user_id]=abc')).toBe('');
    expect(await names(`filter[user_id]=!eq:${admin.id}`)).toBe('abcd');
    expect(await names(`filter[area_id]=${area}`)).toBe('b');
    expect(await names(`filter[tags]=${tag},999999`)).toBe('a');
    expect(await names('filter[tags]=999999')).toBe('');
    expect(await names(`filter[last_update_by]=eq:${employee.id}`)).toBe('cd');
    const [first, second] = idsOf(await list(admin, 'sort=external_id'));
    expect(await names(`filter[id]=eq:${first}`)).toBe('a');
    expect(await names(`filter[id]=!eq:${first}`)).toBe('bcd');
    expect(await names(`filter[id]=in:${first},${second}`)).toBe('ab');
    expect(await names(`filter[id]=gt:${first}`)).toBe('bcd');
  });

  it('by the UUID of a punched one, alone and among numbers', async () => {
    const own = await newWorld();
    await punched(own, own.employee.id, uuid);
    const { id } = await record(own.admin);
    const ids = async (filter: string) => idsOf(await list(own.admin, filter));
    expect(await ids(`filter[id]=eq:${uuid}`)).toEqual([uuid]);
    expect(await ids(`filter[id]=!eq:${uuid}`)).toEqual([id]);
    expect(await ids(`filter[id]=in:${uuid},${id}`)).toEqual([id, uuid]);
    expect(await ids(`filter[id][]=${uuid}`)).toEqual([uuid]);
  });

  it.each([
    ['sort=-starts_at', 'dcba'],
    ['sort=assignment_id,-external_id', 'adbc'],
    ['sort=confirmed,-gross_time&filter[running]=0', 'cba'],
    ['sort=+external_id', 'abcd'],
    ['sort=nonsense', 'abcd'],
    ['sort=nonsense,-external_id', 'dcba'],
    ['sort=-ends_at', 'dcba'],
    ['sort=status,-system_notes_count,external_id', 'bacd'],
  ])('%s orders %s', async (sort, expected) => {
    expect(namesOf(await list(world.admin, sort)).join('')).toBe(expected);
  });
});

describe('clock changes', () => {
  it.each([
    ['Europe/Berlin', '2026-03-28', 7],
    ['Europe/Berlin', '2026-10-24', 9],
    ['America/New_York', '2026-03-07', 7],
    ['America/New_York', '2026-10-31', 9],
    ['Australia/Lord_Howe', '2026-10-03', 7.5],
    ['Australia/Lord_Howe', '2026-04-04', 8.5],
  ])('%s: a night shift that begins on %s has %d hours, on the right days, with the right offsets', async (zone, day, hours) => {
    const { admin } = await newWorld();
    await admin.call('updateWorkspace', { body: bodyOf('workspace', { time_zone: zone }) });
    const evening = DateTime.fromISO(`${day}T22:00:00`, { zone });
    const morning = evening.plus({ days: 1 }).set({ hour: 6 });
    const form = (time: DateTime) => time.toFormat("yyyy-MM-dd'T'HH:mm:ssZZ");
    // A break around the very change, one hour long by any clock.
    const pause = { starts_at: form(evening.plus({ hours: 3.5 })), ends_at: form(evening.plus({ hours: 4.5 })) };
    const { id, attributes } = await record(admin, { starts_at: form(evening), ends_at: form(morning), breaks_attributes: [pause] });
    expect(attributes).toMatchObject({ gross_time: hours, break_time: 1, net_time: hours - 1 });
    const { body } = await admin.call('listBreaks', { params: { time_tracking_id: id } });
    expect(body.data[0].attributes).toMatchObject(pause);

    const on = async (date: DateTime) => (await list(admin, `filter[overlapping_with_range]=${date.toISODate()}_${date.toISODate()}`)).meta['total_gross_time'];
    expect(await Promise.all([-1, 0, 1, 2].map((days) => on(evening.plus({ days }))))).toEqual([0, hours, hours, 0]);
    const since = async (date: DateTime) => (await list(admin, `filter[overlapping_with_range]=${date.toISODate()}`)).meta['total_count'];
    expect(await Promise.all([1, 2].map((days) => since(evening.plus({ days }))))).toEqual([1, 0]);
  });
});
