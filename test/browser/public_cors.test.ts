import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { service } from '../support/service.ts';
import { newWorld } from '../support/world.ts';

/*
 * Older browser code uses a plain XMLHttpRequest on a page of another origin, with the Content-Type that the browser chooses. Only
 * a browser can tell whether that is allowed.
 */

let browser: Browser;
let elsewhere: Server;
let page: Awaited<ReturnType<Browser['newPage']>>;

beforeAll(async () => {
  elsewhere = createServer(
    (_req, res) => void res.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Payroll</title>'),
  );
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  page = await browser.newPage();
  await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
});

afterAll(async () => {
  await browser?.close();
  elsewhere?.close();
});

/** The part that the test uses. The tests are compiled without the types of a browser. */
interface PlainRequest {
  readonly status: number;
  readonly responseText: string;
  onload: () => void;
  onerror: () => void;
  open(method: string, address: string): void;
  setRequestHeader(name: string, value: string): void;
  send(body: string | null): void;
}

/** Sends a request from the page, as scripts did before `fetch`. */
const send = (
  method: string,
  address: string,
  body: string | null,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> =>
  page.evaluate(
    ([method, address, body, headers]) =>
      new Promise((resolve, reject) => {
        const request = new (globalThis as unknown as { XMLHttpRequest: new () => PlainRequest }).XMLHttpRequest();
        request.open(method, address);
        for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
        request.onload = () => resolve({ status: request.status, text: request.responseText });
        request.onerror = () => reject(new Error('The browser refused the request or its answer.'));
        request.send(body);
      }),
    [method, address, body, headers] as const,
  );

describe('a page of another origin', () => {
  it('lists users', async () => {
    const { apiToken, admin, employee } = await newWorld();
    const { url } = await service();
    const { status, text } = await send('GET', `${url}/public_api/v1/users?api_token=${apiToken}`, null);
    expect(status).toBe(200);
    expect(JSON.parse(text).users.map(({ id }: { id: number }) => id)).toEqual([admin.id, employee.id]);
  });

  it('writes with the Content-Type that the browser chooses, and with methods and headers that need a preflight request', async () => {
    const { apiToken, employee } = await newWorld();
    const address = `${(await service()).url}/public_api/v1`;
    const body = (user: object) => JSON.stringify({ api_token: apiToken, user });
    const updated = await send('PUT', `${address}/users`, body({ id: employee.id, salary: 20 }));
    expect([updated.status, JSON.parse(updated.text).salary]).toEqual([200, 20]);
    const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Requested-With': 'XMLHttpRequest' };
    expect((await send('PATCH', `${address}/users/deactivate`, body({ id: employee.id }), form)).status).toBe(200);
    expect(
      (await send('DELETE', `${address}/users`, body({ id: employee.id }), { 'Content-Type': 'application/json' }))
        .status,
    ).toBe(200);
  });

  it('reads error responses', async () => {
    const { url } = await service();
    const { status, text } = await send('GET', `${url}/public_api/v1/users`, null);
    expect([status, JSON.parse(text).errors[0].status]).toEqual([401, 'unauthorized']);
  });
});
