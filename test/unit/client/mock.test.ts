import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mockServer } from '../../../scripts/clients/mock_server.ts';
import { answerOf, everyRecord, RefusedError, resourceApi } from '../../../src/client/client.ts';
import { readExamples } from '../../../scripts/docs/publish.ts';
import { bases, operations, type ApiOperation } from '../../support/contract/operations.ts';
import { checkResponse } from '../../support/contract/response_check.ts';

let server: Server;
let url: string;

beforeAll(async () => {
  server = await mockServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => void server.close());

const examples = readExamples();

const isForm = ({ requestBody }: ApiOperation): boolean => 'multipart/form-data' in (requestBody?.content ?? {});

/** Sends the request of an operation's example. */
async function send(operation: ApiOperation) {
  const { api, id, method, path } = operation;
  const { request } = examples[api][id]!;
  const address = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => request.path![name]!);
  const query = new URLSearchParams({ api_token: 'any', ...(request.query as Record<string, string>) });
  const body = isForm(operation)
    ? formWith(request.body as object)
    : (JSON.stringify(request.body) as string | undefined);
  const response = await fetch(`${url}${bases[api]}${address}?${query}`, {
    method: method.toUpperCase(),
    headers: {
      Authorization: 'Bearer any',
      'Api-Key': 'any',
      ...(isForm(operation) || !body ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body ? { body } : {}),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    type: response.headers.get('Content-Type')?.split(';')[0] ?? '',
    body: (text === '' ? undefined : JSON.parse(text)) as unknown,
    isSparse: query.has('fields'),
  };
}

function formWith(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.append(name, String(value));
  return form;
}

describe('the mock', () => {
  it('answers the examples of operations as the contract says', async () => {
    // All of them take long, because each has a schema of its own. Every sixth, and all forms.
    const some = operations
      .filter(({ api, id }) => examples[api][id])
      .filter((operation, index) => index % 6 === 0 || isForm(operation));
    const refused: string[] = [];
    for (const operation of some) {
      const answer = await send(operation);
      if (answer.status >= 300) refused.push(`${operation.id}: ${answer.status} ${answer.text}`);
      else checkResponse(operation.api, operation.id, answer, answer.isSparse);
    }
    expect(refused).toEqual([]);
  });

  it('serves a client', async () => {
    const api = resourceApi({ url, token: 'any' });
    const { data: me } = await answerOf(api.GET('/users/me'));
    expect(me.attributes.email).toBe('admin@example.com');
    const path = { workspace_id: '1' };
    const names: (string | undefined)[] = [];
    for await (const area of everyRecord(api, '/workspaces/{workspace_id}/areas', { params: { path } }))
      names.push(area.attributes.name);
    expect(names).not.toEqual([]);
  });

  it('refuses what the contracts refuse', async () => {
    const status = async (path: string, options: RequestInit = {}) => (await fetch(url + path, options)).status;
    expect(await status('/api/v3/users/me')).toBe(401);
    expect(await status('/public_api/v1/ping')).toBe(401);
    expect(await status('/api/v3/sign_in', { method: 'POST' })).toBe(401);
    expect(await status('/api/v3/nonsense')).toBe(404);
    expect(await status('/public_api/v1/nonsense')).toBe(404);
    expect(await status('/api/v3/users/me', { method: 'PUT' })).toBe(405);
    const refused = await answerOf(
      resourceApi({ url, token: 'any' }).POST('/workspaces/{workspace_id}/areas', {
        params: { path: { workspace_id: '1' } },
        body: { data: { type: 'area', attributes: { color: 'blue' } as never } },
      }),
    ).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RefusedError);
    const { problems } = refused as RefusedError;
    expect(problems.map(({ code, source }) => [code, source.pointer])).toEqual([
      ['required', 'name'],
      ['invalid_format', 'color'],
    ]);
  });

  it('answers with the example of another status where a client asks for it', async () => {
    const ask = (code: number) =>
      fetch(`${url}/api/v3/workspaces/1/areas`, { headers: { Authorization: 'Bearer any', Prefer: `code=${code}` } });
    const missing = await ask(404);
    expect(missing.status).toBe(404);
    expect(((await missing.json()) as { errors: unknown[] }).errors).toMatchObject([{ code: 'not_found' }]);
    expect((await ask(418)).status).toBe(400);
  });
});
