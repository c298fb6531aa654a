import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCredentials } from '../../../src/programs/demo/credentials.ts';
import { startServer, temporaryFolder, type Running } from '../../support/processes/process.ts';
import { ask } from './support.ts';

describe('the embedded database on a full disk', { timeout: 180_000 }, () => {
  const { folder, remove } = temporaryFolder();
  const flag = path.join(folder, 'full');
  const preload = pathToFileURL(path.resolve(import.meta.dirname, '../../support/processes/full_disk.js')).href;
  const environment = {
    DATA_DIR: path.join(folder, 'data'),
    FULL_DISK: flag,
    NODE_OPTIONS: `--import ${preload}`,
    WORKERS: 'off',
  };
  let server: Running;
  let token: string;
  let areas: string;
  /** The names of all areas whose creation was acknowledged. */
  const acknowledged: string[] = [];
  let count = 0;

  const createArea = async () => {
    const name = `Area ${++count} ${'x'.repeat(200)}`;
    const response = await fetch(`${server.url}/api/v3${areas}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify({ data: { type: 'area', attributes: { name } } }),
      signal: AbortSignal.timeout(10_000),
    });
    if (response.status === 201) acknowledged.push(name);
    return { status: response.status, retryAfter: response.headers.get('Retry-After') };
  };
  const unavailable = { status: 503, retryAfter: '5' };
  const statusOf = async (address: string) => (await fetch(server.url + address)).status;
  const missingAreas = async () => {
    const names = new Set<string>();
    for (let page = 1; ; page++) {
      const { body } = await ask(server.url, 'GET', `${areas}?page=${page}`, token);
      const found = body.data as unknown as { attributes: { name: string } }[];
      if (found.length === 0) return acknowledged.filter((name) => !names.has(name));
      for (const { attributes } of found) names.add(attributes.name);
    }
  };

  beforeAll(async () => {
    server = await startServer(environment);
    const { admin: email, password } = demoCredentials;
    const signIn = await ask(server.url, 'POST', '/sign_in', undefined, { email, password });
    token = signIn.body.data.attributes['access_token']!;
    const me = await ask(server.url, 'GET', '/users/me', token);
    areas = `/workspaces/${me.body.data.relationships['workspaces']!.data[0]!.id}/areas`;
  }, 180_000);
  afterAll(async () => {
    await server.stop();
    remove();
  });

  it('refuses writes with 503 while no file can grow, and takes them again once there is space', async () => {
    writeFileSync(flag, 'growing');
    let refused = await createArea();
    while (refused.status === 201) refused = await createArea();
    expect(refused).toEqual(unavailable);
    expect(await statusOf('/health/live')).toBe(200);
    rmSync(flag);
    expect((await createArea()).status).toBe(201);
    expect(await statusOf('/health/ready')).toBe(200);
    expect(await missingAreas()).toEqual([]);
  });

  it('ends with a reason when its log cannot be written, and has everything acknowledged when it is started again', async () => {
    writeFileSync(flag, 'writing');
    expect(await Promise.all([createArea(), createArea(), createArea()])).toEqual([
      unavailable,
      unavailable,
      unavailable,
    ]);
    expect(await server.ended).toBe(1);
    expect(server.output()).toMatch(
      /Punchcard cannot continue\. The embedded database has crashed: .*No space left on device\. Nothing that was acknowledged is lost\./,
    );

    await expect(startServer(environment)).rejects.toThrow(
      /The embedded database has crashed: .*No space left on device/,
    );
    rmSync(flag);
    server = await startServer(environment);
    expect((await createArea()).status).toBe(201);
    expect(await missingAreas()).toEqual([]);
  });
});
