import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { changesIn } from '../../../../support/events/recorded.ts';
import { insertArea } from '../../../../support/records.ts';
import { newRoster } from '../../../../support/shifts/shifts.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';
import { createFeed, newFeed, read } from './support.ts';

const of = ({ id }: Person, more: object = {}) => ({ params: { user_id: id, ...more } });

describe('createCalendarFeed', () => {
  it('201 for oneself by default, with an address that is shown once and stored as a hash', async () => {
    const { db, accountId, employee } = await newWorld();
    const { status, body, headers } = await createFeed(employee);
    expect(status).toBe(201);
    expect(headers['cache-control']).toBe('no-store');
    expect(body.data).toMatchObject({
      type: 'calendar_feed',
      attributes: { name: '', scope: 'own' },
      relationships: { user: { data: { id: String(employee.id) } }, workspace: { data: null }, area: { data: null } },
    });
    const { url } = body.data.attributes;
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/calendars\/pcf_[\w-]{43}\.ics$/);
    const secret = /pcf_[\w-]{43}/.exec(url)![0];
    const rows = await db.selectFrom('calendar_feeds').selectAll().where('account_id', '=', accountId).execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(secret);
    const listed = await employee.call('listCalendarFeeds', of(employee));
    expect(listed.body.data).toHaveLength(1);
    expect(JSON.stringify(listed.body)).not.toContain('pcf_');
    expect(await read(new URL(url).pathname)).toMatchObject({ status: 200 });
  });

  it('201 for a workspace or an area by its admins', async () => {
    const { admin, barAdmin, workspaceId, bar, kitchen } = await newRoster();
    for (const person of [admin, barAdmin]) {
      const whole = await createFeed(person, { scope: 'workspace', workspace_id: workspaceId, name: 'Wall' });
      expect(whole.status).toBe(201);
      expect(whole.body.data.attributes.name).toBe('Wall');
      expect(whole.body.data.relationships).toMatchObject({ workspace: { data: { id: String(workspaceId) } } });
      for (const area_id of [bar, kitchen]) {
        const part = await createFeed(person, { scope: 'area', workspace_id: workspaceId, area_id });
        expect(part.body.data.relationships).toMatchObject({ area: { data: { id: String(area_id) } } });
      }
    }
  });

  it('400 for a scope without what it covers, and for what does not fit it', async () => {
    const { admin, workspaceId, bar } = await newRoster();
    const refused = async (attributes: object) => {
      const response = await createFeed(admin, attributes);
      expect(response.status).toBe(400);
      return pointersIn(response).sort();
    };
    expect(await refused({ scope: 'workspace' })).toEqual(['workspace_id']);
    expect(await refused({ scope: 'area' })).toEqual(['area_id', 'workspace_id']);
    expect(await refused({ scope: 'moon' })).toEqual(['scope']);
    expect(await refused({ workspace_id: workspaceId, area_id: bar })).toEqual(['area_id', 'workspace_id']);
    expect(await refused({ scope: 'workspace', workspace_id: workspaceId, area_id: bar })).toEqual(['area_id']);
    expect(await refused({ name: 'x'.repeat(256) })).toEqual(['name']);
  });

  it('400 for workspaces and areas that the caller does not see, and for an area of another workspace', async () => {
    const roster = await newRoster();
    const abroad = await newRoster();
    const { admin, employee, barAdmin, workspaceId, bar } = roster;
    const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
    const elsewhere = Number(body.data.id);
    const store = await insertArea({ ...roster, workspaceId: elsewhere }, 'Store', []);
    for (const [person, attributes, pointer] of [
      [admin, { scope: 'workspace', workspace_id: abroad.workspaceId }, 'workspace_id'],
      [admin, { scope: 'workspace', workspace_id: 'x' }, 'workspace_id'],
      [barAdmin, { scope: 'workspace', workspace_id: elsewhere }, 'workspace_id'],
      [employee, { scope: 'workspace', workspace_id: elsewhere }, 'workspace_id'],
      [admin, { scope: 'area', workspace_id: workspaceId, area_id: abroad.bar }, 'area_id'],
      [admin, { scope: 'area', workspace_id: workspaceId, area_id: store }, 'area_id'],
      [barAdmin, { scope: 'area', workspace_id: elsewhere, area_id: store }, 'workspace_id'],
    ] as const) {
      const response = await createFeed(person, attributes);
      expect([attributes, response.status, pointersIn(response)]).toEqual([attributes, 400, [pointer]]);
    }
    await admin.call('deleteArea', { params: { area_id: bar } });
    expect((await createFeed(admin, { scope: 'area', workspace_id: workspaceId, area_id: bar })).status).toBe(400);
  });

  it('400 for more than 20', async () => {
    const { employee } = await newWorld();
    for (let count = 0; count < 20; count++) await newFeed(employee);
    const response = await createFeed(employee);
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual(['You have 20 calendar feeds, and 20 are allowed. Revoke one first.']);
  });

  it('403 for others, and for a workspace by an employee; 404 for those who are no users of the account', async () => {
    const { admin, employee, stranger, workspaceId } = await newWorld();
    expect((await createFeed(admin, {}, employee.id)).status).toBe(403);
    expect((await createFeed(employee, {}, admin.id)).status).toBe(403);
    expect((await createFeed(employee, { scope: 'workspace', workspace_id: workspaceId })).status).toBe(403);
    expect((await createFeed(admin, {}, stranger.id)).status).toBe(404);
  });

  it('leaves events about creation and revocation, without the secret', async () => {
    const world = await newWorld();
    const { employee } = world;
    const { id, path } = await newFeed(employee, { name: 'Phone' });
    await employee.call('deleteCalendarFeed', of(employee, { calendar_feed_id: id }));
    const changes = await changesIn(world, 'calendar_feed');
    expect(changes).toEqual([
      { 'calendar_feed.created': { name: [null, 'Phone'], scope: [null, 'own'] } },
      { 'calendar_feed.deleted': { name: ['Phone', null], scope: ['own', null] } },
    ]);
    const { body } = await employee.call('listEvents', { query: { 'filter[record_type]': 'eq:calendar_feed' } });
    expect(body.data).toHaveLength(2);
    expect(JSON.stringify(body)).not.toContain(path.slice(11, 30));
  });
});

describe('listCalendarFeeds', () => {
  it('200 filtered and sorted, one’s own alone', async () => {
    const { admin, employee, workspaceId } = await newWorld();
    await newFeed(admin, { name: 'Wall', scope: 'workspace', workspace_id: workspaceId });
    await newFeed(admin, { name: 'Phone' });
    await newFeed(employee, { name: 'Tablet' });
    const names = async (query: object) =>
      (await admin.call('listCalendarFeeds', { ...of(admin), query: query as never })).body.data.map(
        ({ attributes }: { attributes: { name: string } }) => attributes.name,
      );
    expect(await names({})).toEqual(['Wall', 'Phone']);
    expect(await names({ sort: 'name' })).toEqual(['Phone', 'Wall']);
    expect(await names({ 'filter[scope]': 'eq:own' })).toEqual(['Phone']);
  });

  it('400 for a bad page, 403 for the feeds of others, 404 for those who are no users of the account', async () => {
    const { admin, employee, stranger } = await newWorld();
    expect((await admin.call('listCalendarFeeds', { ...of(admin), query: { page: 0 } })).status).toBe(400);
    expect((await admin.call('listCalendarFeeds', of(employee))).status).toBe(403);
    expect((await employee.call('listCalendarFeeds', of(admin))).status).toBe(403);
    expect((await admin.call('listCalendarFeeds', of(stranger))).status).toBe(404);
  });
});

describe('deleteCalendarFeed', () => {
  it('200 revokes the address at once, and leaves other feeds alone', async () => {
    const { employee } = await newWorld();
    const [gone, kept] = [await newFeed(employee), await newFeed(employee)];
    expect((await read(gone.path)).status).toBe(200);
    const { status, body } = await employee.call('deleteCalendarFeed', of(employee, { calendar_feed_id: gone.id }));
    expect([status, body.data.id, body.data.attributes.url]).toEqual([200, gone.id, undefined]);
    expect((await read(gone.path)).status).toBe(404);
    expect((await read(kept.path)).status).toBe(200);
  });

  it('403 and 404 for the feeds of others, 404 for one that is revoked', async () => {
    const { admin, employee } = await newWorld();
    const { id, path } = await newFeed(employee);
    const remove = (person: Person, user: Person, calendar_feed_id = id) =>
      person.call('deleteCalendarFeed', of(user, { calendar_feed_id }));
    expect((await remove(admin, employee)).status).toBe(403);
    expect((await remove(admin, admin)).status).toBe(404);
    expect((await remove(employee, employee, 'x')).status).toBe(404);
    expect((await read(path)).status).toBe(200);
    expect((await remove(employee, employee)).status).toBe(200);
    expect((await remove(employee, employee)).status).toBe(404);
  });
});
