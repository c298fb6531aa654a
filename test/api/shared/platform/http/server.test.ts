import express, { type RequestHandler } from 'express';
import type { ServerOptions } from 'node:http';
import net from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpServer } from '../../../../../src/platform/http/server/server.ts';
import { recordProblems } from '../../../../support/contract/coverage.ts';

const open = async (handler: RequestHandler, limits?: ServerOptions) => {
  const server = httpServer(express().use(handler), 'test', limits);
  onTestFinished(() => server.close(0));
  return { server, port: await server.listen(0, '127.0.0.1') };
};

/** A connection that keeps everything it receives. */
async function connect(port: number) {
  const socket = net.connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  const answers = (): number => text.split('HTTP/1.1 ').length - 1;
  return { socket, ended, answers, text: () => text };
}

const refusal = (answer: string) => {
  const [head, body] = answer.split('\r\n\r\n') as [string, string];
  const { errors, meta } = JSON.parse(body) as {
    errors: { status: string; code: string; source: object; title: string }[];
    meta: object;
  };
  expect(meta).toEqual({ request_id: expect.stringMatching(/^[0-9a-f-]{36}$/), git_commit: 'test' });
  expect(errors[0]!.source).toEqual({ pointer: 'base' });
  const status = Number(head.split(' ')[1]);
  recordProblems(status, errors);
  return [status, errors[0]!.status, errors[0]!.code];
};

const hello: RequestHandler = (_req, res) => void res.end('hello');

describe('the server', () => {
  it('431 for headers beyond 16 KiB', async () => {
    const { port } = await open(hello);
    const { socket, ended } = await connect(port);
    socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`);
    expect(refusal(await ended)).toEqual([431, 'request_header_fields_too_large', 'payload_too_large']);
  });

  it('400 for data that is not HTTP', async () => {
    const { port } = await open(hello);
    const { socket, ended } = await connect(port);
    socket.write('Good morning!\r\n\r\n');
    expect(refusal(await ended)).toEqual([400, 'bad_request', 'malformed_request']);
  });

  it('408 for headers that never end, for bodies that never end, and for silence; others are served meanwhile', async () => {
    const limits = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50 };
    const { port } = await open((req, res) => void req.resume().on('end', () => res.end('hello')), limits);
    const [headers, body, silence] = [await connect(port), await connect(port), await connect(port)];
    headers.socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
    const dribble = setInterval(() => headers.socket.write('X-Slow: 1\r\n'), 50);
    body.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nslow');
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('hello');
    expect(refusal(await headers.ended)).toEqual([408, 'request_timeout', 'timeout']);
    clearInterval(dribble);
    expect(refusal(await body.ended)).toEqual([408, 'request_timeout', 'timeout']);
    expect(refusal(await silence.ended)).toEqual([408, 'request_timeout', 'timeout']);
  });
});

describe('draining', () => {
  it('ends every connection with a response, for requests in progress and for later ones', async () => {
    const waiting: (() => void)[] = [];
    const { server, port } = await open((req, res) =>
      req.url === '/slow' ? void waiting.push(() => res.end('slow')) : void res.end('hello'),
    );
    const [busy, between] = [await connect(port), await connect(port)];
    busy.socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n');
    between.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => waiting.length + between.answers()).toBe(2);
    expect(between.text()).toContain('Connection: keep-alive');

    server.drain();
    between.socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await between.ended).toMatch(/Connection: close[\s\S]*hello$/);
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('hello');

    const closed = server.close(10_000);
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
    waiting[0]!();
    expect(await busy.ended).toMatch(/Connection: close[\s\S]*slow$/);
    await closed;
  });

  it('waits no longer than its timeout', async () => {
    const { server, port } = await open(() => {});
    const { socket, ended } = await connect(port);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await server.close(100);
    expect(await ended).toBe('');
  });
});
