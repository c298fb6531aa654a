import { describe, expect, it } from 'vitest';
import { answerOf, publicApi, RefusedError, resourceApi } from '../../../src/client/client.ts';
import { patientFetch } from '../../../src/client/retries.ts';
import { service } from '../../support/service.ts';
import { newWorld } from '../../support/world.ts';

type Outcome = Response | Error;

const answer = (status: number, headers: Record<string, string> = {}): Response =>
  new Response('{}', { status, headers });

/** A `fetch` with these outcomes, one after the other, that notes the pauses between them. */
function patient(outcomes: readonly Outcome[], patience = {}) {
  const left = [...outcomes];
  const pauses: number[] = [];
  const bodies: string[] = [];
  const send = async (request: Request): Promise<Response> => {
    bodies.push(await request.text());
    const outcome = left.shift()!;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const pause = (ms: number) => Promise.resolve(void pauses.push(ms));
  return { fetch: patientFetch(send, patience, pause), pauses, bodies };
}

const reading = () => new Request('http://127.0.0.1/');
const writing = (headers = {}, method = 'POST') => new Request('http://127.0.0.1/', { method, headers, body: 'punch' });
const lost = new TypeError('fetch failed');

describe('patientFetch', () => {
  it.each([
    ['a busy service', answer(429), writing()],
    ['a service that stops, if the request reads', answer(503), reading()],
    ['a lost connection, if the request reads', lost, reading()],
    ['a lost connection, if the request replaces', lost, writing({}, 'PUT')],
    ['a lost connection, if the request has a key', lost, writing({ 'Idempotency-Key': 'k' })],
    ['a proxy without a service, if the request reads', answer(502), reading()],
  ] as [string, Outcome, Request][])('sends a request again after %s', async (_name, outcome, request) => {
    const { fetch, bodies } = patient([outcome, answer(200)]);
    expect((await fetch(request)).status).toBe(200);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
  });

  it('sends a request once whose repetition could do harm', async () => {
    await expect(patient([lost, answer(200)]).fetch(writing())).rejects.toBe(lost);
    await expect(patient([lost, answer(200)]).fetch(writing({}, 'PATCH'))).rejects.toBe(lost);
    expect((await patient([answer(504), answer(200)]).fetch(writing())).status).toBe(504);
    // The database may have been lost after the commit.
    expect((await patient([answer(503), answer(200)]).fetch(writing())).status).toBe(503);
    // Two requests to switch the role change nothing.
    const switching = new Request('http://127.0.0.1/api/v3/workspaces/1/users/switch_role');
    await expect(patient([lost, answer(200)]).fetch(switching)).rejects.toBe(lost);
  });

  it('sends a refused request once', async () => {
    for (const status of [400, 401, 404, 409, 500]) {
      const { fetch, pauses } = patient([answer(status), answer(200)]);
      expect((await fetch(reading())).status).toBe(status);
      expect(pauses).toEqual([]);
    }
  });

  it('gives up after as many retries as asked for', async () => {
    const busy = () => answer(503);
    const { fetch, bodies } = patient([busy(), busy(), busy(), busy(), answer(200)]);
    expect((await fetch(reading())).status).toBe(503);
    expect(bodies).toHaveLength(4);
    const once = patient([lost, answer(200)], { retries: 0 });
    await expect(once.fetch(reading())).rejects.toBe(lost);
  });

  it('waits for as long as the service says, and about twice as long each time if it says nothing', async () => {
    const inThreeSeconds = new Date(Date.now() + 3000).toUTCString();
    const told = patient([
      answer(429, { 'Retry-After': '7' }),
      answer(503, { 'Retry-After': inThreeSeconds }),
      answer(200),
    ]);
    await told.fetch(reading());
    expect(told.pauses[0]).toBe(7000);
    expect(told.pauses[1]).toBeGreaterThan(1000);
    expect(told.pauses[1]).toBeLessThanOrEqual(3000);
    const untold = patient([answer(503), lost, answer(503), answer(200)]);
    await untold.fetch(reading());
    for (const [index, pause] of untold.pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual(250 * 2 ** index);
      expect(pause).toBeLessThanOrEqual(500 * 2 ** index);
    }
  });

  it('returns the answer if the service asks for more than a minute', async () => {
    const { fetch, pauses } = patient([answer(429, { 'Retry-After': '300' }), answer(200)]);
    expect((await fetch(reading())).status).toBe(429);
    expect(pauses).toEqual([]);
  });

  it('ends an attempt that takes too long', async () => {
    const never = (request: Request) =>
      new Promise<Response>((_resolve, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason as Error));
      });
    const waiting = patientFetch(never, { timeoutMs: 1, retries: 1 }, () => Promise.resolve())(reading());
    await expect(waiting).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('ends with its caller, also during a pause', async () => {
    const ending = new AbortController();
    const request = new Request('http://127.0.0.1/', { signal: ending.signal });
    let count = 0;
    const waiting = patientFetch(() => Promise.resolve((count++, answer(503, { 'Retry-After': '50' }))), {})(request);
    await expect.poll(() => count).toBe(1);
    ending.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    expect(count).toBe(1);
  });
});

/** A `fetch` whose first answer gets lost on its way. */
function losingFirstAnswer() {
  let count = 0;
  return async (request: Request): Promise<Response> => {
    const response = await fetch(request);
    if (count++ > 0) return response;
    throw lost;
  };
}

describe('a client whose first answer gets lost', () => {
  it('creates a record once in the resource API', async () => {
    const { admin, workspaceId } = await newWorld();
    const api = resourceApi({ url: (await service()).url, token: admin.token, fetch: losingFirstAnswer() });
    const path = { workspace_id: String(workspaceId) };
    const body = { data: { type: 'area' as const, attributes: { name: 'Bar' } } };
    const { data, response } = await api.POST('/workspaces/{workspace_id}/areas', { params: { path }, body });
    expect(response.headers.get('Idempotency-Replayed')).toBe('true');
    const { body: listed } = await admin.call('listAreas');
    expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([data!.data.id]);
  });

  it('creates a record once in the public API', async () => {
    const { apiToken, workspaceId } = await newWorld();
    const api = publicApi({ url: (await service()).url, apiToken, fetch: losingFirstAnswer() });
    const { response } = await api.POST('/users', {
      body: { user: { username: 'Kim', location_ids: workspaceId } },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('Idempotency-Replayed')).toBe('true');
  });

  it('does not repeat an operation that takes no key', async () => {
    const { admin, accountId } = await newWorld();
    const api = resourceApi({ url: (await service()).url, token: admin.token, fetch: losingFirstAnswer() });
    const call = api.POST('/accounts/{account_id}/api_tokens', {
      params: { path: { account_id: String(accountId) } },
      body: { data: { type: 'api_token', attributes: { name: 'Payroll' } } },
    });
    await expect(call).rejects.toBe(lost);
  });

  it('uses a new key for each call, and keeps that of the caller', async () => {
    const { admin, workspaceId } = await newWorld();
    const keys: (string | null)[] = [];
    const api = resourceApi({
      url: (await service()).url,
      token: admin.token,
      fetch: (request) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return fetch(request);
      },
    });
    const create = (name: string, header?: { 'Idempotency-Key': string }) =>
      api.POST('/workspaces/{workspace_id}/areas', {
        params: { path: { workspace_id: String(workspaceId) }, ...(header ? { header } : {}) },
        body: { data: { type: 'area', attributes: { name } } },
      });
    await create('Bar');
    await create('Kitchen');
    await create('Cellar', { 'Idempotency-Key': 'mine' });
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys[2]).toBe('mine');
    await api.GET('/users/me');
    expect(keys[3]).toBeNull();
  });

  it('throws the problems with their codes', async () => {
    const { admin, workspaceId } = await newWorld();
    const api = resourceApi({ url: (await service()).url, token: admin.token });
    const create = () =>
      answerOf(
        api.POST('/workspaces/{workspace_id}/areas', {
          params: { path: { workspace_id: String(workspaceId) } },
          body: { data: { type: 'area', attributes: { name: 'Bar' } } },
        }),
      );
    await create();
    const refused = await create().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RefusedError);
    expect((refused as RefusedError).codes).toEqual(['taken']);
  });
});
