import request from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { changelogFeed, releasesIn } from '../../../scripts/docs/changelog.ts';
import { consolePage } from '../../../scripts/docs/console.ts';
import { withHeadings } from '../../../scripts/docs/guides.ts';
import { callersOf } from '../../../scripts/docs/roles.ts';
import {
  messagesOf,
  operationsOf,
  readContract,
  type ContractOperation,
} from '../../../src/platform/http/contract_document.ts';
import { service, serviceWith } from '../../support/service.ts';
import { freshDocs } from '../../support/processes/fresh_build.ts';

let url: string;
beforeAll(async () => {
  await freshDocs();
  ({ url } = await service());
});

const get = (address: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url + address, { headers, redirect: 'manual' });

/** The text at an address, and that it is sent with a tag that saves the second transfer. */
async function read(address: string, type: string): Promise<string> {
  const response = await get(address);
  expect([address, response.status, response.headers.get('content-type')]).toEqual([
    address,
    200,
    expect.stringContaining(type),
  ]);
  const tag = response.headers.get('etag')!;
  expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
  const text = await response.text();
  // Fetch would ask for a full response.
  const again = await request(url).get(address).set('If-None-Match', tag);
  expect([again.status, again.text]).toEqual([304, '']);
  // Fetch asks for compression. Shorter texts are not worth it.
  if (text.length > 1_024) expect(response.headers.get('content-encoding'), address).toMatch(/^(gzip|br)$/);
  return text;
}

const addressesIn = (text: string): string[] =>
  [...text.matchAll(/\]\((http[^)]+)\)/g)].map(([, address]) => address!.replace(url, ''));

describe('llms.txt', () => {
  it('leads to a page in Markdown for every guide, operation and message, and to every contract file', async () => {
    const text = await read('/llms.txt', 'text/plain');
    const addresses = new Set(addressesIn(text));
    for (const api of ['v3', 'public'] as const) {
      const contract = readContract(api);
      const all = [...operationsOf(contract).map(({ operation }) => operation), ...messagesOf(contract)];
      const missing = all
        .map(({ operationId }) => `/docs/${api}/operations/${operationId}.md`)
        .filter((address) => !addresses.has(address));
      expect(missing).toEqual([]);
    }
    expect(addresses).toContain('/docs/v3/guides/error-codes.md');
    for (const address of addresses) {
      const response = await get(address);
      expect([address, response.status]).toEqual([address, 200]);
      const page = await response.text();
      if (!address.endsWith('.md')) continue;
      expect(response.headers.get('content-type'), address).toMatch(/^text\/markdown\b/);
      expect(page.startsWith('# '), address).toBe(true);
      // No chapter of the HTML page, no missing value, no default address.
      expect(page, address).not.toMatch(/\]\(#|undefined|\[object Object\]|127\.0\.0\.1:3000/);
    }
  });
});

describe('the Markdown of a page', () => {
  it('of an operation says everything that its page says', async () => {
    const text = await read('/docs/v3/operations/createArea.md', 'text/markdown');
    for (const part of [
      '# Create an area\n',
      'POST /api/v3/workspaces/{workspace_id}/areas',
      '**Who may call it.** Admins of the workspace, and admins of the account.',
      '| `workspace_id` | path | string | required |',
      '| `data.attributes.name` | string | required |',
      '## Samples',
      `curl -X POST ${url}/api/v3/workspaces/1/areas`,
      '## Response 201',
      '| `data.attributes.color` |',
      '"name": "Bar"',
      '| 400 |',
      `[\`invalid_format\`](${url}/docs/v3/guides/error-codes.md#invalid_format): color must be a colour like #2196F3, but was "blue".`,
    ])
      expect(text).toContain(part);
  });

  it('of a message shows its headers and body', async () => {
    const text = await read('/docs/v3/operations/receiveAbsenceEvent.md', 'text/markdown');
    for (const part of ['# Events about absences', '`webhook-signature`', '"type": "absence.requested"'])
      expect(text).toContain(part);
  });

  it('of a guide, an API, the landing page and the changelog exists', async () => {
    expect(await read('/docs/v3/guides/two-apis.md', 'text/markdown')).toContain('# Two APIs\n\nBoth APIs work on');
    expect(await read('/docs/public.md', 'text/markdown')).toContain(
      `(${url}/docs/public/operations/findPublicUsers.md)`,
    );
    expect(await read('/docs.md', 'text/markdown')).toContain(`${url}/api/v3/sign_in`);
    expect(await read('/docs/changelog.md', 'text/markdown')).toMatch(/^# Changelog\n/);
  });

  it('does not exist at other addresses', async () => {
    expect((await get('/docs/v3/operations/nothing.md')).status).toBe(404);
  });
});

describe('the changelog', () => {
  it('is a page with headings, and a feed', async () => {
    const page = await read('/docs/changelog', 'text/html');
    expect(page).toContain('<h2 id="0.1.0">0.1.0</h2>');
    expect(page).toContain('<strong>Two APIs over the same records</strong>');
    expect(page).toContain('<link rel="alternate" type="application/atom+xml" href="/docs/changelog.atom">');
    const feed = await read('/docs/changelog.atom', 'application/atom+xml');
    expect(feed).toContain(`<link rel="self" type="application/atom+xml" href="${url}/docs/changelog.atom"/>`);
    expect(feed).toContain('<title>Punchcard 0.1.0</title>');
  });

  it('has one entry per release, with its day', () => {
    const releases = releasesIn(
      '# Changelog\n\nText.\n\n## 0.2.0, unreleased\n\nAs of 2026-12-02.\n\n- A < B\n\n## 0.1.0, 2026-11-30\n\n- First',
    );
    expect(releases).toEqual([
      { name: '0.2.0', updated: '2026-12-02T00:00:00Z', text: 'As of 2026-12-02.\n\n- A < B' },
      { name: '0.1.0', updated: '2026-11-30T00:00:00Z', text: '- First' },
    ]);
    const feed = changelogFeed(releases);
    expect(feed.match(/<entry>/g)).toHaveLength(2);
    expect(feed).toContain('&lt;li>A &amp;lt; B&lt;/li>');
    expect(feed).toContain('<updated>2026-12-02T00:00:00Z</updated>\n  <entry>');
    expect(() => releasesIn('## 0.2.0, unreleased\n\n- A')).toThrow('The section 0.2.0 of the changelog has no day.');
  });
});

describe('/ and /openapi', () => {
  const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it('leads browsers to the reference, and tells programs where it is', async () => {
    const forBrowsers = await get('/', browser);
    expect([forBrowsers.status, forBrowsers.headers.get('location')]).toEqual([302, '/docs']);
    const forPrograms = await get('/');
    expect([forPrograms.status, await forPrograms.text()]).toEqual([404, expect.stringContaining('/docs')]);
  });

  it('lists every file, as a page and as JSON', async () => {
    const { files } = JSON.parse(await read('/openapi', 'application/json')) as { files: { url: string }[] };
    expect(files.map((file) => file.url)).toEqual(
      expect.arrayContaining([`${url}/openapi/v3.json`, `${url}/openapi/workflows/vacation.yaml`]),
    );
    const page = await get('/openapi', browser);
    expect(page.headers.get('vary')).toContain('Accept');
    const text = await page.text();
    for (const file of files) {
      expect(text).toContain(`href="${file.url.replace(url, '')}"`);
      await read(file.url.replace(url, ''), '/');
    }
  });
});

describe('the console', () => {
  it('names the credentials of the demo organisation only where they work', async () => {
    const page = await read('/docs/try/v3', 'text/html');
    expect(page).not.toContain('demo-api-key');
    expect(page).toContain('Enter an Api-Key');
    expect(await read('/docs/try/swagger-ui.css', 'text/css')).toContain('.swagger-ui');
  });

  it('has them filled in where they do', () => {
    expect(consolePage('v3', true)).toContain('{"apiKey":"demo-api-key"}');
    expect(consolePage('public', true)).toContain('{"bearer":"demo-api-token"}');
  });
});

describe('the headings of a guide', () => {
  it('are the bold words at the beginning of its paragraphs', () => {
    expect(withHeadings('Text.\n\n**Sign up.** It **is.** easy.\n**Bold** stays.')).toBe(
      'Text.\n\n## Sign up\n\nIt **is.** easy.\n**Bold** stays.',
    );
  });
});

describe('the address in the texts', () => {
  it('is PUBLIC_URL where it is set', async () => {
    const behindProxy = await serviceWith({ PUBLIC_URL: 'https://time.example.com' });
    const text = await (await fetch(`${behindProxy}/docs.md`)).text();
    expect(text).toContain('https://time.example.com/api/v3/sign_in');
    const page = await (await fetch(`${behindProxy}/docs`)).text();
    expect(page).toContain('https://time.example.com/api/v3/sign_in');
  });
});

describe('the role of an operation', () => {
  it('has words in both APIs', () => {
    for (const api of ['v3', 'public'] as const)
      for (const { operation } of operationsOf(readContract(api)))
        expect(callersOf(api, operation), operation.operationId).toMatch(/^[A-Z].*\.$/);
    const unknown = { 'x-role': 'king' } as unknown as ContractOperation;
    expect(() => callersOf('v3', unknown)).toThrow('king');
  });
});
