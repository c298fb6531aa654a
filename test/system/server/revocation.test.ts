import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCredentials } from '../../../src/programs/demo/credentials.ts';
import { runProgram, startServer, temporaryFolder, type Running } from '../../support/processes/process.ts';
import { ask, newDatabase } from './support.ts';

/*
 * One process revokes a credential that another one has just accepted. Once the first has answered, the second refuses it.
 */

const { admin, employee, password } = demoCredentials;

describe('a credential that another process has revoked', { timeout: 120_000 }, () => {
  const { folder, remove } = temporaryFolder();
  let database: pg.Client;
  let servers: Running[] = [];
  let one: string;
  let two: string;
  let adminToken: string;
  let workspace: string;
  let account: string;

  beforeAll(async () => {
    const url = await newDatabase();
    const environment = { DATABASE_URL: url, DATA_DIR: folder, WORKERS: 'off' };
    expect(await runProgram('cli', ['seed'], environment)).toMatchObject({ code: 0 });
    servers = [await startServer(environment), await startServer(environment)];
    [one, two] = servers.map((server) => server.url) as [string, string];
    database = new pg.Client({ connectionString: url });
    await database.connect();
    adminToken = await signIn(admin);
    const { relationships } = (await ask(one, 'GET', '/users/me', adminToken)).body.data;
    workspace = relationships['workspaces']!.data[0]!.id;
    account = (relationships['account'] as unknown as { data: { id: string } }).data.id;
  }, 240_000);
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await database.end();
    remove();
  });

  const signIn = async (email: string): Promise<string> => {
    const { status, body } = await ask(one, 'POST', '/sign_in', undefined, { email, password });
    expect(status).toBe(200);
    return body.data.attributes['access_token']!;
  };

  /** The second process accepts a credential until the first one has answered the request that revokes it. */
  async function expectRefusal(askSecond: () => Promise<number>, revoke: () => Promise<number>): Promise<void> {
    expect(await askSecond()).toBe(200);
    expect(await revoke()).toBeLessThan(300);
    expect(await askSecond()).toBeGreaterThan(400);
  }

  const me = (token: string) => async () => (await ask(two, 'GET', '/users/me', token)).status;

  it('is refused after signing out', async () => {
    const token = await signIn(employee);
    await expectRefusal(me(token), async () => (await ask(one, 'DELETE', '/sign_out', token)).status);
  });

  it('is refused where its user is deleted', async () => {
    const email = 'leaver@example.com';
    const path = `/workspaces/${workspace}/users`;
    const { body } = await ask(one, 'POST', path, adminToken, { username: 'Leaver', email });
    await database.query(
      `update users set password_hash = (select password_hash from users where account_id = $3 and email = $1)
       where account_id = $3 and email = $2`,
      [employee, email, account],
    );
    const token = await signIn(email);
    await expectRefusal(
      me(token),
      async () => (await ask(one, 'DELETE', `${path}/${body.data.id}`, adminToken)).status,
    );
  });

  it('loses a right where the role of its user changes', async () => {
    const token = await signIn(employee);
    const { id } = (await ask(one, 'GET', '/users/me', token)).body.data;
    const setRole = async (role: number) =>
      (await ask(one, 'PATCH', `/workspaces/${workspace}/users/${id}`, adminToken, { role_ids: [String(role)] }))
        .status;
    const asAdmin = async () => (await ask(two, 'GET', `/accounts/${account}/api_tokens`, token)).status;
    expect(await setRole(4)).toBe(200);
    await expectRefusal(asAdmin, () => setRole(1));
  });

  it('is refused where it is a token of the public API', async () => {
    const path = `/accounts/${account}/api_tokens`;
    const { body } = await ask(one, 'POST', path, adminToken, { name: 'Payroll' }, 'api_token');
    const ping = `${two}/public_api/v1/ping?api_token=${body.data.attributes['token']}`;
    await expectRefusal(
      async () => (await fetch(ping)).status,
      async () => (await ask(one, 'DELETE', `${path}/${body.data.id}`, adminToken)).status,
    );
  });
});
