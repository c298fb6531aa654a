import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { publishedContract } from '../../scripts/docs/publish.ts';
import { withDemoDates } from '../../src/programs/docs/sample_dates.ts';
import { sampleOrigin } from '../../src/programs/docs/serve.ts';
import { operationsOf } from '../../src/platform/http/contract_document.ts';
import { desk, serverUrl, visit } from './browser.ts';

/*
 * The samples as readers see them. A walk over all operations would take many minutes, so some of every API are looked at.
 */

const count = 6;

interface Shown {
  readonly operationId: string;
  readonly requestBody?: { readonly content: object };
  readonly 'x-codeSamples': readonly { label: string; source: string }[];
}

const withoutBlanks = (text: string): string => text.replaceAll(/\s+/g, '');

/** Whether a button lies on the text of a sample. */
const isCovered = (page: Page): Promise<boolean> =>
  page.evaluate(`(() => {
    const range = document.createRange();
    return [...document.querySelectorAll('.panel-request-samples')].some((panel) => {
      const letters = [...panel.querySelectorAll('pre')].flatMap((pre) => {
        range.selectNodeContents(pre);
        return [...range.getClientRects()];
      });
      const buttons = [...panel.querySelectorAll('button')].map((button) => button.getBoundingClientRect());
      return letters.some((a) => buttons.some((b) =>
        a.width > 0 && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1));
    });
  })()`);

describe.each(['v3', 'public'] as const)('the samples of /docs/%s', (api) => {
  const operations = operationsOf(publishedContract(api)).map(({ operation }) => operation as unknown as Shown);
  const step = Math.floor(operations.length / count);
  const some = operations.filter((_operation, index) => index % step === 0).slice(0, count);

  it('are shown in each language, with the address of this server and the type that they send', async () => {
    for (const { operationId, requestBody, 'x-codeSamples': samples } of some) {
      await visit(`/docs/${api}#operation/${operationId}`, desk, async (page) => {
        await page.waitForURL(new RegExp(`/${operationId}$`, 'i'), { timeout: 60_000 });
        // The neighbours of the operation are on the page too, in the same language.
        const panels = page.locator('.panel-request-samples');
        await panels.first().waitFor();
        for (const [index, { label, source }] of samples.entries()) {
          if (index > 0) {
            await panels
              .getByText(samples[index - 1]!.label, { exact: true })
              .first()
              .dispatchEvent('click');
            await page.getByRole('menuitem', { name: label, exact: true }).dispatchEvent('click');
          }
          const wanted = withoutBlanks(withDemoDates(source.replaceAll(sampleOrigin, serverUrl()), new Date()));
          const isShown = async (): Promise<boolean> =>
            (await panels.locator('pre').allTextContents()).some((text) => withoutBlanks(text).includes(wanted));
          await expect.poll(isShown, { timeout: 30_000, message: `${operationId} in ${label}` }).toBe(true);
          // The page is still being drawn when the text appears.
          const message = `${operationId} in ${label} is covered`;
          await expect.poll(() => isCovered(page), { timeout: 30_000, message }).toBe(false);
        }
        // The viewer names the type where there are several.
        const named = (await panels.allInnerTexts()).join(' ');
        if (Object.keys(requestBody?.content ?? {}).length > 1) expect(named).toContain('application/json');
        expect(named).not.toContain('application/vnd.api+json');
      });
    }
  });
});
