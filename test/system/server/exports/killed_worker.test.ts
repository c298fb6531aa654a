import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCredentials } from '../../../../src/programs/demo/credentials.ts';
import {
  runProgram,
  startProcess,
  startServer,
  temporaryFolder,
  type Running,
} from '../../../support/processes/process.ts';
import { ask, newDatabase } from '../support.ts';

describe('a worker that is killed while it makes an export', { timeout: 240_000 }, () => {
  const { folder, remove } = temporaryFolder();
  let environment: Record<string, string>;
  let database: pg.Client;
  let server: Running;

  beforeAll(async () => {
    const url = await newDatabase();
    environment = { DATABASE_URL: url, DATA_DIR: folder, WORKERS: 'off' };
    database = new pg.Client({ connectionString: url });
    await database.connect();
    server = await startServer(environment);
    await runProgram('cli', ['seed'], environment);
  }, 240_000);
  afterAll(async () => {
    await server.stop();
    await database.end();
    remove();
  });

  it('leaves it to another worker, which makes the whole file', async () => {
    await database.query(
      `insert into time_trackings (account_id, workspace_id, user_id, starts_at, ends_at, actual_starts_at, actual_ends_at, created_by, created_at, updated_at)
       select account_id, workspace_id, user_id, start, start + interval '1 hour', start, start + interval '1 hour', 'user', start, start
       from (select account_id, workspace_id, user_id from memberships order by user_id limit 1) member,
         (select timestamptz '2020-01-01 07:00Z' + number * interval '1 hour' as start from generate_series(1, 30000) number) span`,
    );
    const { admin: email, password } = demoCredentials;
    const signIn = await ask(server.url, 'POST', '/sign_in', undefined, { email, password });
    const token = signIn.body.data.attributes['access_token']!;
    const me = await ask(server.url, 'GET', '/users/me', token);
    const workspace = me.body.data.relationships['workspaces']!.data[0]!.id;
    const address = `/workspaces/${workspace}/time_trackings/exports`;
    const wanted = { export_type: 'list', format: 'csv', from: '2020-01-01', to: '2024-12-31' };
    const created = await ask(server.url, 'POST', address, token, wanted, 'export');
    expect(created.status).toBe(201);
    const shown = async () =>
      (await ask(server.url, 'GET', `${address}/${created.body.data.id}`, token)).body.data.attributes;

    const victim = await startProcess('worker', environment, 'Waiting for jobs.');
    while (Number((await shown())['progress']) < 10) await pause(20);
    expect(await victim.stop('SIGKILL')).toBe('SIGKILL');
    expect(await shown()).toMatchObject({ status: 'pending', file_url: null });

    const heir = await startProcess('worker', environment, 'Waiting for jobs.');
    while ((await shown())['status'] === 'pending') await pause(500);
    const { status, file_url } = await shown();
    expect(status).toBe('success');
    const text = await (await fetch(file_url!)).text();
    expect(text.trimEnd().split('\r\n')).toHaveLength(30_001);
    const { rows } = await database.query('select attempts from exports where id = $1', [created.body.data.id]);
    expect(rows).toEqual([{ attempts: 2 }]);
    await heir.stop();
  });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
