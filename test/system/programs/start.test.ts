import { execFile } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backupCommands, shell } from '../../support/processes/document_commands.ts';
import {
  runProgram,
  startServer,
  startServerBehindShell,
  temporaryFolder,
  type Running,
} from '../../support/processes/process.ts';

const json = async (response: Response) =>
  (await response.json()) as { data: { id: string; attributes: Record<string, unknown> } };

describe('npm start on a fresh folder', { timeout: 120_000 }, () => {
  const { folder, remove } = temporaryFolder();
  const environment = { DATA_DIR: folder };
  let server: Running;
  /** Of somebody who signed up before the process was killed. */
  let keptToken: string;

  beforeAll(async () => {
    server = await startServer(environment);
  }, 120_000);
  afterAll(async () => {
    await server.stop();
    remove();
  });

  it('serves every endpoint from its start on', async () => {
    const statusOf = async (address: string) => (await fetch(server.url + address)).status;
    expect(await statusOf('/api/v3/status')).toBe(204);
    expect(await statusOf('/public_api/v1/ping?api_token=demo-api-token')).toBe(200);
    for (const address of [
      '/docs',
      '/docs/v3',
      '/docs/public',
      '/openapi/v3.json',
      '/openapi/public.json',
      '/openapi/v3.yaml',
      '/openapi/public.yaml',
      '/openapi/workflows/vacation.yaml',
    ]) {
      expect([address, await statusOf(address)]).toEqual([address, 200]);
    }
  });

  it('prints a banner with addresses, credentials and the place of the data, below everything that was logged', () => {
    const banner = server.output().slice(server.output().indexOf('Punchcard is ready.'));
    for (const text of [
      '/api/v3',
      '/public_api/v1',
      '/docs',
      'admin@example.com',
      'demo-password',
      'demo-api-key',
      'demo-api-token',
      path.join(folder, 'db'),
    ]) {
      expect(banner).toContain(text);
    }
    expect(banner).not.toContain('Published the reference');
  });

  it('says first what it does, and then each slow step before it begins', () => {
    const output = server.output();
    const steps = ['Punchcard is starting for the first time on', 'Opening the embedded database', 'Creating the demo'];
    const positions = steps.map((step) => output.indexOf(step));
    expect(positions).not.toContain(-1);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    expect(output.indexOf('Opening the embedded database')).toBeLessThan(
      output.indexOf('Opened the embedded database'),
    );
    expect(output).not.toContain('Warning');
  });

  it('prints a curl line that works as it stands', async () => {
    const line = /^ {2}(curl .*)$/m.exec(server.output())![1]!;
    const { stdout } = await promisify(execFile)('sh', ['-c', line]);
    expect((JSON.parse(stdout) as { data: { attributes: object } }).data.attributes).toMatchObject({
      token_type: 'Bearer',
    });
  });

  it('puts the data into db/ and writes no mail by itself', () => {
    expect(readdirSync(folder)).toEqual(['db']);
  });

  it('runs the jobs too', async () => {
    const reset = await fetch(`${server.url}/api/v3/password`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ data: { type: 'user', attributes: { email: 'admin@example.com' } } }),
    });
    expect(reset.status).toBe(200);
    await expect.poll(() => readdirSync(folder), { timeout: 60_000 }).toContain('mail');
  });

  it('refuses a second process on the same folder', async () => {
    const { code, output } = await runProgram('main', [], environment);
    expect(code).toBe(1);
    expect(output).toContain(`The data folder ${path.join(folder, 'db')} is in use by another process.`);
  });

  it('refuses an operator command on the same folder, and says what to do', async () => {
    const { code, output } = await runProgram('cli', ['api-key', 'list'], environment);
    expect(code).toBe(1);
    expect(output).toContain('Stop that one first');
  });

  it('keeps what it has acknowledged when it is killed, and makes the demo only once', async () => {
    const person = { email: 'kept@example.com', password: 'a good password', username: 'Kept' };
    const signUp = await fetch(`${server.url}/api/v3/sign_up`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ data: { type: 'user', attributes: person } }),
    });
    expect(signUp.status).toBe(201);
    expect(await server.stop('SIGKILL')).toBe('SIGKILL');

    server = await startServer(environment);
    expect(server.output()).toContain('The schema is up to date.');
    expect(server.output()).not.toContain('Created the demo organisation.');
    keptToken = (await json(signUp)).data.attributes['access_token'] as string;
    const me = await fetch(`${server.url}/api/v3/users/me`, { headers: { Authorization: `Bearer ${keptToken}` } });
    expect((await json(me)).data.attributes).toMatchObject({ username: 'Kept' });
  });

  it('finishes on SIGTERM with exit code 0', async () => {
    expect(await server.stop('SIGTERM')).toBe(0);
    await expect.poll(() => server.output()).toContain('Stopped.');
  });

  it('goes on from a backup made and restored with the commands of the guide', async () => {
    const { pack, unpack } = backupCommands();
    const elsewhere = temporaryFolder();
    await shell(pack, elsewhere.folder, environment);
    for (const name of readdirSync(folder)) rmSync(path.join(folder, name), { recursive: true });
    await shell(unpack, elsewhere.folder, environment);
    elsewhere.remove();
    expect(readdirSync(folder)).toContain('db');
  });

  it.each<Record<string, string>>([{ NODE_ENV: 'production' }, { HOST: '0.0.0.0' }])(
    'refuses the demo credentials with %j',
    async (exposed) => {
      const { code, output } = await runProgram('main', [], { ...environment, ...exposed });
      expect(code).toBe(1);
      expect(output).toContain('Remove them with: npm run cli -- demo remove');
    },
  );

  it('stops when npm is stopped without forwarding the signal', async () => {
    server = await startServerBehindShell(environment);
    expect(server.output()).toContain('The schema is up to date.');
    const me = await fetch(`${server.url}/api/v3/users/me`, { headers: { Authorization: `Bearer ${keptToken}` } });
    expect((await json(me)).data.attributes).toMatchObject({ username: 'Kept' });
    expect(await server.stop('SIGTERM')).toBe('SIGTERM');
    await expect.poll(() => server.output(), { timeout: 60_000 }).toContain('Stopped.');
  });
});

describe('npm run worker', () => {
  it('says that it needs a server database', async () => {
    const { code, output } = await runProgram('worker', [], {});
    expect(code).toBe(1);
    expect(output).toContain('set DATABASE_URL');
  });
});
