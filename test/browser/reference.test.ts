import { existsSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operationsOf, readContract } from '../../src/http/contract_document.ts';
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

/** Opens a page, and fails if it logs an error or sends a request to another host. */
async function visit(
  address: string,
  size: { width: number; height: number },
  look: (page: Page) => Promise<void>,
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
  expect(complaints).toEqual([]);
}

const desk = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

/** Whether the page is no wider than the screen. */
const fits = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');

/** Waits until a heading is on the screen. */
async function inSight(page: Page, text: string, height: number): Promise<void> {
  const heading = page.locator('h1, h2').filter({ hasText: text }).first();
  await heading.waitFor({ timeout: 60_000 });
  const top = async (): Promise<number> => (await heading.boundingBox())?.y ?? -1;
  await expect.poll(top, { timeout: 60_000 }).toBeLessThan(height);
  expect(await top()).toBeGreaterThanOrEqual(0);
}

describe('/docs', () => {
  it('links to both references, with commands for the address of this server', () =>
    visit('/docs', desk, async (page) => {
      expect(await page.textContent('h1')).toBe('Punchcard');
      expect(await page.locator('pre').first().textContent()).toContain(`${server.url}/api/v3/sign_in`);
      await page.click('text=Resource API v3');
      await page.waitForURL('**/docs/v3');
      await page.locator('h1').filter({ hasText: 'Punchcard resource API' }).waitFor();
    }));

  it('can be read on a phone', () => visit('/docs', phone, async (page) => expect(await fits(page)).toBe(true)));
});

describe.each(['v3', 'public'] as const)('/docs/%s', (api) => {
  const operations = operationsOf(readContract(api)).map(
    ({ operation }) => operation as typeof operation & { summary: string },
  );
  const last = operations.at(-1)!;
  const guides = [
    'Errors',
    'Error codes',
    'Workflows',
    'Clients',
    'Versions',
    'Two APIs',
    ...(api === 'v3' ? ['Collections', 'Punching', 'States of an absence'] : []),
  ];

  it('names every operation in its menu', () =>
    visit(`/docs/${api}`, desk, async (page) => {
      const menu = page.locator('[data-component-name="Menu/Menu"]').first();
      await menu.waitFor();
      const shown = new Set<string>();
      for (const tag of new Set(operations.map((operation) => operation.tags![0]!))) {
        await menu
          .locator('a', { has: page.getByText(tag, { exact: true }) })
          .first()
          .click();
        const { summary } = operations.findLast((operation) => operation.tags![0] === tag)!;
        await menu.getByText(summary, { exact: true }).first().waitFor();
        for (const line of (await menu.innerText()).split('\n')) shown.add(line.trim());
      }
      expect(operations.map(({ summary }) => summary).filter((summary) => !shown.has(summary))).toEqual([]);
    }));

  it('finds an operation, and opens it', () =>
    visit(`/docs/${api}`, desk, async (page) => {
      await page.getByText(/^Search Ctrl/).click();
      await page.getByPlaceholder('Search docs...').fill(last.summary);
      const found = page.locator('[data-component-name="Search/SearchItem"]').filter({ hasText: last.summary }).first();
      await found.click();
      await page.waitForURL(new RegExp(`/docs/${api}#.*${last.operationId}$`, 'i'));
      await inSight(page, last.summary, desk.height);
    }));

  it('can be read on a phone, including the guides', async () => {
    await visit(`/docs/${api}`, phone, async (page) => expect(await fits(page)).toBe(true));
    for (const guide of guides) {
      await visit(`/docs/${api}#tag/${guide.replaceAll(' ', '-')}`, phone, async (page) => {
        await inSight(page, guide, phone.height);
        expect(await fits(page)).toBe(true);
      });
    }
  });

  it('opens at an error code by its link, on a desk and on a phone', async () => {
    for (const size of [desk, phone]) {
      await visit(`/docs/${api}#tag/Error-codes/unknown_reference`, size, async (page) => {
        await inSight(page, 'unknown_reference', size.height);
        expect(await fits(page)).toBe(true);
      });
    }
  });

  it('opens at an operation by its link, on a desk and on a phone', async () => {
    for (const size of [desk, phone]) {
      await visit(`/docs/${api}#operation/${last.operationId}`, size, async (page) => {
        await inSight(page, last.summary, size.height);
        expect(await fits(page)).toBe(true);
      });
    }
  });
});
