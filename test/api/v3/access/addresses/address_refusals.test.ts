import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../../support/client.ts';
import { newEmail, password, signUp } from '../../../../support/people.ts';
import { serviceWith } from '../../../../support/service.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';
import { generalToken, join } from '../invitations/support.ts';

/** A network of its own for each test, and room for three questions. */
const newNetwork = () => ({ 'X-Forwarded-For': `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}` });
const limited = (limit = '3') => serviceWith({ ADDRESS_REFUSALS_PER_HOUR: limit, TRUST_PROXY: 'true' });

/** A caller of every door, from a network. The addresses of others are proven. */
async function doors(headers: Record<string, string>, limit?: string) {
  const at = await limited(limit);
  const world = await newWorld();
  const { admin, employee, enterprise, workspaceId, stranger } = world;
  const options = { at, headers };
  const user = (email: string) => ({ username: 'Robin', email, location_ids: [workspaceId] });
  const token = await generalToken(world);
  const ask = {
    create: (email: string) =>
      admin.call('createUser', { ...options, body: bodyOf('user', { username: 'Robin', email }) }),
    update: (email: string) =>
      admin.call('updateUser', { ...options, params: { user_id: employee.id }, body: bodyOf('user', { email }) }),
    createPublic: (email: string) => enterprise('createPublicUser', { ...options, body: { user: user(email) } }),
    updatePublic: (email: string) =>
      enterprise('updatePublicUser', { ...options, body: { user: { id: employee.id, email } } }),
    join: (email: string) => join({ token, email }, options),
    signUp: (email: string) => signUp({ email, password, username: 'Robin' }, options),
  };
  return { ...world, ask, taken: stranger.email };
}

describe('addresses of other accounts', () => {
  it.each(['create', 'update', 'createPublic', 'updatePublic', 'join'] as const)(
    '429 after too many refusals of one account, from any network: %s',
    async (door) => {
      const { ask, taken, admin } = await doors(newNetwork());
      const statuses = [];
      for (let count = 0; count < 4; count++) statuses.push((await ask[door](taken)).status);
      expect(statuses).toEqual([400, 400, 400, 429]);
      // The doors count together, and a free address is no answer either.
      const at = await limited();
      const elsewhere = await admin.call('createUser', {
        at,
        headers: newNetwork(),
        body: bodyOf('user', { username: 'Robin', email: newEmail() }),
      });
      expect([elsewhere.status, elsewhere.body.errors[0].code]).toEqual([429, 'rate_limited']);
      expect(Number(elsewhere.headers['retry-after'])).toBeGreaterThan(3500);
      // Requests without an address go on.
      const nameless = await admin.call('createUser', { at, body: bodyOf('user', { username: 'Robin' }) });
      expect(nameless.status).toBe(201);
    },
  );

  it('429 after too many refusals from one network, in whatever accounts and with none', async () => {
    const headers = newNetwork();
    const [one, other] = [await doors(headers), await doors(headers)];
    expect((await one.ask.signUp(one.taken)).status).toBe(400);
    expect((await one.ask.create(one.taken)).status).toBe(400);
    expect((await other.ask.join(other.taken)).status).toBe(400);
    for (const refused of [
      await one.ask.signUp(newEmail()),
      await other.ask.createPublic(newEmail()),
      await other.ask.update(newEmail()),
      await other.ask.join(newEmail()),
    ])
      expect(refused.status).toBe(429);
    expect((await (await doors(newNetwork())).ask.signUp(newEmail())).status).toBe(201);
  });

  it('400 for no more than so many that are asked for at the same moment', async () => {
    const { ask, taken } = await doors(newNetwork());
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask.create(taken)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });

  it('400 any number of times for an address of a colleague, and where the limit is off', async () => {
    const own = await doors(newNetwork());
    for (let count = 0; count < 5; count++) {
      const refused = await own.ask.create(own.admin.email);
      expect([refused.status, pointersIn(refused)]).toEqual([400, ['email']]);
    }
    const unlimited = await doors(newNetwork(), '0');
    for (let count = 0; count < 5; count++) expect((await unlimited.ask.create(unlimited.taken)).status).toBe(400);
  });
});
