import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { changes, cursorNow, namesIn } from '../../../../support/events/feed.ts';
import { service, serviceWith } from '../../../../support/service.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';

const createArea = (admin: Person, name: string) => admin.call('createArea', { body: bodyOf('area', { name }) });
const waiting = (seconds: number) => ({ headers: { Prefer: `wait=${seconds}` } });

const timed = async <T>(work: Promise<T>): Promise<{ result: T; seconds: number }> => {
  const startedAt = performance.now();
  return { result: await work, seconds: (performance.now() - startedAt) / 1000 };
};

describe('getChanges with Prefer: wait', () => {
  it('waits for the next event of the wanted types', async () => {
    const { admin } = await newWorld();
    const cursor = await cursorNow(admin);
    const answer = changes(admin, { cursor, types: 'area.updated' }, waiting(30));
    const { body: area } = await createArea(admin, 'Bar');
    await pause(1_500);
    await admin.call('updateArea', { params: { area_id: area.data.id }, body: bodyOf('area', { name: 'Kitchen' }) });
    const { body, headers } = await answer;
    expect(namesIn(body.data)).toEqual(['area.updated']);
    expect(headers['preference-applied']).toBe('wait=30');
  });

  it('ends without events when time is up, with a cursor that goes on', async () => {
    const { admin } = await newWorld();
    const { result, seconds } = await timed(changes(admin, {}, waiting(2)));
    expect(result.body.data).toEqual([]);
    expect(seconds).toBeGreaterThan(1.9);
    await createArea(admin, 'Bar');
    const next = await changes(admin, { cursor: result.body.meta.next_cursor }, waiting(30));
    expect(namesIn(next.body.data)).toContain('area.created');
  });

  it('takes 30 seconds at most, and understands several preferences', async () => {
    const { admin } = await newWorld();
    const cursor = await cursorNow(admin);
    await createArea(admin, 'Bar');
    const preferring = async (Prefer: string) =>
      (await changes(admin, { cursor }, { headers: { Prefer } })).headers['preference-applied'];
    expect(await preferring('wait=100')).toBe('wait=30');
    expect(await preferring('handling=strict, wait="5"')).toBe('handling=strict, wait=5');
    expect(await preferring('nowait=5')).toBeUndefined();
    expect(await preferring('wait=soon')).toBeUndefined();
  });

  it('lets 20 requests wait, without a connection to the database, and answers others at once', async () => {
    const { admin } = await newWorld();
    const at = await serviceWith({ RLS: 'full' }, {});
    const { database } = await service();
    const cursor = await cursorNow(admin);
    const waits = Array.from({ length: 21 }, () => changes(admin, { cursor }, { at, ...waiting(30) }));
    const first = await Promise.race(waits);
    expect([first.body.data, first.headers['preference-applied']]).toEqual([[], undefined]);
    expect(database.pool.totalCount - database.pool.idleCount).toBeLessThan(3);
    await createArea(admin, 'Bar');
    const others = (await Promise.all(waits)).filter((response) => response !== first);
    expect(others).toHaveLength(20);
    for (const { body } of others) expect(namesIn(body.data)).toContain('area.created');
  });

  it('401 or 403 if the credential or its right is gone when the wait ends', async () => {
    const world = await newWorld();
    const [leaver, demoted] = [await world.addMember('accountAdmin'), await world.addMember('accountAdmin')];
    const answers = [leaver, demoted].map((person) => changes(person, {}, waiting(3)));
    answers.forEach((answer) => answer.then(() => {}));
    await pause(500);
    expect((await leaver.call('signOut')).status).toBeLessThan(300);
    const { db, accountId } = world;
    await db
      .updateTable('users')
      .set({ is_account_admin: false })
      .where('account_id', '=', accountId)
      .where('id', '=', demoted.id)
      .execute();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 403]);
  });

  it('401 also where there is news by then', async () => {
    const world = await newWorld();
    const leaver = await world.addMember('accountAdmin');
    const answer = changes(leaver, { cursor: await cursorNow(leaver) }, waiting(30));
    answer.then(() => {});
    await pause(500);
    expect((await leaver.call('signOut')).status).toBeLessThan(300);
    await createArea(world.admin, 'Bar');
    expect((await answer).status).toBe(401);
  });

  it('ends when the process stops', async () => {
    let isStopping = false;
    const at = await serviceWith({}, { isStopping: () => isStopping });
    const { admin } = await newWorld();
    const answer = timed(changes(admin, {}, { at, ...waiting(30) }));
    await pause(500);
    isStopping = true;
    const { result, seconds } = await answer;
    expect(result.status).toBe(200);
    expect(seconds).toBeLessThan(15);
  });

  it('forgets requests whose client has gone', async () => {
    const { admin, accountId } = await newWorld();
    const { url } = await service();
    const gone = new AbortController();
    const address = `${url}/api/v3/accounts/${accountId}/changes`;
    const headers = { Authorization: `Bearer ${admin.token}`, Prefer: 'wait=30' };
    const waits = Array.from({ length: 20 }, () => fetch(address, { headers, signal: gone.signal }).catch(() => null));
    await pause(1_500);
    gone.abort();
    await Promise.all(waits);
    await pause(2_500);
    expect((await changes(admin, {}, waiting(1))).headers['preference-applied']).toBe('wait=1');
  });
});
