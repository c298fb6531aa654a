import { describe, expect, it } from 'vitest';
import { desk, phone, visit } from './browser.ts';

/* Whether the pages can be read: in light and dark, on a desk and on a phone. */

const pages = {
  'the landing page': '/docs',
  'the overview of an API': '/docs/v3/overview',
  'a guide': '/docs/v3/guides/webhooks-and-signatures',
  'a group of operations': '/docs/public/groups/absences',
  'an operation': '/docs/v3/operations/createTimeTracking',
  'a message': '/docs/v3/operations/receiveAbsenceEvent',
  'the error catalogue': '/docs/public/guides/error-codes',
  'the contracts': '/openapi',
  'the changelog': '/docs/changelog',
};

/** The texts whose contrast to what lies behind them is less than WCAG 2 asks of small letters, and how many texts there are. */
const contrasts = `(() => {
  const colourOf = (text) => {
    const [red, green, blue, alpha = 1] = text.match(/[\\d.]+/g).map(Number);
    return { rgb: [red, green, blue], alpha };
  };
  const mixed = (above, below) => above.rgb.map((part, index) => part * above.alpha + below[index] * (1 - above.alpha));
  const behind = (element) => {
    if (!element) return [255, 255, 255];
    const own = colourOf(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own.rgb : mixed(own, behind(element.parentElement));
  };
  const luminance = (rgb) => {
    const [red, green, blue] = rgb.map((part) => part / 255).map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (element, pseudo) => {
    const below = behind(element);
    const [light, dark] = [mixed(colourOf(getComputedStyle(element, pseudo).color), below), below].map(luminance).sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const { data, parentElement: element } = walker.currentNode;
    if (data.trim() && element.checkVisibility()) texts.push([data.trim().slice(0, 40), contrast(element)]);
  }
  for (const field of document.querySelectorAll('[placeholder]')) texts.push([field.placeholder, contrast(field, '::placeholder')]);
  return { count: texts.length, faint: texts.filter(([, value]) => value < 4.5) };
})()`;

describe.each(Object.entries(pages))('%s', (_kind, address) => {
  it.each(['light', 'dark'] as const)(
    'can be read in %s colours, without scrolling to the side',
    async (colorScheme) => {
      for (const size of [desk, phone])
        await visit(address, size, async (page) => {
          await page.emulateMedia({ colorScheme });
          const search = page.getByLabel('Search');
          if (await search.isVisible()) {
            await search.fill('absence');
            await page.locator('.search li').first().waitFor();
          }
          const { count, faint } = (await page.evaluate(contrasts)) as { count: number; faint: unknown[] };
          expect([size.width, faint]).toEqual([size.width, []]);
          expect(count).toBeGreaterThan(20);
          expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
        });
    },
  );
});
