import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from './run.ts';
import { serverUrl } from './server.ts';

/*
 * Programs that use shifts and assignments of the public API as integrations do: a page of another origin that draws a week,
 * and a script in PHP.
 */

const programs = path.resolve(import.meta.dirname, 'programs');
const token = 'demo-api-token';

async function call(method: string, address: string, body: object) {
  const response = await fetch(`${serverUrl()}/public_api/v1${address}`, {
    method,
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect([address, response.status, text]).toEqual([address, 200, text]);
  return JSON.parse(text || '{}') as { id: number };
}

const shiftsPerDay = 50;
const days = ['2031-06-09', '2031-06-10', '2031-06-11', '2031-06-12', '2031-06-13', '2031-06-14', '2031-06-15'];

/** A week with 50 shifts a day in the kitchen. Erin is on each; on the last one, which begins late on Sunday, a user who leaves later. */
async function planWeek(): Promise<void> {
  const place = { location_external_id: 'harbour', working_area_external_id: 'kitchen' };
  const plan = async (day: string, user: object) => {
    const times = { starts_at: `${day}T22:00:00+02:00`, ends_at: `${day}T24:00:00+02:00` };
    const { id: shift_id } = await call('POST', '/shifts', { shift: { ...place, ...times, number_of_employees: 1 } });
    await call('POST', '/assignments', { assignment: { shift_id, ...user } });
  };
  for (const day of days)
    await Promise.all(Array.from({ length: shiftsPerDay }, () => plan(day, { user_external_id: 'erin' })));
  const { id: user_id } = await call('POST', '/users', {
    user: { username: 'Guest', location_external_ids: 'harbour' },
  });
  await plan('2031-06-15', { user_id });
  await call('DELETE', '/users', { user: { id: user_id } });
}

describe('a roster page', () => {
  let browser: Browser;
  let elsewhere: Server;

  beforeAll(async () => {
    elsewhere = createServer((_req, res) => {
      res.setHeader('Content-Type', 'text/html').end(readFileSync(path.join(programs, 'roster_page.html')));
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    browser = await chromium.launch({
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    });
    await planWeek();
  });

  afterAll(async () => {
    await browser?.close();
    elsewhere?.close();
  });

  it('draws Monday to Sunday, with several hundred requests at once that the browser asks permission for', async () => {
    const page = await browser.newPage();
    let requests = 0;
    page.on('requestfinished', (request) => (requests += request.url().includes('/assignments?') ? 1 : 0));
    const settings = { service: serverUrl(), token, location: '1', monday: days[0]! };
    const { port } = elsewhere.address() as AddressInfo;
    await page.goto(`http://localhost:${port}/?${new URLSearchParams(settings)}`);
    const state = page.locator('#state');
    await state.filter({ hasNotText: 'loading' }).waitFor({ timeout: 120_000 });
    expect(await state.textContent()).toBe('drawn');
    expect(await page.title()).toBe('Harbour Restaurant');
    expect(requests).toBeGreaterThanOrEqual(7 * shiftsPerDay + 1);
    const kitchen = await page.locator('tbody tr', { hasText: 'Kitchen' }).locator('td').allTextContents();
    const usual = Array.from({ length: shiftsPerDay }, () => 'EE').join(' ');
    expect(kitchen).toEqual(['Kitchen', ...days.slice(0, 6).map(() => usual), `${usual} XX`]);
  });
});

describe('a script in PHP', () => {
  it('plans a shift, assigns a user and reads both back with JSON in the body of GET', async ({ skip }) => {
    if (spawnSync('php', ['--version']).status !== 0) skip('PHP is not installed: there is no program php.');
    const { code, output } = await run('php', ['roster.php', serverUrl(), token], programs);
    expect([code, output]).toEqual([0, output]);
    const { created, shown, listed, users } = JSON.parse(output);
    expect(created).toMatchObject({ ends_at: '2031-06-16T22:00:00Z', number_of_employees: 1, visible: null });
    expect([shown, listed]).toEqual([created, [created]]);
    expect(users).toEqual({ assigned: [{ id: 2, username: 'Erin Example' }], applied: [] });
  });
});
