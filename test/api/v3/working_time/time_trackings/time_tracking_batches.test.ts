import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { service } from '../../../../support/service.ts';
import { readableFiles } from '../../../../support/records.ts';
import { areaWith, punched, record, systemNotes, tagTitled } from '../../../../support/time_trackings.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

const uuid = '3b9f4c1e-3c7d-4c55-8a35-6f2f6d1f0a77';

const batch = (person: Person, attributes: object) =>
  person.call('batchTimeTrackings', { body: bodyOf('batch_action', attributes) });

/** Starts a batch, runs it, and returns its progress. */
async function run(person: Person, attributes: object) {
  const { status, body } = await batch(person, attributes);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body).not.toHaveProperty('data');
  expect(body.meta.message).toBe('The batch process is running.');
  await (await service()).jobs.drain();
  const shown = await person.call('getBatchAction', { params: { batch_id: body.meta.batch_id } });
  return shown.body.data.attributes as {
    action: string;
    state: string;
    total: number;
    done: number;
    failed: number;
    failures: object[];
  };
}

const find = async ({ admin }: World, id: string) =>
  (await admin.call('getTimeTracking', { params: { time_tracking_id: id } })).body.data as {
    attributes: Record<string, unknown>;
    relationships: Record<string, { data: { id: string }[] }>;
  };
const idsIn = (relationship: { data: { id: string }[] } | undefined): string[] =>
  relationship!.data.map(({ id }) => id);

describe('batchTimeTrackings', () => {
  it('200 tag: adds tags, with one note per tracking that changes', async () => {
    const world = await newWorld();
    const [night, late] = [await tagTitled(world, 'Night'), await tagTitled(world, 'Late')];
    const [one, two] = [await record(world.employee), await record(world.admin, {}, { tags: [late] })];
    await punched(world, world.employee.id, uuid);
    const outcome = await run(world.admin, {
      action: 'tag',
      ids: [Number(one.id), two.id, uuid],
      tag_ids: [night, late],
    });
    expect(outcome).toMatchObject({ action: 'tag', state: 'finished', total: 3, done: 3, failed: 0, failures: [] });
    for (const id of [one.id, two.id, uuid])
      expect(idsIn((await find(world, id)).relationships['tags'])).toEqual([night, late]);
    expect((await systemNotes(world.admin, two.id)).at(-1)).toBe(
      'admin changed the tags from "Late" to "Night"; "Late".',
    );
    expect((await find(world, one.id)).attributes['last_update_by']).toBe(world.admin.id);
    const again = await run(world.admin, { action: 'tag', ids: [one.id], tag_ids: [night] });
    expect(again).toMatchObject({ done: 1 });
    expect(await systemNotes(world.admin, one.id)).toHaveLength(2);
  });

  it('200 tag: replaces them with override_tags, also by none', async () => {
    const world = await newWorld();
    const [night, late] = [await tagTitled(world, 'Night'), await tagTitled(world, 'Late')];
    const { id } = await record(world.admin, {}, { tags: [late] });
    await run(world.admin, { action: 'tag', ids: [id], tag_ids: [night], override_tags: true });
    expect(idsIn((await find(world, id)).relationships['tags'])).toEqual([night]);
    await run(world.admin, { action: 'tag', ids: [id], tag_ids: [], override_tags: true });
    expect(idsIn((await find(world, id)).relationships['tags'])).toEqual([]);
  });

  it('200 follower: makes exactly these the followers, and an empty array none', async () => {
    const world = await newWorld();
    const { id } = await record(world.admin);
    await run(world.admin, { action: 'follower', ids: { 0: id }, follower_ids: [world.admin.id, world.employee.id] });
    expect(idsIn((await find(world, id)).relationships['followers'])).toHaveLength(2);
    await run(world.admin, { action: 'follower', ids: [id], follower_ids: [world.employee.id] });
    expect(idsIn((await find(world, id)).relationships['followers'])).toEqual([String(world.employee.id)]);
    await run(world.admin, { action: 'follower', ids: [id], follower_ids: [] });
    expect(idsIn((await find(world, id)).relationships['followers'])).toEqual([]);
  });

  it('200 note: adds a note of the caller', async () => {
    const world = await newWorld();
    const [one, two] = [await record(world.employee), await record(world.admin)];
    await run(world.admin, { action: 'note', ids: [one.id, two.id, one.id], note: { content: 'Please check.' } });
    const { body } = await world.admin.call('listTimeTrackingNotes', {
      params: { time_tracking_id: one.id },
      query: 'filter[type]=eq:UserNote',
    });
    expect(body.data.map((note: { attributes: object }) => note.attributes)).toMatchObject([
      { content: 'Please check.', author: 'admin', author_role: 'admin' },
    ]);
    expect((await find(world, two.id)).attributes['user_notes_count']).toBe(1);
  });

  it('200 confirm: confirms finished ones once; a running one fails with its reason', async () => {
    const world = await newWorld();
    const [done, open] = [await record(world.admin, { confirmed: true }), await record(world.employee)];
    const running = await record(world.employee, { ends_at: null });
    const outcome = await run(world.admin, { action: 'confirm', ids: [done.id, open.id, running.id] });
    expect(outcome).toMatchObject({
      state: 'finished',
      total: 3,
      done: 2,
      failed: 1,
      failures: [
        {
          id: running.id,
          type: 'time_tracking',
          reason: 'The time tracking is running and can be confirmed only once it has ended.',
        },
      ],
    });
    expect((await find(world, open.id)).attributes).toMatchObject({ confirmed: true, last_update_by: world.admin.id });
    expect((await systemNotes(world.admin, open.id)).at(-1)).toBe('admin confirmed the time tracking.');
    expect(await systemNotes(world.admin, done.id)).toHaveLength(1);
  });

  it('200 confirm all: every finished, unconfirmed one, over several chunks, each exactly once', async () => {
    const world = await newWorld();
    const { db, accountId, workspaceId, admin, employee } = world;
    const start = (index: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + index * 3_600_000);
    const rows = Array.from({ length: 450 }, (_, index) => ({
      account_id: accountId,
      workspace_id: workspaceId,
      user_id: employee.id,
      starts_at: start(index),
      ends_at: start(index + 0.5),
      actual_starts_at: start(index),
      created_by: 'admin',
      created_at: start(0),
      updated_at: start(0),
    }));
    await db.insertInto('time_trackings').values(rows).execute();
    const running = await record(employee, { ends_at: null });
    expect(await run(admin, { action: 'confirm', all: true, ids: ['nonsense'] })).toMatchObject({
      state: 'finished',
      total: 450,
      done: 450,
      failed: 0,
    });
    const { body } = await admin.call('listTimeTrackings', { query: 'items=1' });
    expect(body.meta).toMatchObject({ total_confirmed: 450, total_unconfirmed: 1, total_running: 1 });
    const notes = await db
      .selectFrom('notes')
      .select(['time_tracking_id', (eb) => eb.fn.countAll<number>().as('count')])
      .where('account_id', '=', accountId)
      .where('content', '=', 'admin confirmed the time tracking.')
      .groupBy('time_tracking_id')
      .execute();
    expect([notes.length, Math.max(...notes.map(({ count }) => Number(count)))]).toEqual([450, 1]);
    expect((await find(world, running.id)).attributes['confirmed']).toBe(false);
    expect(await run(admin, { action: 'confirm', all: true })).toMatchObject({ state: 'finished', total: 0, done: 0 });
  });

  it('200 confirm all: an area admin confirms what they administer', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    const bar = await areaWith(world, 'Bar', [areaAdmin]);
    const inside = await record(world.employee, {}, { area: bar });
    const outside = await record(world.employee);
    expect(await run(areaAdmin, { action: 'confirm', all: true })).toMatchObject({ total: 1, done: 1 });
    expect((await find(world, inside.id)).attributes['confirmed']).toBe(true);
    expect((await find(world, outside.id)).attributes['confirmed']).toBe(false);
  });

  it('200 destroy: deletes them with their files; unknown ones count as done', async () => {
    const world = await newWorld();
    const { admin, db, accountId } = world;
    const [one, two] = [await record(world.employee), await record(world.employee)];
    const files = [{ field: 'files', name: 'a.txt', bytes: Buffer.from('a') }];
    await admin.call('createTimeTrackingAttachments', { params: { time_tracking_id: one.id }, files });
    const outcome = await run(admin, { action: 'destroy', ids: [one.id, two.id, '999999999', uuid] });
    expect(outcome).toMatchObject({ state: 'finished', total: 3, done: 3, failed: 0 });
    for (const table of ['time_trackings', 'notes', 'attachments'] as const) {
      expect(await db.selectFrom(table).select('account_id').where('account_id', '=', accountId).execute()).toEqual([]);
    }
    expect(await readableFiles(world)).toBe(0);
    const notifications = await db
      .selectFrom('notifications')
      .select(['type', 'user_id', 'time_tracking_id'])
      .where('account_id', '=', accountId)
      .execute();
    // The warnings are gone. The user is told of the deletion.
    expect(new Set(notifications.map((row) => JSON.stringify(row)))).toEqual(
      new Set([JSON.stringify({ type: 'notification', user_id: world.employee.id, time_tracking_id: null })]),
    );
  });

  it('200 with no ids does nothing', async () => {
    const { admin } = await newWorld();
    expect(await run(admin, { action: 'destroy', ids: [] })).toMatchObject({ state: 'finished', total: 0 });
  });

  it('does to each tracking what its starter may when it runs', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    const bar = await areaWith(world, 'Bar', [areaAdmin]);
    const [kept, moved, gone] = [await record(world.employee, {}, { area: bar }), await record(world.employee, {}, { area: bar }), await record(world.employee, {}, { area: bar })]; // prettier-ignore
    const { body } = await batch(areaAdmin, {
      action: 'note',
      ids: [kept.id, moved.id, gone.id],
      note: { content: 'x' },
    });
    const relationships = { area: { data: null } };
    await world.admin.call('updateTimeTracking', {
      params: { time_tracking_id: moved.id },
      body: bodyOf('time_tracking', {}, relationships),
    });
    await world.admin.call('deleteTimeTracking', { params: { time_tracking_id: gone.id } });
    await (await service()).jobs.drain();
    const { body: shown } = await areaAdmin.call('getBatchAction', { params: { batch_id: body.meta.batch_id } });
    expect(shown.data.attributes).toMatchObject({
      done: 1,
      failed: 2,
      failures: [
        { id: moved.id, reason: 'You do not administer this time tracking any more.' },
        { id: gone.id, reason: 'The time tracking is no longer there.' },
      ],
    });
  });

  it('400 for an action that is not known, and for what an action needs', async () => {
    const { admin } = await newWorld();
    const pointers = async (attributes: object) => pointersIn(await batch(admin, attributes)).sort();
    expect(await pointers({ action: 'archive', ids: [] })).toEqual(['action']);
    expect(await pointers({ ids: [] })).toEqual(['action']);
    expect(await pointers({ action: 'tag' })).toEqual(['ids', 'tag_ids']);
    expect(await pointers({ action: 'follower', ids: null })).toEqual(['follower_ids', 'ids']);
    expect(await pointers({ action: 'note', ids: [] })).toEqual(['note']);
    expect(await pointers({ action: 'note', ids: [], note: { content: ' ' } })).toContain('note/content');
    expect(await pointers({ action: 'confirm', all: false })).toEqual(['ids']);
    expect(await pointers({ action: 'destroy', all: true })).toEqual(['ids']);
    expect(await pointers({ action: 'destroy', ids: { 0: 1, 2: 3 } })).toEqual(['ids']);
    expect(await pointers({ action: 'destroy', ids: Array.from({ length: 10_001 }, () => 1) })).toEqual(['ids']);
    expect(
      pointersIn(
        await admin.call('batchTimeTrackings', { body: bodyOf('time_tracking', { action: 'destroy', ids: [] }) }),
      ),
    ).toEqual(['type']);
  });

  it('400 for ids, tags and followers that are not there or foreign, all at once, and nothing is started', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const [own, foreign] = [await record(world.admin), await record(other.admin)];
    const tags = await batch(world.admin, {
      action: 'tag',
      ids: [own.id, foreign.id, uuid, 'abc'],
      tag_ids: [999_999],
    });
    expect([tags.status, pointersIn(tags)]).toEqual([400, ['ids', 'tag_ids']]);
    expect(titlesIn(tags)[0]).toBe(
      `ids names "${foreign.id}", "${uuid}", "abc", which is no time tracking of this workspace that you administer.`,
    );
    const followers = await batch(world.admin, {
      action: 'follower',
      ids: [own.id],
      follower_ids: [other.employee.id],
    });
    expect([followers.status, pointersIn(followers)]).toEqual([400, ['follower_ids']]);
    expect(pointersIn(await batch(world.admin, { action: 'destroy', ids: ['abc'] }))).toEqual(['ids']);
    expect(
      await world.db.selectFrom('batches').select('id').where('account_id', '=', world.accountId).execute(),
    ).toEqual([]);
    const { body } = await other.admin.call('getTimeTracking', { params: { time_tracking_id: foreign.id } });
    expect(body.data.id).toBe(foreign.id);
  });

  it('400 for an area admin who names what they do not administer, also to destroy it', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    await areaWith(world, 'Bar', [areaAdmin]);
    const { id } = await record(world.employee);
    expect(pointersIn(await batch(areaAdmin, { action: 'destroy', ids: [id] }))).toEqual(['ids']);
    expect(pointersIn(await batch(areaAdmin, { action: 'confirm', ids: [id] }))).toEqual(['ids']);
  });

  it('403 for an employee, 404 for a stranger', async () => {
    const { employee, stranger } = await newWorld();
    expect((await batch(employee, { action: 'destroy', ids: [] })).status).toBe(403);
    expect((await batch(stranger, { action: 'destroy', ids: [] })).status).toBe(404);
  });
});
