import { execFileSync } from 'node:child_process';
import type { Locator, Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { pageAddress } from '../../scripts/docs/links.ts';
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

/** What a request says, whoever sends it. */
interface Said {
  readonly method: string;
  readonly address: string;
  readonly query: readonly string[];
  readonly credential: string | undefined;
  readonly body: unknown;
}

/** The request of a sample in curl, as a shell reads it. */
function saidBy(sample: string, token: string): Said {
  const script = `curl() { printf '%s\\0' "$@"; }\n${sample}`;
  const words = execFileSync('/bin/sh', ['-c', script], { env: { TOKEN: token }, encoding: 'utf8' }).split('\0');
  const after = (option: string): string[] => words.filter((_word, index) => words[index - 1] === option);
  const headers = new Map(after('-H').map((header) => header.split(': ') as [string, string]));
  const [body] = after('-d');
  return {
    method: after('-X')[0] ?? 'GET',
    address: words.find((word) => word.startsWith('http'))!,
    query: after('--data-urlencode').sort(),
    credential: headers.get('Authorization') ?? headers.get('Api-Key'),
    body: body === undefined ? undefined : [headers.get('Content-Type'), JSON.parse(body)],
  };
}

async function saidIn(request: Request): Promise<Said> {
  const { origin, pathname, searchParams } = new URL(request.url());
  const { authorization, 'api-key': apiKey, 'content-type': type } = await request.allHeaders();
  const body = request.postData();
  return {
    method: request.method(),
    address: origin + pathname,
    query: [...searchParams].map(([name, value]) => `${name}=${value}`).sort(),
    credential: authorization ?? apiKey,
    body: body === null ? undefined : [type, JSON.parse(body)],
  };
}

/** Opens the console by the link of a sample, sends what is filled in, and compares it with the sample. */
async function compareWithSample(page: Page, api: 'v3' | 'public', name: string): Promise<void> {
  await page.goto(serverUrl() + pageAddress({ api, kind: 'operation', name }));
  const sample = await page.locator('pre code', { hasText: /^curl/ }).innerText();
  await page.getByRole('link', { name: 'Open the sample in the console' }).click();
  const button = page.locator(`[id$="-${name}"] button.execute`);
  await button.waitFor();
  const [request] = await Promise.all([
    page.waitForRequest((one) => /\/(api|public_api)\//.test(one.url())),
    button.dispatchEvent('click'),
  ]);
  const token = (await page.evaluate(`JSON.parse(sessionStorage.getItem('punchcard-${api}')).bearer`)) as string;
  expect([name, await saidIn(request)]).toEqual([name, saidBy(sample.replace('demo-api-token', token), token)]);
}

/** Answers in place of the service, so that no sample changes what the next one needs. */
async function answerAll(page: Page): Promise<void> {
  await page.route(/\/(api|public_api)\//, (route) => route.fulfill({ json: {} }));
}

describe('the link of a sample', () => {
  it(
    'opens its request in the console of v3',
    () =>
      visit('/docs/try/v3', desk, async (page) => {
        page.setDefaultTimeout(90_000);
        await openTag(page, 'Authentication');
        expect(await execute(page, await open(page, 'signIn'))).toMatchObject({ status: 200 });
        await answerAll(page);
        for (const name of ['getAbsencesCalculation', 'createTimeTracking']) await compareWithSample(page, 'v3', name);
      }),
    600_000,
  );

  it(
    'opens its request in the console of v1, with the token of the reader',
    () =>
      visit('/docs/try/public', desk, async (page) => {
        page.setDefaultTimeout(90_000);
        await answerAll(page);
        await compareWithSample(page, 'public', 'ping');
        await page.locator('button.authorize').first().click();
        const dialog = page.locator('.modal-ux');
        await dialog.getByText('Logout').click();
        const form = dialog.locator('.auth-container', { has: page.getByLabel('auth-bearer-value') });
        await form.getByLabel('auth-bearer-value').fill('token-of-the-reader');
        await form.locator('button.authorize').click();
        await dialog.locator('button.btn-done').first().click();
        for (const name of ['findEvaluations', 'createPublicAction']) await compareWithSample(page, 'public', name);
      }),
    600_000,
  );
});
