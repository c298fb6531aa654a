import { describe, expect, it } from 'vitest';
import { listTimeTrackings } from '../../../../../src/working_time/time_trackings/list/list.ts';
import { pointersIn } from '../../../../support/client.ts';
import { png } from '../../../../support/images.ts';
import { actorOf } from '../../../../support/records.ts';
import { statementsDuring } from '../../../../support/database/statements.ts';
import { idsOf, list, namesOf } from '../../../../support/time_tracking_lists.ts';
import { areaWith, record, tagTitled } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { needsOneServer } from '../../../../support/database/distribution.ts';

/** Many finished trackings of one user, straight into the database. */
async function insertMany(
  { db, accountId, workspaceId }: World,
  userId: number,
  count: number,
  minutes: number,
  from: string = '2026-01-01T00:00:00Z',
) {
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
    await record(admin, {
      external_id: 'b',
      starts_at: '2026-01-05T09:00:00Z',
      ends_at: '2026-01-05T10:00:00Z',
      confirmed: true,
    });
    await record(admin, { external_id: 'a', starts_at: '2026-01-05T08:00:00Z', ends_at: '2026-01-05T08:06:00Z',
      breaks_attributes: [{ starts_at: '2026-01-05T08:02:00Z', ends_at: '2026-01-05T08:03:00Z' }] }, { user: employee.id }); // prettier-ignore
    const page = await list(admin, 'items=1');
    expect(namesOf(page)).toEqual(['a']);
    expect(page.meta).toMatchObject({ link: 0, current_page: 1, page_items: 1, total_pages: 2, total_count: 2 });
    expect(page.meta).toMatchObject({ total_unconfirmed: 1, total_confirmed: 1, total_running: 0 });
    expect(page.meta).toMatchObject({ total_gross_time: 1.1, total_net_time: 1.08, total_break_time: 0.02 });
    const filtered = await list(admin, 'filter[confirmed]=eq:true');
    expect(filtered.meta).toMatchObject({
      total_unconfirmed: 0,
      total_confirmed: 1,
      total_gross_time: 1,
      total_net_time: 1,
      total_break_time: 0,
    });
  });

  it('200 with nothing to show', async () => {
    const { admin } = await newWorld();
    const { data, meta } = await list(admin);
    expect(data).toEqual([]);
    expect(meta).toMatchObject({
      total_pages: 1,
      total_count: 0,
      total_unconfirmed: 0,
      total_gross_time: 0,
      total_net_time: 0,
      total_break_time: 0,
    });
    expect((await list(admin, 'page=7')).meta).toMatchObject({ current_page: 7, total_pages: 1 });
  });

  it('200 with sums that do not drift: 1,000 trackings of 20 minutes total 333.33', async () => {
    const world = await newWorld();
    await insertMany(world, world.employee.id, 1000, 20);
    const { meta } = await list(world.admin, 'items=3');
    expect(meta).toMatchObject({
      total_count: 1000,
      total_gross_time: 333.33,
      total_net_time: 333.33,
      total_break_time: 0,
      total_unconfirmed: 1000,
    });
  });

  it('200 counts running ones as unconfirmed, up to now, with the break that is open', async () => {
    const world = await newWorld();
    const { id } = await record(world.employee, { starts_at: '2026-01-05T08:00:00Z', ends_at: null });
    await record(world.admin);
    const open = {
      account_id: world.accountId,
      time_tracking_id: Number(id),
      starts_at: new Date('2026-01-05T09:00:00Z'),
      created_by: 'actions',
    };
    await world.db
      .insertInto('breaks')
      .values({ ...open, created_at: new Date(), updated_at: new Date() })
      .execute();
    await world.db
      .updateTable('time_trackings')
      .set({ breaks_s: 0 })
      .where('account_id', '=', world.accountId)
      .where('id', '=', Number(id))
      .execute();
    const now = new Date('2026-01-05T10:30:00.9Z');
    const selection = { page: 1, items: 20, outset: 0, sort: [], filter: {}, permissions: 'none' as const };
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

  it('200 shows an employee their own and what they follow, and totals of just that', async () => {
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

  it('200 shows an area admin what their people did and what was done in their areas', async () => {
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

  it('400 for an invalid page, and an unknown include', async () => {
    const { admin } = await newWorld();
    expect(pointersIn(await admin.call('listTimeTrackings', { query: 'page=0&items=101&outset=-1' })).sort()).toEqual([
      'items',
      'outset',
      'page',
    ]);
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
    const pages = await Promise.all(
      [1, 2, 3].map(async (page) => idsOf(await list(world.admin, `items=3&page=${page}&sort=created_by`))),
    );
    expect(new Set(pages.flat()).size).toBe(7);
    const { data, meta } = await list(world.admin, 'items=3&outset=5');
    expect([data.length, meta['total_count'], meta['total_pages']]).toEqual([2, 2, 1]);
  });

  it('shows an area admin the permissions for trackings of users of their area, on request', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await areaWith(world, 'Bar', [areaAdmin, world.employee]);
    await record(world.admin, {}, { user: world.employee.id });
    const permissionsIn = async (query: string) =>
      (await list(areaAdmin, query)).data.map(({ attributes }) => attributes['permissions']);
    expect(await permissionsIn('permissions')).toEqual([{ read: true, update: true, destroy: true }]);
    expect(await permissionsIn('permissions=destroy')).toEqual([{ destroy: true }]);
    expect(await permissionsIn('')).toEqual([null]);
  });

  it('costs the same number of statements whatever the page, its includes and the rows there are', async (context) => {
    needsOneServer(context, 'A transaction begins with more messages there.');
    const world = await newWorld();
    const include = 'area,attachments,breaks,notes,signatures,tags,followers,user,last_editor,workspace';
    const [area, tag] = [await areaWith(world, 'Bar'), await tagTitled(world, 'Night')];
    const breaks_attributes = [{ starts_at: '2026-01-05T08:30:00Z', ends_at: '2026-01-05T08:40:00Z' }];
    for (let index = 0; index < 3; index++) {
      const { id } = await record(world.admin, { breaks_attributes }, { area, tags: [tag] });
      const params = { time_tracking_id: id };
      await world.admin.call('createTimeTrackingFollowers', {
        params,
        body: bodyOf('follower', { follower_ids: [world.employee.id] }),
      });
      await world.admin.call('createTimeTrackingAttachments', {
        params,
        files: [{ field: 'files', name: 'a.txt', bytes: Buffer.from('a') }],
      });
      await world.admin.call('createTimeTrackingSignature', {
        params,
        files: [{ field: 'image', name: 'a.png', bytes: png }],
      });
    }
    const small = await statementsDuring(() => list(world.admin, `items=1&include=${include}&permissions`));
    await insertMany(world, world.employee.id, 300, 20, '2026-01-05T09:00:00Z');
    const large = await statementsDuring(() => list(world.admin, `items=100&include=${include}&permissions`));
    const plain = await statementsDuring(() => list(world.admin, 'items=100'));
    expect(large).toBe(small);
    expect(large - plain).toBe(10);
    // The page with its totals, and two more statements where the read needs a transaction.
    expect([1, 3]).toContain(plain);
  });
});
