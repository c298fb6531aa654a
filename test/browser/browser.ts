import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { startServer, temporaryFolder, type Running } from '../support/processes/process.ts';

/*
 * The reference in a real browser, from the real server. CHROMIUM names the browser where it is not Debian's; the pictures are
 * kept in dist/pictures.
 */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let server: Running;
/** The address of the server that the tests of a file share. */
export const serverUrl = (): string => server.url;

let browser: Browser;
const data = temporaryFolder();
const pictures = path.resolve(import.meta.dirname, '../../dist/pictures');

beforeAll(async () => {
  if (!existsSync(executablePath))
    throw new Error(
      `There is no browser at ${executablePath}. Install Debian's chromium, or name another one in CHROMIUM.`,
    );
  server = await startServer({ DATA_DIR: data.folder, LOG_LEVEL: 'warn' });
  browser = await chromium.launch({ executablePath, args: flags });
}, 180_000);

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  data.remove();
});

/** Opens a page, and fails if it logs an error that is not expected, or sends a request to another host. */
export async function visit(
  address: string,
  size: { width: number; height: number },
  look: (page: Page) => Promise<void>,
  expected: readonly RegExp[] = [],
): Promise<void> {
  const page = await browser.newPage({ viewport: size });
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== server.url)
      complaints.push(`asked for ${url.href}`);
  });
  await page.goto(server.url + address);
  await look(page);
  const name = `${address.replaceAll(/\W+/g, '-').replace(/^-/, '')}-${size.width}.png`;
  await page.screenshot({ path: path.join(pictures, name) });
  await page.close();
  expect(complaints.filter((text) => !expected.some((one) => one.test(text)))).toEqual([]);
}

export const desk = { width: 1440, height: 900 };
export const phone = { width: 390, height: 844 };
