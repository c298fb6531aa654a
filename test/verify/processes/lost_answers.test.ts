import { randomUUID } from 'node:crypto';
import net from 'node:net';
import { describe, it } from 'vitest';
import { serverUrl } from '../../support/database/server_databases.ts';
import { walkTimeoutMs, tally, repetitions } from '../../support/verification.ts';
import { startServer, temporaryFolder } from '../../support/processes/process.ts';
import { send, type RawRequest } from '../../support/contract/raw_http.ts';
import { newDatabase } from '../../system/server/support.ts';

/*
 * The worst moment for a server to crash is after the commit and before the response arrives. Here a proxy forwards the request
 * but not the response: it kills the server at the first byte of the response.
 */

/** Forwards one request. Resolves at the first byte of the response, which is not forwarded. */
async function gate(url: string): Promise<{ url: string; answered: Promise<string>; close(): void }> {
  let seen: (answer: string) => void;
  const answered = new Promise<string>((resolve) => (seen = resolve));
  const server = net.createServer((client) => {
    const { hostname, port } = new URL(url);
    const upstream = net.connect(Number(port), hostname);
    client.pipe(upstream);
    upstream.once('data', (chunk) => {
      seen(chunk.toString('utf8'));
      client.destroy();
    });
    for (const socket of [client, upstream]) socket.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    answered,
    close: () => server.close(),
  };
}

const json = { 'Content-Type': 'application/json' };

/** Signs up, and returns functions that create and count tags. */
async function newcomer(url: string) {
  const attributes = { email: `${randomUUID()}@example.com`, password: 'correct horse battery', username: 'Robin' };
  const body = JSON.stringify({ data: { type: 'user', attributes } });
  const answer = await send(url, { method: 'post', address: '/api/v3/sign_up', headers: json, body });
  const token = (answer.body as { data: { attributes: { access_token: string } } }).data.attributes.access_token;
  const bearer = { Authorization: `Bearer ${token}` };
  const me = await send(url, { method: 'get', address: '/api/v3/users/me', headers: bearer });
  const [workspace] = (me.body as { data: { relationships: { workspaces: { data: { id: string }[] } } } }).data
    .relationships.workspaces.data;
  const address = `/api/v3/workspaces/${workspace!.id}/tags`;
  const make = (title: string, key: string): RawRequest => ({
    method: 'post',
    address,
    headers: { ...json, ...bearer, 'Idempotency-Key': key },
    body: JSON.stringify({ data: { type: 'tag', attributes: { title } } }),
  });
  const count = async (at: string, title: string): Promise<number> => {
    const list = await send(at, { method: 'get', address: `${address}?filter[title]=eq:${title}`, headers: bearer });
    return (list.body as { meta: { total_count: number } }).meta.total_count;
  };
  return { make, count };
}

describe('a request whose answer was lost with the server', () => {
  it(
    'was done, is not done again, and its answer is given when it is sent again',
    async () => {
      const { folder, remove } = temporaryFolder();
      const environment: Record<string, string> = serverUrl
        ? { DATABASE_URL: await newDatabase(), DATA_DIR: folder }
        : { DATA_DIR: folder };
      const line = tally('servers killed between commit and answer: done once, and the answer is kept');
      let server = await startServer(environment);
      const { make, count } = await newcomer(server.url);
      for (let round = 0; round < repetitions(1, 20); round++) {
        const request = make(`tag-${round}`, randomUUID());
        const { url, answered, close } = await gate(server.url);
        const lost = send(url, request).then(
          () => 'answered',
          () => 'lost',
        );
        const first = await answered;
        await server.stop('SIGKILL');
        close();
        server = await startServer(environment);
        const again = await send(server.url, request);
        line.count();
        if ((await lost) !== 'lost') line.fail(`In round ${round} the answer came through.`);
        if (again.status !== 201 || again.headers['idempotency-replayed'] !== 'true')
          line.fail(`In round ${round} it was done again: ${again.status} ${again.text}`);
        if (!first.includes(again.text)) line.fail(`In round ${round} the answers differ: ${first} ${again.text}`);
        if ((await count(server.url, `tag-${round}`)) !== 1)
          line.fail(`In round ${round} there is not exactly one record.`);
      }
      await server.stop();
      remove();
      line.close();
    },
    walkTimeoutMs,
  );
});
