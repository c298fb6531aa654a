import { describe, expect, it } from 'vitest';
import { mainPages } from '../../scripts/docs/frame.ts';
import { desk, phone, serverUrl, visit } from './browser.ts';

describe('the pages', () => {
  it('lead to each other, on a desk and on a phone', async () => {
    for (const [address] of mainPages) {
      for (const size of [desk, phone]) {
        await visit(address, size, async (page) => {
          const links = await page
            .locator('nav a')
            .evaluateAll((all: { getAttribute(name: string): string }[]) => all.map((one) => one.getAttribute('href')));
          expect([address, links.slice(0, mainPages.length)]).toEqual([address, mainPages.map(([to]) => to)]);
          const excess = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
          expect([address, excess]).toEqual([address, 0]);
        });
      }
    }
  });

  it('open at a chapter without a word about a missing page', () =>
    visit('/docs/v3#/two-apis', desk, async (page) => {
      await page.addInitScript(`
        globalThis.wasMissing = false;
        setInterval(() => {
          const message = document.querySelector('.not-found-page');
          if (message && getComputedStyle(message).visibility !== 'hidden') globalThis.wasMissing = true;
        }, 10)`);
      await page.reload();
      await page.locator('h2').filter({ hasText: 'Two APIs' }).first().waitFor({ timeout: 60_000 });
      expect(await page.evaluate('wasMissing')).toBe(false);
    }));
});

describe('a guide', () => {
  it('has headings, uses the width, and is copied as Markdown', () =>
    visit('/docs/v3#/webhooks-and-signatures', desk, async (page) => {
      await page.addInitScript(
        `navigator.clipboard.writeText = async (text) => { (globalThis.copied ??= []).push(text); }`,
      );
      await page.reload();
      const heading = page.locator('h2', { hasText: 'Webhooks and signatures' }).first();
      await heading.waitFor({ timeout: 60_000 });
      const text = page.locator('.api-content p').first();
      expect((await text.boundingBox())!.width).toBeGreaterThan(700);
      expect(await page.locator('.api-content h2, .api-content h3').count()).toBeGreaterThan(2);
      await heading.locator('xpath=ancestor::div[.//button][1]//button').first().dispatchEvent('click');
      const copied = (): Promise<string> => page.evaluate('(globalThis.copied ?? []).join()');
      await expect.poll(copied, { timeout: 20_000 }).toMatch(/^# Webhooks and signatures\n/);
      const twin = await fetch(`${serverUrl()}/docs/v3/guides/webhooks-and-signatures.md`);
      expect(await copied()).toBe(await twin.text());
    }));
});

describe('an operation', () => {
  it('that is an extension has a badge, and names in words who may call it', () =>
    visit('/docs/v3#operation/createTag', desk, async (page) => {
      await page.locator('h2').filter({ hasText: 'Create a tag' }).first().waitFor({ timeout: 60_000 });
      const content = await page.locator('.api-content').innerText();
      expect(content).toMatch(/Extension/);
      expect(content).toContain('Who may call it.');
    }));

  it('shows its response example opened down to the attributes', () =>
    visit('/docs/v3#operation/createArea', desk, async (page) => {
      // Pages show the operations of a tag together, so the panel is that of this operation.
      const operation = page.locator('[id="areas/createarea"]');
      const example = operation.locator('[class*=panel]').filter({ hasText: 'Response' }).first();
      await example.waitFor({ timeout: 60_000 });
      await expect.poll(() => example.innerText(), { timeout: 20_000 }).toContain('"#2196F3"');
    }));
});
