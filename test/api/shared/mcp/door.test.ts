import { describe, expect, it } from 'vitest';
import { assistantOf, mcpTransport, assistantOver } from '../../../support/mcp/assistant.ts';
import { service, serviceWith } from '../../../support/service.ts';
import { newWorld } from '../../../support/world.ts';

const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

async function send(headers: Record<string, string>, at?: string, method = 'POST') {
  const response = await fetch(`${at ?? (await service()).url}/mcp`, {
    method,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    ...(method === 'POST' && { body: JSON.stringify(message) }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
}

interface Answer {
  readonly errors: { readonly title: string; readonly code: string; readonly source: { readonly pointer: string } }[];
  readonly result?: { readonly tools: unknown[] };
}

describe('/mcp', () => {
  it('401 without a valid token', async () => {
    for (const Authorization of ['', 'Bearer nonsense']) {
      const { status, body } = await send({ Authorization });
      expect([status, body.errors[0]!.code]).toEqual([401, 'unauthenticated']);
    }
    const transport = mcpTransport((await service()).url, { Authorization: 'Bearer nonsense' });
    await expect(assistantOver(transport)).rejects.toThrow('This operation needs a valid credential.');
  });

  it('403 for pages of other sites, whose name may have the address of this server', async () => {
    const { employee } = await newWorld();
    const token = { Authorization: `Bearer ${employee.token}` };
    const { port } = new URL((await service()).url);
    for (const Origin of [
      'https://evil.example',
      `http://evil.example:${port}`,
      'null',
      'http://127.0.0.1.evil.example',
    ]) {
      const { status, body } = await send({ ...token, Origin });
      expect([status, body.errors[0]!.source.pointer]).toEqual([403, 'Origin']);
      expect(body.errors[0]!.title).toContain(JSON.stringify(Origin));
    }
    for (const Origin of ['http://localhost:6274', `http://127.0.0.1:${port}`, 'http://[::1]:80'])
      expect((await send({ ...token, Origin })).status).toBe(200);
  });

  it('takes pages of the address of the service', async () => {
    const { employee } = await newWorld();
    const at = await serviceWith({ PUBLIC_URL: 'https://time.example.com/punchcard' });
    const token = { Authorization: `Bearer ${employee.token}` };
    expect((await send({ ...token, Origin: 'https://time.example.com' }, at)).status).toBe(200);
    expect((await send({ ...token, Origin: 'https://other.example.com' }, at)).status).toBe(403);
  });

  it('counts against the limit of the token, once for a message and once for the request of a tool', async () => {
    const { employee } = await newWorld();
    const at = await serviceWith({ RATE_LIMIT_PER_MINUTE: '6' });
    // Connecting takes two messages.
    const { use } = await assistantOf(employee, at);
    expect((await use('who_am_i')).isError).toBe(false);
    // The request of this one is over the limit.
    await use('who_am_i');
    const { status, headers } = await send({ Authorization: `Bearer ${employee.token}` }, at);
    expect(status).toBe(429);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  });

  it('405 for other methods, 400 for what is no JSON', async () => {
    const { employee } = await newWorld();
    const { status, headers } = await send({}, undefined, 'GET');
    expect([status, headers.get('Allow')]).toEqual([405, 'POST']);
    const response = await fetch(`${(await service()).url}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${employee.token}` },
      body: '{',
    });
    expect(response.status).toBe(400);
  });
});
