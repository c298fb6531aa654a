import type { Express } from 'express';
import { randomUUID } from 'node:crypto';
import { createServer, STATUS_CODES, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../core/errors.ts';
import { messagesOf } from './messages.ts';

/* Limits on clients that have not sent a complete request yet. A slow client loses its connection; no other client notices. */
const defaultLimits: ServerOptions = {
  // From the first byte, or from the connection where there is none, to the last header.
  headersTimeout: 20_000,
  // To the last byte of the body. Enough for the largest form on a slow connection.
  requestTimeout: 300_000,
  connectionsCheckingInterval: 2_000,
  // Longer than the minute for which common proxies keep a connection, so that the server never closes one that a proxy uses.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
};

export interface HttpServer {
  /** Returns the port, which the system chooses for port 0. */
  listen(port: number, host: string): Promise<number>;
  /** From now on, every response closes its connection, so that no client sends a request into a connection being closed. */
  drain(): void;
  /** Accepts no more connections. Resolves when the open ones have their responses, or when time is up. */
  close(timeoutMs: number): Promise<void>;
}

/** The HTTP server around the app: its timeouts, its answers to requests that are not valid HTTP, and its shutdown. */
export function httpServer(app: Express, gitCommit: string, limits: ServerOptions = {}): HttpServer {
  const server = createServer({ ...defaultLimits, ...messagesOf(app), ...limits });
  const openResponses = new Set<ServerResponse>();
  let isDraining = false;
  const closeAfter = (res: ServerResponse): void => {
    if (!res.headersSent) res.setHeader('Connection', 'close');
  };
  server.on('request', (req, res) => {
    openResponses.add(res);
    res.once('close', () => openResponses.delete(res));
    if (isDraining) closeAfter(res);
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
      openResponses.forEach(closeAfter);
    },
    close(timeoutMs) {
      // A response whose headers were sent before drain() leaves its connection open.
      const idle = setInterval(() => server.closeIdleConnections(), 50);
      const timeout = setTimeout(() => server.closeAllConnections(), timeoutMs);
      return new Promise((resolve) => {
        server.close(() => {
          clearInterval(idle);
          clearTimeout(timeout);
          resolve();
        });
      });
    },
  };
}

interface Refusal {
  readonly httpStatus: number;
  readonly status: string;
  readonly code: ErrorCode;
  readonly title: string;
}

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    httpStatus: 431,
    status: 'request_header_fields_too_large',
    code: 'payload_too_large',
    title: 'The address and the headers may have 16 KiB together.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    httpStatus: 408,
    status: 'request_timeout',
    code: 'timeout',
    title: 'The request did not arrive in time. Send it again, faster.',
  },
};

const invalidHttp: Refusal = {
  httpStatus: 400,
  status: 'bad_request',
  code: 'malformed_request',
  title: 'The request is not valid HTTP.',
};

function refuse(socket: Duplex, errorCode: string, gitCommit: string): void {
  if (!socket.writable || errorCode === 'ECONNRESET') return void socket.destroy();
  const { httpStatus, status, code, title } = refusals[errorCode] ?? invalidHttp;
  const body = JSON.stringify({
    errors: [{ status, code, source: { pointer: 'base' }, title }],
    meta: { request_id: randomUUID(), git_commit: gitCommit },
  });
  const head = [
    `HTTP/1.1 ${httpStatus} ${STATUS_CODES[httpStatus]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
