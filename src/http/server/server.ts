import type { Express } from 'express';
import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { messagesOf } from './messages.ts';

/*
 * What a client may cost before it has sent a request that can be read. Whoever dawdles loses his connection and nobody else
 * notices; whoever sends headers beyond all reason is told so.
 */
const patience: ServerOptions = {
  // From the first byte, or from the connection where there is none, to the last header.
  headersTimeout: 20_000,
  // To the last byte of the body: enough for the largest form on a slow line.
  requestTimeout: 300_000,
  connectionsCheckingInterval: 2_000,
  // Longer than the minute for which common proxies keep a connection, so that theirs never ends under a request.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
};

export interface HttpServer {
  /** Returns the port, which the system chooses where 0 was asked for. */
  listen(port: number, host: string): Promise<number>;
  /** From now on every answer is the last one on its connection, so that a client never sends into one that is being closed. */
  drain(): void;
  /** Takes no more connections, and is done when those that are there have had their answers, or when time is up. */
  close(milliseconds: number): Promise<void>;
}

/** The server around the app: how long it waits for whom, what it answers where the app is never asked, and how it ends. */
export function httpServer(app: Express, gitCommit: string, limits: ServerOptions = {}): HttpServer {
  const server = createServer({ ...patience, ...messagesOf(app), ...limits });
  const underWay = new Set<ServerResponse>();
  let isDraining = false;
  const endAfter = (res: ServerResponse): void => {
    if (!res.headersSent) res.setHeader('Connection', 'close');
  };
  server.on('request', (req, res) => {
    underWay.add(res);
    res.once('close', () => underWay.delete(res));
    if (isDraining) endAfter(res);
    app(req, res);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(socket, error.code ?? '', gitCommit));
  return {
    async listen(port, host) {
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
      return (server.address() as AddressInfo).port;
    },
    drain() {
      isDraining = true;
      underWay.forEach(endAfter);
    },
    close(milliseconds) {
      // An answer whose headers had gone out before leaves its connection open behind it.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const late = setTimeout(() => server.closeAllConnections(), milliseconds);
      return new Promise((resolve) => {
        server.close(() => {
          clearInterval(idle);
          clearTimeout(late);
          resolve();
        });
      });
    },
  };
}

const refusals: Readonly<Record<string, { code: number; status: string; title: string }>> = {
  HPE_HEADER_OVERFLOW: {
    code: 431,
    status: 'request_header_fields_too_large',
    title: 'The address and the headers may have 16 KiB together.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 408,
    status: 'request_timeout',
    title: 'The request did not arrive in time. Send it again, faster.',
  },
};

const unreadable = { code: 400, status: 'bad_request', title: 'The request is not valid HTTP.' };

function refuse(socket: Duplex, errorCode: string, gitCommit: string): void {
  if (!socket.writable || errorCode === 'ECONNRESET') return void socket.destroy();
  const { code, status, title } = refusals[errorCode] ?? unreadable;
  const body = JSON.stringify({
    errors: [{ status, source: { pointer: 'base' }, title }],
    meta: { request_id: randomUUID(), git_commit: gitCommit },
  });
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
