import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { cursorsWith } from '../../../../../src/integration/events/feed/cursors.ts';
import { isAfter } from '../../../../../src/integration/events/feed/position.ts';
import { removeEvents } from '../../../../../src/integration/events/retention.ts';
import { signedLinks } from '../../../../../src/platform/files/links.ts';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { changes, cursorNow, follow, namesIn } from '../../../../support/events/feed.ts';
import { insertEvents } from '../../../../support/events/rows.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

const createArea = async (admin: Person, name: string): Promise<string> =>
  (await admin.call('createArea', { body: bodyOf('area', { name }) })).body.data.id;

const rename = (admin: Person, area_id: string, name: string) =>
  admin.call('updateArea', { params: { area_id }, body: bodyOf('area', { name }) });

describe('getChanges', () => {
  it('200 begins now without a cursor, and goes on with one, deletions included', async () => {
    const { admin, enterprise, workspaceId } = await newWorld();
    const first = await changes(admin);
    expect(first.status).toBe(200);
    expect(first.body.data).toEqual([]);
    expect(first.body.meta.has_more).toBe(false);
    const { body: created } = await enterprise('createWorkingArea', {
      body: { location_id: workspaceId, working_area: { name: 'Bar', external_id: 'bar' } },
    });
    await rename(admin, String(created.id), 'Kitchen');
    await admin.call('deleteArea', { params: { area_id: created.id } });
    const { events, cursor } = await follow(admin, { cursor: first.body.meta.next_cursor, types: 'area' }, 3);
    expect(events).toMatchObject([
      {
        type: 'history_event',
        attributes: {
          name: 'area.created',
          actor_type: 'api_token',
          record_id: String(created.id),
          external_id: 'bar',
        },
        relationships: { workspace: { data: { type: 'workspace', id: String(workspaceId) } } },
      },
      { attributes: { name: 'area.updated', changes: { name: ['Bar', 'Kitchen'] } } },
      { attributes: { name: 'area.deleted', record_id: String(created.id), external_id: 'bar' } },
    ]);
    expect((await changes(admin, { cursor })).body.data).toEqual([]);
  });

  it('200 begins with the oldest event on request, and has pages of 1,000', async () => {
    const { admin, db, accountId, workspaceId } = await newWorld();
    const area = await createArea(admin, 'Bar');
    await insertEvents(db, { accountId, workspaceId, count: 2_500 });
    const { events } = await follow(admin, { from: 'beginning' }, 2_501);
    const beginning = await changes(admin, { from: 'beginning' });
    expect([beginning.body.data.length, beginning.body.meta.has_more]).toEqual([1000, true]);
    const own = events.filter(({ attributes }) => attributes.record_id === area);
    expect(namesIn(own)).toContain('area.created');
    const ids = events.map(({ id }) => Number(id));
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  it('200 with some types only, however rare they are', async () => {
    const { admin, db, accountId, workspaceId } = await newWorld();
    await insertEvents(db, { accountId, workspaceId, count: 25_000 });
    const area = await createArea(admin, 'Bar');
    await rename(admin, area, 'Kitchen');
    const { events } = await follow(admin, { from: 'beginning', types: 'area.updated, shift' }, 1);
    expect(namesIn(events)).toEqual(['area.updated']);
  });

  it('400 for types that do not exist, naming those that do', async () => {
    const { admin } = await newWorld();
    const response = await changes(admin, { types: 'area,shop,area.eaten' });
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['types', 'types']);
    expect(titlesIn(response)[0]).toMatch(/types does not know "shop"\. Allowed: absence, .*area.*workspace, or names/);
    expect(titlesIn(response)[1]).toBe(
      'types does not know "area.eaten". Allowed: area, area.created, area.updated, area.deleted.',
    );
  });

  it('400 for cursor and from together, and for another from', async () => {
    const { admin } = await newWorld();
    const both = await changes(admin, { cursor: await cursorNow(admin), from: 'beginning' });
    expect([both.status, pointersIn(both)]).toEqual([400, ['from']]);
    expect((await changes(admin, { from: 'end' })).status).toBe(400);
  });

  it('400 for a cursor that is forged, broken, or of another account', async () => {
    const { admin } = await newWorld();
    const { admin: other } = await newWorld();
    const cursor = await cursorNow(admin);
    const [place, signature] = cursor.split('.') as [string, string];
    const forged = [
      await cursorNow(other),
      `${Buffer.from('1.1.1').toString('base64url')}.${signature}`,
      `${place}.${signature.slice(1)}`,
      `${place}=.${signature}`,
      `${place}.${signature}.`,
      place,
      `${place}.`,
      '.',
      '1.1.1',
      'nonsense',
      '0',
    ];
    for (const wrong of forged) {
      const response = await changes(admin, { cursor: wrong });
      expect([wrong, response.status, pointersIn(response)]).toEqual([wrong, 400, ['cursor']]);
    }
    expect((await changes(admin, { cursor })).status).toBe(200);
  });

  it('200 has the events of one account only, whatever the cursor says', async () => {
    const [one, other] = [await newWorld(), await newWorld()];
    await createArea(one.admin, 'Ours');
    await createArea(other.admin, 'Theirs');
    const { events } = await follow(one.admin, { from: 'beginning', types: 'area' }, 1);
    expect(events.map(({ attributes }) => attributes.changes['name'])).toEqual([[null, 'Ours']]);
    expect((await changes(one.admin, {}, { params: { account_id: other.accountId } })).status).toBe(404);
  });

  it('403 for everybody but account admins, 404 for other accounts', async () => {
    const world = await newWorld();
    for (const person of [world.employee, await world.addMember('workspaceAdmin')])
      expect((await changes(person)).status).toBe(403);
    expect((await changes(world.stranger)).status).toBe(404);
  });

  it('410 for a cursor after which events were removed', async () => {
    const world = await newWorld();
    const cursor = await cursorNow(world.admin);
    await createArea(world.admin, 'Bar');
    const { cursor: later } = await follow(world.admin, { cursor, types: 'area' }, 1);
    await createArea(world.admin, 'Kitchen');
    await removeFirstEvent(world, 'area.created');
    const response = await changes(world.admin, { cursor });
    expect([response.status, pointersIn(response)]).toEqual([410, ['cursor']]);
    expect(titlesIn(response)[0]).toContain('Begin anew without cursor');
    expect(namesIn((await follow(world.admin, { cursor: later, types: 'area' }, 1)).events)).toEqual(['area.created']);
    expect((await changes(world.admin, { from: 'beginning' })).status).toBe(200);
  });

  it('410 for a cursor that is ahead, as after the restore of an older state', async () => {
    const { admin, accountId, db } = await newWorld();
    const { cursorOf } = cursorsWith(signedLinks('test key').sign);
    // Another test may have begun a new epoch.
    const { rows } = await sql<{ epoch: number }>`select current_event_epoch() as epoch`.execute(db);
    const { epoch } = rows[0]!;
    const cursor = cursorOf(accountId, { epoch, transactionId: '9000000000000000000', id: 1 });
    const response = await changes(admin, { cursor });
    expect([response.status, pointersIn(response)]).toEqual([410, ['cursor']]);
    expect(titlesIn(response)[0]).toContain('an older state of the database was restored');
  });

  it('200 names unknown parameters, or refuses them', async () => {
    const { admin } = await newWorld();
    expect((await changes(admin, { page: '2' })).body.meta.ignored).toEqual(['page=2']);
    const strict = { headers: { Prefer: 'handling=strict, wait=0' } };
    expect((await changes(admin, { page: '2' }, strict)).status).toBe(400);
    expect((await changes(admin, {}, strict)).headers['preference-applied']).toBe('handling=strict');
  });
});

/** Removes the oldest event of a name as housekeeping does. */
async function removeFirstEvent({ db, accountId }: World, name: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update events set at = '2000-01-01' where account_id = ${accountId}
      and id = (select min(id) from events where account_id = ${accountId} and name = ${name})
    returning id`.execute(db);
  await removeEvents(db, accountId, new Date('2000-01-02'), rows[0]!.id);
}

describe('isAfter', () => {
  it('orders by epoch, transaction and id, beyond the precision of numbers', () => {
    const at = (epoch: number, transactionId: string, id: number) => ({ epoch, transactionId, id });
    expect(isAfter(at(1, '9007199254740993', 1), at(1, '9007199254740992', 1))).toBe(true);
    expect(isAfter(at(1, '10', 1), at(1, '9', 5))).toBe(true);
    expect(isAfter(at(2, '1', 1), at(1, '9', 5))).toBe(true);
    expect(isAfter(at(1, '9', 5), at(1, '9', 5))).toBe(false);
  });
});
