import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { figure, tally, repetitions } from '../../support/verification.ts';
import { newProcessStorage, type ProcessStorage } from '../../support/processes/process_storage.ts';
import { newPuncher, send, type Puncher } from '../../support/processes/punchers.ts';
import { startServer, type Running } from '../../support/processes/process.ts';

/*
 * The server refuses a request that is too large, too deep or too slow, and serves all others meanwhile.
 */

const mebibyte = 2 ** 20;

describe('limits of a real process', () => {
  let place: ProcessStorage;
  let server: Running;
  let person: Puncher;

  beforeAll(async () => {
    place = await newProcessStorage();
    server = await startServer({ ...place.environment, LOG_LEVEL: 'silent', UPLOAD_MEMORY_MIB: '100' });
    person = await newPuncher(server.url);
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await place?.remove();
  }, 60_000);

  /** Sends requests while some work runs, and counts those without a 200 within about a second. */
  async function othersAreServed(what: string, work: () => Promise<void>): Promise<void> {
    const others = tally(`requests of others while ${what}`);
    let isOver = false;
    let slowest = 0;
    const asking = (async () => {
      do {
        const began = Date.now();
        const status = await send(server.url, 'GET', '/users/me', person.token).then(
          (answer) => answer.status,
          (error: unknown) => String(error),
        );
        slowest = Math.max(slowest, Date.now() - began);
        others.count();
        if (status !== 200) others.fail(`${what}: answered ${status}`);
        await pause(20);
      } while (!isOver);
    })();
    await work();
    isOver = true;
    await asking;
    figure(`milliseconds that others waited at most while ${what}`, slowest, slowest > 10_000 ? 1 : 0);
    others.close();
  }

  const areas = () => `/api/v3/workspaces/${person.workspaceId}/areas`;
  const head = (lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
  const common = () => ['Host: x', `Authorization: Bearer ${person.token}`];
  const post = (address: string, body: string): string =>
    head([
      `POST ${address} HTTP/1.1`,
      ...common(),
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]) + body;
  const area = (attributes: object): string => JSON.stringify({ data: { type: 'area', attributes } });

  it('4xx for what is too large or too deep', async () => {
    const refused = tally('requests beyond a limit, refused in the shape of every error');
    const batches = `/api/v3/workspaces/${person.workspaceId}/time_trackings/batch_actions`;
    const tooManyIds = JSON.stringify({
      data: {
        type: 'batch_action',
        attributes: { action: 'destroy', ids: Array.from({ length: 10_001 }, (_, id) => id + 1) },
      },
    });
    const cases: readonly [string, number, string][] = [
      ['a body of more than 1 MiB', 413, post(areas(), area({ name: 'x'.repeat(mebibyte) }))],
      ['a body of 8 MiB', 413, post(areas(), area({ name: 'x'.repeat(8 * mebibyte) }))],
      ['a body of 100,000 levels', 400, post(areas(), '['.repeat(100_000) + ']'.repeat(100_000))],
      ['10,001 ids', 400, post(batches, tooManyIds)],
      ['items=101', 400, head([`GET ${areas()}?items=101 HTTP/1.1`, ...common()])],
      ['headers of 17 KiB', 431, head([`GET ${areas()} HTTP/1.1`, ...common(), `X-Long: ${'x'.repeat(17_000)}`])],
      [
        'an address of 20 KiB',
        431,
        head([`GET ${areas()}?filter[name]=eq:${'x'.repeat(20_000)} HTTP/1.1`, ...common()]),
      ],
      [
        '2,000 headers',
        431,
        head([
          `GET ${areas()} HTTP/1.1`,
          ...common(),
          ...Array.from({ length: 2000 }, (_, index) => `X-${index}: 1234567`),
        ]),
      ],
      ['no HTTP at all', 400, head(['Good morning!'])],
    ];
    await othersAreServed('too much was sent', async () => {
      for (const [what, status, request] of cases) {
        const answer = await exchange(server.url, request);
        refused.count();
        if (!answer.startsWith(`HTTP/1.1 ${status} `)) refused.fail(`${what}: ${answer.split('\r\n')[0]}`);
        else if (
          !/"errors":\[\{"status":"[a-z_]+","code":"[a-z_]+","source":\{"pointer":"[^"]+"(,"parameter":"[^"]+")?\},"title":"[^"]/.test(
            answer,
          )
        )
          refused.fail(`${what}: ${answer.slice(-300)}`);
      }
    });
    refused.close();
  });

  it('connections without any traffic stay open', async () => {
    const count = repetitions(200, 2000);
    const idle = tally(`idle connections`);
    await othersAreServed(`${count} connections did nothing`, async () => {
      const sockets = await Promise.all(
        Array.from({ length: count }, () => connect(server.url).catch(() => undefined)),
      );
      for (const socket of sockets) {
        idle.count();
        if (!socket) idle.fail('could not connect');
      }
      await pause(repetitions(500, 10_000));
      for (const socket of sockets) socket?.destroy();
    });
    idle.close();
  });

  it('408 for clients that send too slowly', async () => {
    const slow = tally('slow clients, cut off with 408 after 20 seconds');
    const count = repetitions(20, 300);
    await othersAreServed(`${count} clients dawdled`, async () => {
      await Promise.all(
        Array.from({ length: count }, async (_, index) => {
          const socket = await connect(server.url);
          socket.write(index % 2 === 0 ? 'GET /api/v3/status HTTP/1.1\r\nHost: x\r\n' : '');
          const dribble = setInterval(() => index % 2 === 0 && socket.writable && socket.write('X-Slow: 1\r\n'), 1000);
          const began = Date.now();
          const answer = await everything(socket);
          clearInterval(dribble);
          slow.count();
          if (!answer.startsWith('HTTP/1.1 408 ')) slow.fail(`answered ${answer.split('\r\n')[0]}`);
          if (Date.now() - began > 40_000) slow.fail(`cut off after ${Date.now() - began} ms`);
        }),
      );
    });
    slow.close();
  });

  it('503 for uploads beyond what memory allows', async () => {
    const uploads = tally('uploads of 24 MiB at once, where 100 MiB may be held');
    const statuses: number[] = [];
    await othersAreServed('uploads filled the memory', async () => {
      const body = Buffer.concat([
        Buffer.from('--x\r\nContent-Disposition: form-data; name="doc"; filename="a.bin"\r\n\r\n'),
        Buffer.alloc(24 * mebibyte),
        Buffer.from('\r\n--x--\r\n'),
      ]);
      await Promise.all(
        Array.from({ length: repetitions(8, 40) }, async () => {
          const socket = await connect(server.url);
          socket.write(
            head([
              'POST /public_api/v1/uploads HTTP/1.1',
              'Host: x',
              'Content-Type: multipart/form-data; boundary=x',
              `Content-Length: ${body.length}`,
            ]),
          );
          socket.write(body);
          const status = Number((await everything(socket)).split(' ')[1]);
          uploads.count();
          // A request without a token is refused after its form was read.
          if (![401, 503].includes(status) && !Number.isNaN(status)) uploads.fail(`answered ${status}`);
          statuses.push(status);
        }),
      );
    });
    const refused = statuses.filter((status) => status !== 401).length;
    figure('of them told to come again later', refused, refused < repetitions(0, 1) ? 1 : 0);
    uploads.close();
  });
});

const portOf = (url: string): number => Number(new URL(url).port);

const connect = (url: string): Promise<net.Socket> =>
  new Promise((resolve, reject) => {
    const socket = net.connect(portOf(url), '127.0.0.1', () => resolve(socket));
    socket.once('error', reject);
    socket.on('error', () => {});
  });

/** The text that arrives until the connection ends, or until the first response is complete. */
const everything = (socket: net.Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (/"git_commit":"[^"]*"\}\}$/.test(text)) socket.destroy();
    });
    socket.setTimeout(60_000, () => socket.destroy());
    socket.once('close', () => resolve(text));
  });

async function exchange(url: string, request: string): Promise<string> {
  const socket = await connect(url);
  const answer = everything(socket);
  socket.write(request);
  return answer;
}
