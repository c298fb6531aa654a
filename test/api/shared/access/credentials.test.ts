import supertest from 'supertest';
import { describe, expect, it } from 'vitest';
import { credentialsIn } from '../../../../src/access/auth/credentials.ts';
import { needsOneServer } from '../../../support/database/distribution.ts';
import { statementsDuring } from '../../../support/database/statements.ts';
import { service } from '../../../support/service.ts';
import { newWorld } from '../../../support/world.ts';

const options = { sessions: { idleDays: 0, maxDays: 0 }, clock: () => new Date() };

describe('actorWithToken', () => {
  it('finds the holder of a token with one statement, in a workspace of theirs or in none', async (context) => {
    needsOneServer(context, 'The directory of tokens leads to the server of the account there.');
    const [world, other] = [await newWorld(), await newWorld()];
    const { actorWithToken } = credentialsIn(world.db, options);
    const found: (number | undefined)[] = [];
    const statements = await statementsDuring(async () => {
      for (const workspaceId of [String(world.workspaceId), String(other.workspaceId), 'none', undefined]) {
        const actor = await actorWithToken(world.employee.token, workspaceId);
        expect(actor.userId).toBe(world.employee.id);
        found.push(actor.workspace?.id);
      }
    }, /access_tokens|users/);
    expect(found).toEqual([world.workspaceId, undefined, undefined, undefined]);
    expect(statements).toBe(4);
  });

  it('refuses an unknown token', async () => {
    const { db } = await newWorld();
    await expect(credentialsIn(db, options).actorWithToken('nobody', undefined)).rejects.toMatchObject({ status: 401 });
  });
});

describe('an api_token', () => {
  it.each(['%20', '%09', '%0A', '+'])('with a blank (%s) before or behind it is another one, 401', async (blank) => {
    const { apiToken } = await newWorld();
    const ping = (token: string) => supertest(url).get(`/public_api/v1/ping?api_token=${token}`);
    const { url } = await service();
    expect((await ping(apiToken)).status).toBe(200);
    for (const token of [apiToken + blank, blank + apiToken]) expect((await ping(token)).status).toBe(401);
    const body = { api_token: apiToken + decodeURIComponent(blank.replace('+', ' ')) };
    expect((await supertest(url).get('/public_api/v1/ping').send(body)).status).toBe(401);
    const form = supertest(url).get('/public_api/v1/ping').query({ 'api_token[]': apiToken });
    expect((await form).status).toBe(401);
  });
});

describe('a change to what a credential stands for', () => {
  it('is seen by the next request', async () => {
    const { admin, employee } = await newWorld();
    const status = async () => (await employee.call('getWorkspace')).status;
    expect([await status(), await status()]).toEqual([200, 200]);
    expect((await admin.call('deleteUser', { params: { user_id: employee.id } })).status).toBe(200);
    expect(await status()).toBe(401);
  });

  it('is seen where another process made it', async () => {
    const { db, accountId, employee } = await newWorld();
    const status = async () => (await employee.call('getWorkspace')).status;
    expect(await status()).toBe(200);
    await db
      .updateTable('users')
      .set({ status: 'inactive' })
      .where('account_id', '=', accountId)
      .where('id', '=', employee.id)
      .execute();
    expect(await status()).toBe(401);
  });

  it('is seen at once: a token that is signed out no longer works', async () => {
    const { employee } = await newWorld();
    expect((await employee.call('getCurrentUser')).status).toBe(200);
    expect((await employee.call('signOut')).status).toBeLessThan(300);
    expect((await employee.call('getCurrentUser')).status).toBe(401);
  });
});

describe('concurrent requests', () => {
  it('are each authenticated by their own token', async () => {
    const worlds = [await newWorld(), await newWorld()];
    const people = worlds.flatMap(({ admin, employee, stranger }) => [admin, employee, stranger]);
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        ...people.map((person) => person.call('getCurrentUser')),
        people[0]!.call('getCurrentUser', { headers: { Authorization: 'Bearer nobody' } }),
        // From another account, where the workspace does not exist.
        people[3]!.call('getWorkspace', { params: { workspace_id: worlds[0]!.workspaceId } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([...people.map(() => 200), 401, 404]);
      expect(answers.slice(0, people.length).map(({ body }) => body.data.id)).toEqual(
        people.map(({ id }) => String(id)),
      );
    }
  });
});
