import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase, type Database } from '../../../src/platform/db/connection.ts';
import { startProxy, type Proxy } from '../../support/database/proxy.ts';
import { trackingsOf } from '../../support/punches.ts';
import { service, serviceWith } from '../../support/service.ts';
import { bodyOf, newWorld, type Person, type World } from '../../support/world.ts';

/*
 * The connection to PostgreSQL breaks while punches are stored. The response depends on whether they were stored, and none is
 * stored twice.
 */

/** The messages of PostgreSQL after a commit, and after it has locked the users of punches. */
const answers = { commit: /COMMIT\0/, lock: /rank\0/ };

let proxy: Proxy;
let database: Database;

beforeAll(async () => {
  proxy = await startProxy((await service()).directUrl!);
  database = await openDatabase({ url: proxy.url, poolSize: 5 });
});
afterAll(async () => {
  await database.close();
  await proxy.close();
});

/** Several people punch at the same moment, through the proxy. */
async function punchThroughProxy(world: World, lost: RegExp) {
  const people: Person[] = [];
  for (const name of ['Ada', 'Bea', 'Cleo', 'Dora']) people.push(await world.addMember('employee', name));
  const url = await serviceWith({}, { database });
  proxy.loseAnswer(lost);
  const body = bodyOf('action', { action_type: 'start' });
  const statuses = (await Promise.all(people.map((person) => person.call('createAction', { at: url, body })))).map(
    ({ status }) => status,
  );
  expect(proxy.hasLost).toBe(true);
  const actions = await world.db
    .selectFrom('actions')
    .select('user_id')
    .where('account_id', '=', world.accountId)
    .orderBy('user_id')
    .execute();
  const trackings = await Promise.all(people.map(async ({ id }) => (await trackingsOf(world, id)).length));
  return { people, statuses, actions: actions.map(({ user_id }) => user_id), trackings };
}

describe('punches', () => {
  it('503 where the answer to a commit is lost: all are stored, once', async () => {
    const { people, statuses, actions, trackings } = await punchThroughProxy(await newWorld(), answers.commit);
    expect([...new Set(statuses)].filter((status) => status !== 201)).toEqual([503]);
    expect(actions).toEqual(people.map(({ id }) => id));
    expect(trackings).toEqual([1, 1, 1, 1]);
  });

  it('503 where the connection is lost before a commit: that punch is not stored', async () => {
    const { people, statuses, actions } = await punchThroughProxy(await newWorld(), answers.lock);
    expect(statuses.toSorted()).toEqual([201, 201, 201, 503]);
    expect(actions).toEqual(people.filter((_, index) => statuses[index] === 201).map(({ id }) => id));
  });
});
