import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram, startServer, temporaryFolder, type Running } from '../../support/processes/process.ts';
import { ask } from './support.ts';

/** A process in it has its own network and process ids, as in a container. */
const container = ['unshare', '--map-root-user', '--net', '--pid', '--fork', '--mount-proc'];
const hasContainers = spawnSync(container[0]!, [...container.slice(1), 'true']).status === 0;

describe.runIf(hasContainers)('two containers on one data folder', { timeout: 180_000 }, () => {
  const { folder, remove } = temporaryFolder();
  const environment = { DATA_DIR: folder };
  const inUse = `The data folder ${path.join(folder, 'db')} is in use by another process.`;
  let server: Running;
  const tokens: string[] = [];

  const signUp = async (email: string) => {
    const person = { email, password: 'a good password', username: 'Kept' };
    const { status, body } = await ask(server.url, 'POST', '/sign_up', undefined, person);
    expect(status).toBe(201);
    tokens.push(body.data.attributes['access_token']!);
  };

  beforeAll(async () => {
    server = await startServer(environment);
  }, 180_000);
  afterAll(async () => {
    await server.stop();
    remove();
  });

  it('the second one is refused while the first one runs', async () => {
    await signUp('before@example.com');
    for (const [program, options] of [
      ['main', []],
      ['cli', ['api-key', 'list']],
    ] as const) {
      const { code, output } = await runProgram(program, options, environment, container);
      expect(output).toContain(inUse);
      expect(code).toBe(1);
    }
    await signUp('after@example.com');
  });

  it('the second one is refused while the first one is paused', async () => {
    server.signal('SIGSTOP');
    const { output } = await runProgram('cli', ['api-key', 'list'], environment, container);
    server.signal('SIGCONT');
    expect(output).toContain(inUse);
  });

  it('the second one starts as soon as the first one is killed, and finds all that was acknowledged', async () => {
    expect(await server.stop('SIGKILL')).toBe('SIGKILL');
    const { code, output } = await runProgram('cli', ['api-key', 'list'], environment, container);
    expect(output).not.toContain(inUse);
    expect(code).toBe(0);
    server = await startServer(environment);
    for (const token of tokens) expect((await ask(server.url, 'GET', '/users/me', token)).status).toBe(200);
  });
});
