import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { insertEvents } from '../../../../support/events/rows.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';

const listed = async (person: Person, query: Record<string, string> = {}): Promise<string[]> => {
  const { status, body } = await person.call('listEvents', { query: { items: '100', ...query } });
  expect(status).toBe(200);
  return body.data.map(({ attributes }: { attributes: { name: string } }) => attributes.name);
};

describe('listEvents', () => {
  it('200 shows admins all of the workspace, and others what is about themselves', async () => {
    const world = await newWorld();
    const { db, accountId, workspaceId, admin, employee } = world;
    const [areaAdmin, workspaceAdmin] = [await world.addMember('areaAdmin'), await world.addMember('workspaceAdmin')];
    const here = { accountId, workspaceId };
    const everywhere = { accountId, workspaceId: null };
    await insertEvents(db, { ...here, name: 'tag.created' });
    await insertEvents(db, { ...here, name: 'absence.requested', userId: employee.id });
    await insertEvents(db, { ...here, name: 'absence.confirmed', userId: areaAdmin.id });
    await insertEvents(db, { ...everywhere, name: 'user.updated', userId: employee.id });
    await insertEvents(db, { ...everywhere, name: 'user.deleted', userId: 999_999_999 });
    await insertEvents(db, { ...everywhere, name: 'api_token.created' });
    await insertEvents(db, {
      accountId,
      workspaceId: workspaceId + 1_000_000,
      name: 'absence.reset',
      userId: employee.id,
    });
    // A shift may be a draft, a warning is for admins, and a document may be kept from the user.
    for (const name of ['assignment.created', 'notification.deleted', 'file.created'])
      await insertEvents(db, { ...here, name, userId: employee.id });
    const hidden = ['assignment.created', 'notification.deleted', 'file.created'];
    const ofWorkspace = ['tag.created', 'absence.requested', 'absence.confirmed', 'user.updated'];
    expect(await listed(employee)).toEqual(['absence.requested', 'user.updated']);
    expect(await listed(areaAdmin)).toEqual(['absence.confirmed']);
    const all = [...ofWorkspace, 'user.deleted', 'api_token.created', ...hidden];
    const inserted = async (person: Person) => (await listed(person)).filter((name) => all.includes(name));
    expect(await inserted(workspaceAdmin)).toEqual([...ofWorkspace, ...hidden]);
    expect(await inserted(admin)).toEqual(all);
    expect(await listed(admin)).not.toContain('absence.reset');
    expect((await world.stranger.call('listEvents')).status).toBe(404);
  });

  it('200 filters by the id that is shown, a number or a UUID', async () => {
    const { admin, db, accountId, workspaceId } = await newWorld();
    const { body: area } = await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    const recordUuid = randomUUID();
    await insertEvents(db, { accountId, workspaceId, name: 'time_tracking.created', recordUuid });
    const shownIds = async (ids: string) => {
      const { body } = await admin.call('listEvents', { query: { 'filter[record_id]': ids } });
      return body.data.map(({ attributes }: { attributes: { record_id: string } }) => attributes.record_id);
    };
    expect(await shownIds(recordUuid)).toEqual([recordUuid]);
    expect(await shownIds(recordUuid.toUpperCase())).toEqual([recordUuid]);
    expect(await shownIds(`${area.data.id}, ${recordUuid}`)).toEqual([area.data.id, recordUuid]);
    expect(await shownIds(randomUUID())).toEqual([]);
    expect(await shownIds('nonsense')).toEqual([]);
    expect(await shownIds(`eq:${recordUuid}`)).toEqual([recordUuid]);
    expect(await shownIds(`in:${area.data.id},${recordUuid}`)).toEqual([area.data.id, recordUuid]);
    expect(await shownIds(`pre:${area.data.id}`)).toContain(area.data.id);
  });

  it('200 filters by name, type, user, actor and time', async () => {
    const { admin, employee, db, accountId, workspaceId } = await newWorld();
    await admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    const old = { accountId, workspaceId, name: 'absence.requested', at: '2026-01-01T12:00:00Z', userId: employee.id };
    await insertEvents(db, old);
    expect(await listed(admin, { 'filter[name]': 'eq:area.created' })).toEqual(['area.created']);
    expect(await listed(admin, { 'filter[record_type]': 'eq:absence' })).toEqual(['absence.requested']);
    expect(
      await listed(admin, { 'filter[user_id]': String(employee.id), 'filter[record_type]': 'eq:absence' }),
    ).toEqual(['absence.requested']);
    expect(await listed(admin, { 'filter[actor_id]': `eq:${admin.id}` })).toContain('area.created');
    expect(await listed(admin, { 'filter[actor_id]': `eq:${admin.id}` })).not.toContain('absence.requested');
    expect(await listed(admin, { 'filter[at]': 'lt:2026-01-02' })).toEqual(['absence.requested']);
  });

  it('400 for too many items', async () => {
    const { admin } = await newWorld();
    expect((await admin.call('listEvents', { query: { items: '500' } })).status).toBe(400);
  });
});
