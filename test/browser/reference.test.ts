import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { operationsOf, readContract } from '../../src/platform/http/contract_document.ts';
import { desk, phone, serverUrl, visit } from './browser.ts';

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
      expect(await page.locator('pre').first().textContent()).toContain(`${serverUrl()}/api/v3/sign_in`);
      await page.click('text=Resource API v3');
      await page.waitForURL('**/docs/v3/overview');
      await page.locator('h1').filter({ hasText: 'Punchcard resource API' }).waitFor();
    }));

  it('can be read on a phone', () => visit('/docs', phone, async (page) => expect(await fits(page)).toBe(true)));
});

describe.each(['v3', 'public'] as const)('/docs/%s', (api) => {
  const operations = operationsOf(readContract(api)).map(
    ({ operation }) => operation as typeof operation & { summary: string },
  );
  const last = operations.at(-1)!;
  // The pages of their own have all guides, which site.test.ts looks at.
  const guides = ['Error codes', api === 'v3' ? 'Collections' : 'Pages'];

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

  it('opens at an error code by its link', () =>
    visit(`/docs/${api}#tag/Error-codes/unknown_reference`, phone, async (page) => {
      await inSight(page, 'unknown_reference', phone.height);
      expect(await fits(page)).toBe(true);
    }));

  it('opens at an operation by its link', () =>
    visit(`/docs/${api}#operation/${last.operationId}`, phone, async (page) => {
      await inSight(page, last.summary, phone.height);
      expect(await fits(page)).toBe(true);
    }));
});
