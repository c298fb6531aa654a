import { describe, expect, it } from 'vitest';
import { referencePages } from '../../scripts/docs/reference_pages.ts';
import { apis } from '../../src/platform/http/contract_document.ts';
import { desk, phone, serverUrl, visit } from './browser.ts';

/** How wide a page is beyond the screen. */
const excess = 'document.documentElement.scrollWidth - window.innerWidth';

describe('a page of the reference', () => {
  it('fits on a phone and leads to the menu and to the next page', () =>
    visit('/docs/v3/operations/listTimeTrackings', phone, async (page) => {
      expect(await page.evaluate(excess)).toBe(0);
      await page.click('text=Menu');
      await page.click('#menu >> text=Error codes');
      await page.waitForURL('**/docs/v3/guides/error-codes');
      expect(await page.evaluate(excess)).toBe(0);
      await page.locator('nav.around a[rel=next]').click();
      await page.waitForURL('**/docs/v3/guides/punching');
    }));

  it('fits on a phone, whatever it is about', () =>
    visit('/docs/v3/overview', phone, async (page) => {
      const some = apis.flatMap((api) =>
        referencePages(api).filter(({ kind }, index) => kind === 'guide' || index % 25 === 0),
      );
      for (const { address } of some) {
        await page.goto(serverUrl() + address);
        expect([address, await page.evaluate(excess)]).toEqual([address, 0]);
      }
    }));

  it('finds operations, sections of guides and codes while the reader types', () =>
    visit('/docs/v3/overview', desk, async (page) => {
      const results = page.locator('.search li a');
      const first = () => results.first().getAttribute('href');
      await page.keyboard.press('/');
      await page.keyboard.type('create an are');
      await expect.poll(first).toBe('/docs/v3/operations/createArea');
      await page.getByLabel('Search').fill('unknown_reference');
      await expect.poll(first).toBe('/docs/v3/guides/error-codes#unknown_reference');
      await page.getByLabel('Search').fill('POST /api/v3/workspaces/{workspace_id}/tags');
      await expect.poll(first).toBe('/docs/v3/operations/createTag');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/docs/v3/operations/createTag');
    }));

  it('finds an operation by words that only its description has', () =>
    visit('/docs/v3/overview', desk, async (page) => {
      await page.getByLabel('Search').fill('reset invitation sessions');
      const results = page.locator('.search li a');
      await expect.poll(() => results.first().getAttribute('href')).toBe('/docs/v3/operations/updatePassword');
    }));

  it('copies its samples', () =>
    visit('/docs/v3/operations/createArea', desk, async (page) => {
      await page.evaluate(`navigator.clipboard.writeText = async (text) => { globalThis.copied = text; }`);
      await page.locator('pre', { hasText: 'curl' }).getByRole('button').click();
      expect(await page.evaluate('copied')).toMatch(/^curl -X POST http[^]*"external_id": "bar"[^]*'$/);
    }));
});
