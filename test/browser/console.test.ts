import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { desk, serverUrl, visit } from './browser.ts';

/** Opens an operation of the console. Its form is filled with the example of the contract. */
async function open(page: Page, operationId: string): Promise<Locator> {
  const block = page.locator(`[id$="-${operationId}"]`).first();
  await block.locator('.opblock-summary-control').first().dispatchEvent('click');
  await block.locator('button.execute').waitFor({ timeout: 60_000 });
  return block;
}

/** Sends the request of an opened operation, and returns the status and the body of the response. */
async function execute(page: Page, block: Locator): Promise<{ status: number; body: Record<string, unknown> }> {
  const [response] = await Promise.all([
    page.waitForResponse((one) => ['fetch', 'xhr'].includes(one.request().resourceType())),
    block.locator('button.execute').dispatchEvent('click'),
  ]);
  // The page shows what arrived.
  await block.locator('.live-responses-table .response-col_status', { hasText: String(response.status()) }).waitFor();
  return { status: response.status(), body: (await response.json()) as Record<string, unknown> };
}

/** Opens the section of a tag. */
const openTag = (page: Page, name: string): Promise<void> =>
  page.locator(`[id="operations-tag-${name.replaceAll(' ', '_')}"] button.expand-operation`).dispatchEvent('click');

describe('the console', () => {
  it('signs in, authorises, lists and creates, and shows an error', () =>
    visit(
      '/docs/try/v3',
      desk,
      async (page) => {
        page.setDefaultTimeout(90_000);
        await page.locator('.opblock-tag-section').first().waitFor();
        await openTag(page, 'Authentication');
        expect(await execute(page, await open(page, 'signIn'))).toMatchObject({ status: 200 });
        // Signed in, the page sends the token by itself.
        await openTag(page, 'Areas');
        const list = await open(page, 'listAreas');
        expect(await execute(page, list)).toMatchObject({ status: 200, body: { data: expect.any(Array) } });
        const create = await open(page, 'createArea');
        expect(await execute(page, create)).toMatchObject({
          status: 201,
          body: { data: { attributes: { name: 'Bar' } } },
        });
        // The name and the external id are taken now.
        expect(await execute(page, create)).toMatchObject({
          status: 400,
          body: { errors: [{ code: 'taken' }, { code: 'taken' }] },
        });
        expect(await page.evaluate('localStorage.length + document.cookie.length')).toBe(0);
        // The link of a sample opens its form, filled, and the tab has kept the token.
        await page.goto(`${serverUrl()}/docs/try/v3#/Time%20trackings/listTimeTrackings`);
        await page.reload();
        const linked = page.locator('[id$="-listTimeTrackings"]').first();
        await linked.locator('button.execute').waitFor();
        const inputs = await linked
          .locator('.parameters input[type=text]')
          .evaluateAll((all: { value: string }[]) => all.map(({ value }) => value).filter((value) => value !== ''));
        expect(inputs).toContain('1');
        expect(await execute(page, linked)).toMatchObject({ status: 200, body: { data: expect.any(Array) } });
        const [form, answer] = [linked.locator('.opblock-section').first(), linked.locator('.responses-wrapper')];
        expect((await answer.boundingBox())!.x).toBeGreaterThan((await form.boundingBox())!.x + 300);
      },
      [/status of 400/],
    ));

  it('has the token of the demo organisation in the public API', () =>
    visit('/docs/try/public', desk, async (page) => {
      page.setDefaultTimeout(90_000);
      await page.locator('.opblock-tag-section').first().waitFor();
      await openTag(page, 'Ping');
      expect(await execute(page, await open(page, 'ping'))).toMatchObject({ status: 200 });
      expect(await page.evaluate('localStorage.length + document.cookie.length')).toBe(0);
    }));
});
