import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoCredentials } from '../../../../src/programs/demo/credentials.ts';
import { runProgram, startServer, temporaryFolder, type Running } from '../../../support/processes/process.ts';
import { newDatabase } from '../support.ts';
import { startBalancer } from './balancer.ts';

/* Each request of a caller reaches another process. No caller may notice. */

const processCount = 4;
const perMinute = 600;

describe('four processes behind a balancer', () => {
  const { folder, remove } = temporaryFolder();
  let servers: Running[] = [];
  let balancer: Awaited<ReturnType<typeof startBalancer>>;
  let token: string;
  let workspace: string;

  const send = async (method: string, path: string, { by = token, body, headers }: Sent = {}): Promise<Answer> => {
    const response = await fetch(`${balancer.url}${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        'Api-Key': 'demo-api-key',
        ...(by ? { Authorization: `Bearer ${by}` } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  const signIn = async (email: string): Promise<string> => {
    const credentials = { data: { type: 'user', attributes: { email, password: demoCredentials.password } } };
    const answer = await send('POST', '/api/v3/sign_in', { by: '', body: credentials });
    expect(answer.status).toBe(200);
    return answer.body.data.attributes.access_token;
  };
  const repeatedly = (count: number, work: (nth: number) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, (_, nth) => work(nth)));
  const me = (by: string): Promise<Answer> => send('GET', '/api/v3/users/me', { by });
  const inWorkspace = (path: string): string => `/api/v3/workspaces/${workspace}${path}`;

  beforeAll(async () => {
    const limits = { RATE_LIMIT_PER_MINUTE: String(perMinute) };
    const environment = { DATABASE_URL: await newDatabase(), DATA_DIR: folder, ...limits };
    servers = [await startServer(environment)];
    expect(await runProgram('cli', ['seed'], environment)).toMatchObject({ code: 0 });
    servers.push(...(await Promise.all(Array.from({ length: processCount - 1 }, () => startServer(environment)))));
    balancer = await startBalancer(servers);
    token = await signIn(demoCredentials.admin);
    workspace = (await me(token)).body.data.relationships.workspaces.data[0].id;
  });
  afterAll(async () => {
    await balancer.stop();
    await Promise.all(servers.map((server) => server.stop()));
    remove();
  });

  it('know a credential at once, and refuse it soon after it is revoked', async () => {
    const other = await signIn(demoCredentials.admin);
    for (const { status } of await repeatedly(2 * processCount, () => me(other))) expect(status).toBe(200);
    expect((await send('DELETE', '/api/v3/sign_out', { by: other })).status).toBeLessThan(300);
    const statuses = async () => (await repeatedly(processCount, () => me(other))).map(({ status }) => status);
    await expect.poll(statuses, { timeout: 20_000 }).toEqual([401, 401, 401, 401]);
    for (const { status } of await repeatedly(2 * processCount, () => me(other))) expect(status).toBe(401);
  });

  it('carry out a request once, however often it is repeated with its key', async () => {
    const request = {
      body: { data: { type: 'area', attributes: { name: 'Roof' } } },
      headers: { 'Idempotency-Key': 'roof-1' },
    };
    const answers = await repeatedly(3 * processCount, () => send('POST', inWorkspace('/areas'), request));
    const later = await repeatedly(processCount, () => send('POST', inWorkspace('/areas'), request));
    const made = [...answers, ...later]
      .filter(({ status }) => status === 201)
      .map(({ body }) => body.data.id as string);
    expect(new Set(made).size).toBe(1);
    expect(later.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const list = await send('GET', inWorkspace('/areas?items=100'));
    const names = (list.body.data as { attributes: { name: string } }[]).map(({ attributes }) => attributes.name);
    expect(names.filter((name) => name === 'Roof')).toHaveLength(1);
  });

  it('accept one of the starts that a user punches at once', async () => {
    const user = { username: 'Robin', email: 'robin.balancer@example.com' };
    const created = await send('POST', inWorkspace('/users'), { body: { data: { type: 'user', attributes: user } } });
    const attributes = { action_type: 'start', user_id: Number(created.body.data.id) };
    const punch = () =>
      send('POST', inWorkspace('/time_trackings/actions'), { body: { data: { type: 'action', attributes } } });
    const statuses = (await repeatedly(3 * processCount, punch)).map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 3 * processCount - 1 }, () => 400)]);
  });

  it('finish a batch that each of them can show', async () => {
    const list = await send('GET', inWorkspace('/time_trackings?items=20&filter[confirmed]=false'));
    const ids = (list.body.data as { id: string; attributes: { current_status: string } }[])
      .filter(({ attributes }) => attributes.current_status === 'finished')
      .map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(5);
    const note = 'Seen by the balancer.';
    const body = { data: { type: 'batch_action', attributes: { action: 'note', ids, note: { content: note } } } };
    const batch = await send('POST', inWorkspace('/time_trackings/batch_actions'), { body });
    expect([batch.status, batch.body.errors]).toEqual([200, undefined]);
    const progress = async () =>
      (
        await repeatedly(processCount, () => send('GET', inWorkspace(`/batch_actions/${batch.body.meta.batch_id}`)))
      ).map((answer) => answer.body.data.attributes.state);
    await expect
      .poll(progress, { timeout: 60_000, interval: 200 })
      .toEqual(['finished', 'finished', 'finished', 'finished']);
    for (const id of ids.slice(0, processCount)) {
      const notes = await send('GET', inWorkspace(`/time_trackings/${id}/notes`));
      const contents = (notes.body.data as { attributes: { content: string } }[]).map(
        ({ attributes }) => attributes.content,
      );
      expect(contents.filter((content) => content === note)).toHaveLength(1);
    }
  });

  it('count the requests of a credential together', async () => {
    const counted = await signIn(demoCredentials.admin);
    const remaining = async (): Promise<number> => Number((await me(counted)).headers.get('RateLimit-Remaining'));
    await repeatedly(40, () => me(counted));
    // Each process alone has seen about 10 of them.
    const each = async () => Math.max(...(await Promise.all(Array.from({ length: processCount }, remaining))));
    await expect.poll(each, { timeout: 20_000, interval: 500 }).toBeLessThan(perMinute - 40);
  });
});

interface Sent {
  readonly by?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReturnType<typeof JSON.parse>;
}
