import { beforeAll, describe, expect, it } from 'vitest';
import { freshDocs } from '../../support/processes/fresh_build.ts';
import { service, serviceWith } from '../../support/service.ts';

/*
 * What programs read: the whole reference as one text, the Markdown of a page at its own address, and the catalogue of the APIs.
 */

let url: string;
beforeAll(async () => {
  await freshDocs();
  ({ url } = await service());
});

const get = (address: string, accept = '*/*', method = 'GET'): Promise<Response> =>
  fetch(url + address, { method, headers: { Accept: accept } });

describe('llms-full.txt', () => {
  it('has every page that llms.txt lists', async () => {
    const list = await (await get('/llms.txt')).text();
    expect(list).toContain(`(${url}/llms-full.txt)`);
    const full = await (await get('/llms-full.txt')).text();
    const pages = [...list.matchAll(/\]\((http[^)]+\.md)\)/g)].map(([, address]) => address!);
    expect(pages.length).toBeGreaterThan(200);
    expect(pages.filter((address) => !full.includes(`<!-- ${address} -->`))).toEqual([]);
    expect(full).toContain('# Create an area\n');
  });
});

describe('Accept: text/markdown', () => {
  it.each(['/docs', '/docs/v3', '/docs/public', '/docs/changelog', '/docs/v3/operations/createArea'])(
    'gets the Markdown of %s',
    async (address) => {
      for (const accept of ['text/markdown', 'text/markdown, text/html;q=0.9, */*;q=0.1']) {
        const response = await get(address, accept);
        expect([response.status, response.headers.get('content-type')]).toEqual([
          200,
          expect.stringMatching(/^text\/markdown\b/),
        ]);
        expect(response.headers.get('vary')).toContain('Accept');
        expect(await response.text()).toBe(await (await get(`${address}.md`)).text());
      }
    },
  );

  it('leaves the page to browsers, and to those who do not say', async () => {
    for (const accept of ['*/*', 'text/html,application/xhtml+xml,*/*;q=0.8', 'text/html, text/markdown;q=0.5']) {
      const response = await get('/docs/changelog', accept);
      expect(response.headers.get('content-type')).toMatch(/^text\/html\b/);
      expect(response.headers.get('vary')).toContain('Accept');
    }
  });
});

describe('/.well-known/api-catalog', () => {
  it('leads to the contract and the reference of both APIs', async () => {
    const response = await get('/.well-known/api-catalog');
    expect(response.headers.get('content-type')).toContain(
      'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    );
    const { linkset } = (await response.json()) as { linkset: Record<string, { href: string; type: string }[]>[] };
    expect(linkset.map(({ anchor }) => anchor)).toEqual([`${url}/api/v3`, `${url}/public_api/v1`]);
    for (const { 'service-desc': contracts, 'service-doc': pages, status } of linkset)
      for (const { href, type } of [...contracts!, ...pages!, ...status!]) {
        const found = await fetch(href);
        expect([href, found.status, found.headers.get('content-type')]).toEqual([
          href,
          200,
          expect.stringContaining(type),
        ]);
      }
  });

  it('says to HEAD what it is, and names the address that the operator has set', async () => {
    const head = await get('/.well-known/api-catalog', '*/*', 'HEAD');
    expect([head.status, head.headers.get('link')]).toEqual([
      200,
      `<${url}/.well-known/api-catalog>; rel="api-catalog"`,
    ]);
    const behindProxy = await serviceWith({ PUBLIC_URL: 'https://time.example.com' });
    expect(await (await fetch(`${behindProxy}/.well-known/api-catalog`)).text()).toContain(
      '"anchor":"https://time.example.com/api/v3"',
    );
  });
});
