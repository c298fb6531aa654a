import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { absenceOf, at, fullDays, typeOf } from '../../../../support/absences.ts';
import { serviceWith } from '../../../../support/service.ts';
import { newRoster, type RosterWorld } from '../../../../support/shifts/shifts.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';
import { eventsAt, head, newFeed, now, read, textAt } from './support.ts';

const statusAt = async (path: string): Promise<number> => (await read(path)).status;

const setRole = ({ db, accountId, workspaceId }: World, { id }: Person, role: number) =>
  db
    .updateTable('memberships')
    .set({ role })
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', id)
    .execute();

const absent = async (world: World, person: Person, day: string, isConfirmed = true): Promise<void> => {
  const id = await absenceOf(world, person, { ...fullDays(day), title: 'Spa in secret', notes_attributes: [] });
  if (isConfirmed) await world.admin.call('confirmAbsence', at(id));
};

const shownIn = async (path: string) => (await eventsAt(path)).map(({ summary, status }) => `${summary} ${status}`);

describe('an address', () => {
  it('returns the calendar without a credential, for caches of one person only, and 304 if nothing has changed', async () => {
    const world = await newWorld();
    const { path } = await newFeed(world.employee);
    const { status, headers } = await read(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'cache-control': 'private, no-cache',
      'content-disposition': 'attachment; filename="calendar.ics"',
    });
    const same = await read(path, { 'If-None-Match': headers['etag']! });
    expect([same.status, same.text, same.headers['etag']]).toEqual([304, '', headers['etag']]);
    await absent(world, world.employee, '2026-07-06');
    expect((await read(path, { 'If-None-Match': headers['etag']! })).status).toBe(200);
    const only = await head(path);
    expect([only.status, only.text ?? '']).toEqual([200, '']);
    expect(only.headers['content-type']).toBe('text/calendar; charset=utf-8');
  });

  it('404 in the same words whether it is malformed, unknown or revoked', async () => {
    const { employee } = await newWorld();
    const { id, path } = await newFeed(employee);
    await employee.call('deleteCalendarFeed', { params: { user_id: employee.id, calendar_feed_id: id } });
    const unknown = `/calendars/pcf_${'x'.repeat(43)}.ics`;
    for (const address of [path, unknown, '/calendars/x.ics', '/calendars/%00.ics', path.replace('pcf_', 'pcf_A')]) {
      const { status, body } = await read(address);
      expect([address, status, body.errors[0].title]).toEqual([address, 404, 'The calendar could not be found.']);
    }
  });

  it('404 while the user is inactive, and for good once they are deleted', async () => {
    const world = await newWorld();
    const { db, accountId, admin, employee } = world;
    const { path } = await newFeed(employee);
    const setStatus = (status: string) =>
      admin.call('updateUserStatus', { params: { user_id: employee.id }, body: bodyOf('user', { status }) });
    await setStatus('inactive');
    expect(await statusAt(path)).toBe(404);
    await setStatus('active');
    expect(await statusAt(path)).toBe(200);
    await admin.call('deleteUser', { params: { user_id: employee.id } });
    expect(await statusAt(path)).toBe(404);
    const rows = await db.selectFrom('calendar_feeds').select('id').where('account_id', '=', accountId).execute();
    expect(rows).toEqual([]);
  });

  it('404 while the role that it needs is lost or switched', async () => {
    const world = await newRoster();
    const { barAdmin, workspaceId, bar } = world;
    const own = await newFeed(barAdmin);
    const whole = await newFeed(barAdmin, { scope: 'workspace', workspace_id: workspaceId });
    const area = await newFeed(barAdmin, { scope: 'area', workspace_id: workspaceId, area_id: bar });
    const statuses = async () => [await statusAt(own.path), await statusAt(whole.path), await statusAt(area.path)];
    expect(await statuses()).toEqual([200, 200, 200]);
    await setRole(world, barAdmin, 1);
    expect(await statuses()).toEqual([200, 404, 404]);
    await setRole(world, barAdmin, 2);
    expect(await statuses()).toEqual([200, 200, 200]);
    await barAdmin.call('switchRole');
    expect(await statuses()).toEqual([200, 404, 404]);
    await barAdmin.call('switchRole');
    expect(await statuses()).toEqual([200, 200, 200]);
    await world.admin.call('deleteArea', { params: { area_id: bar } });
    expect(await statuses()).toEqual([200, 200, 404]);
  });

  it('429 after as many requests in a minute as the operator allows an IP address', async () => {
    const { employee } = await newWorld();
    const { path } = await newFeed(employee);
    const at = await serviceWith({ RATE_LIMIT_PER_MINUTE: '2' }, { clock: () => now });
    const statuses: number[] = [];
    for (const address of [path, '/calendars/x.ics', path, path])
      statuses.push((await supertest(at).get(address)).status);
    expect(statuses).toEqual([200, 404, 429, 429]);
  });
});

/** Two areas with an employee and an admin each, and absences of everybody. */
async function newStaff(): Promise<RosterWorld & { cook: Person }> {
  const roster = await newRoster();
  const cook = await roster.addMember('employee', 'Cook');
  const { db, accountId, bar, kitchen, employee } = roster;
  for (const [area_id, user_id] of [
    [bar, employee.id],
    [kitchen, cook.id],
  ] as const)
    await db.insertInto('area_members').values({ account_id: accountId, area_id, user_id }).execute();
  return { ...roster, cook };
}

describe('a feed of a workspace', () => {
  it('says that members are absent, never why, for one’s own absences too', async () => {
    const world = await newStaff();
    const { db, accountId, admin, employee, cook, workspaceId } = world;
    await absent(world, cook, '2026-07-06');
    await absent(world, employee, '2026-07-07');
    await absent(world, admin, '2026-07-08');
    const feed = await newFeed(admin, { scope: 'workspace', workspace_id: workspaceId });
    const text = await textAt(feed.path);
    expect(await eventsAt(feed.path)).toMatchObject([
      { summary: 'Cook: abwesend', description: null, transparency: 'TRANSPARENT' },
      { summary: 'employee: abwesend', description: null, transparency: 'TRANSPARENT' },
      { summary: 'admin: abwesend', description: null, transparency: 'TRANSPARENT' },
    ]);
    const type = await db
      .selectFrom('absence_types')
      .select('title')
      .where('account_id', '=', accountId)
      .where('id', '=', await typeOf(world))
      .executeTakeFirstOrThrow();
    for (const secret of ['Spa in secret', type.title, 'vacation']) expect(text).not.toContain(secret);
  });

  it('has absences that nobody has decided about only for those who may read them', async () => {
    const world = await newStaff();
    const { admin, barAdmin, employee, cook, workspaceId } = world;
    await absent(world, cook, '2026-07-06', false);
    await absent(world, employee, '2026-07-07', false);
    await absent(world, cook, '2026-07-08');
    const scope = { scope: 'workspace', workspace_id: workspaceId };
    expect(await shownIn((await newFeed(admin, scope)).path)).toEqual([
      'Cook: abwesend TENTATIVE',
      'employee: abwesend TENTATIVE',
      'Cook: abwesend CONFIRMED',
    ]);
    expect(await shownIn((await newFeed(barAdmin, scope)).path)).toEqual([
      'employee: abwesend TENTATIVE',
      'Cook: abwesend CONFIRMED',
    ]);
  });

  it('has nothing of other workspaces and accounts, and nobody who has left', async () => {
    const [world, abroad] = [await newStaff(), await newStaff()];
    const { admin, cook, employee, workspaceId } = world;
    await absent(abroad, abroad.cook, '2026-07-06');
    const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Elsewhere' }) });
    const elsewhere = await newFeed(admin, { scope: 'workspace', workspace_id: body.data.id });
    await absent(world, cook, '2026-07-07');
    await absent(world, employee, '2026-07-08');
    const here = await newFeed(admin, { scope: 'workspace', workspace_id: workspaceId });
    expect(await shownIn(elsewhere.path)).toEqual([]);
    await admin.call('deleteUser', { params: { user_id: cook.id } });
    expect(await shownIn(here.path)).toEqual(['employee: abwesend CONFIRMED']);
  });
});

describe('a feed of an area', () => {
  it('has the absences of its members alone', async () => {
    const world = await newStaff();
    const { admin, employee, cook, workspaceId, kitchen } = world;
    await absent(world, cook, '2026-07-06');
    await absent(world, employee, '2026-07-07');
    const feed = await newFeed(admin, { scope: 'area', workspace_id: workspaceId, area_id: kitchen });
    expect(await shownIn(feed.path)).toEqual(['Cook: abwesend CONFIRMED']);
  });
});

describe('a feed of one’s own', () => {
  it('has the titles of one’s own absences, and nobody else’s', async () => {
    const world = await newStaff();
    await absent(world, world.cook, '2026-07-06');
    await absent(world, world.admin, '2026-07-07');
    expect(await shownIn((await newFeed(world.admin)).path)).toEqual(['Spa in secret CONFIRMED']);
  });
});
