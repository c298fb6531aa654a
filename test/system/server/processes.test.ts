import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCredentials } from '../../../src/programs/demo/credentials.ts';
import {
  runProgram,
  startProcess,
  startServer,
  temporaryFolder,
  type Running,
} from '../../support/processes/process.ts';
import { lockWaits } from '../../support/database/distribution.ts';
import { ask, eventually, newDatabase } from './support.ts';

describe('several processes on one PostgreSQL', { timeout: 120_000 }, () => {
  const { folder, remove } = temporaryFolder();
  let environment: Record<string, string>;
  let database: pg.Client;
  let servers: Running[] = [];
  let token: string;
  let workspace: string;

  beforeAll(async () => {
    const url = await newDatabase();
    environment = { DATABASE_URL: url, DATA_DIR: folder, WORKERS: 'off' };
    database = new pg.Client({ connectionString: url });
    await database.connect();
    servers = await Promise.all([1, 2, 3, 4].map(() => startServer(environment)));
  }, 240_000);
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await database.end();
    remove();
  });

  it('started at once: exactly one has migrated', () => {
    const migrated = servers.filter((server) => server.output().includes('Migrated: 0001'));
    const found = servers.filter((server) => server.output().includes('The schema is up to date.'));
    expect([migrated.length, found.length]).toEqual([1, 3]);
  });

  it('have no demo organisation until somebody asks for it', async () => {
    expect((await database.query('select from accounts')).rowCount).toBe(0);
    expect(servers[0]!.output()).not.toContain('demo-password');
    for (const round of ['Created the demo organisation', 'already exists']) {
      expect(await runProgram('cli', ['seed'], environment)).toMatchObject({
        code: 0,
        output: expect.stringContaining(round),
      });
    }
    expect((await database.query('select from accounts')).rowCount).toBe(1);
  });

  it('serve the same data', async () => {
    const [one, two] = servers.map((server) => server.url) as [string, string];
    const { admin: email, password } = demoCredentials;
    const signIn = await ask(one, 'POST', '/sign_in', undefined, { email, password });
    expect(signIn.status).toBe(200);
    token = signIn.body.data.attributes['access_token']!;
    const me = await ask(two, 'GET', '/users/me', token);
    workspace = me.body.data.relationships['workspaces']!.data[0]!.id;
    const area = await ask(one, 'POST', `/workspaces/${workspace}/areas`, token, { name: 'Veranda' }, 'area');
    expect(area.status).toBe(201);
    const shown = await ask(two, 'GET', `/workspaces/${workspace}/areas/${area.body.data.id}`, token);
    expect(shown.body.data.attributes).toMatchObject({ name: 'Veranda' });
  });

  it('leave mail to a worker where WORKERS is off', async () => {
    const mails = (): string[] => (existsSync(path.join(folder, 'mail')) ? readdirSync(path.join(folder, 'mail')) : []);
    const created = await ask(servers[0]!.url, 'POST', `/workspaces/${workspace}/users`, token, {
      username: 'Robin',
      email: 'robin@example.com',
    });
    expect(created.status).toBe(201);
    expect(mails()).toEqual([]);

    const worker = await startProcess('worker', environment, 'Waiting for jobs.');
    const name = await eventually(() => mails()[0], 'the invitation');
    expect(readFileSync(path.join(folder, 'mail', name), 'utf8')).toMatch(/^To: robin@example\.com$/m);
    expect(await worker.stop()).toBe(0);
  });

  it('go on when one of them is killed', async () => {
    const victim = servers.pop()!;
    expect(await victim.stop('SIGKILL')).toBe('SIGKILL');
    expect((await ask(servers[0]!.url, 'GET', '/users/me', token)).status).toBe(200);
  });

  it('finish requests in progress on SIGTERM, and accept no new ones', async () => {
    const server = servers.pop()!;
    await database.query('begin');
    const { rows } = await database.query<{ id: string; account_id: string }>(
      'select id, account_id from areas order by id limit 1',
    );
    await database.query('select from areas where account_id = $1 and id = $2 for update', [
      rows[0]!.account_id,
      rows[0]!.id,
    ]);
    const slow = ask(
      server.url,
      'PATCH',
      `/workspaces/${workspace}/areas/${rows[0]!.id}`,
      token,
      { name: 'Renamed' },
      'area',
    );
    while ((await database.query(lockWaits)).rowCount === 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      // Within a transaction, pg_stat_activity does not change after its first use.
      await database.query('select pg_stat_clear_snapshot()');
    }

    const ended = server.stop('SIGTERM');
    await eventually(
      () => server.output().includes('finishing open requests and jobs') || undefined,
      'the signal to arrive',
    );
    await expect(fetch(`${server.url}/api/v3/status`)).rejects.toThrow();
    await database.query('commit');
    expect((await slow).body.data.attributes).toMatchObject({ name: 'Renamed' });
    expect(await ended).toBe(0);
  });
});
