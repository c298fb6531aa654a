import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Response } from '../../../scripts/docs/common_headers.ts';
import { markdownPages } from '../../../scripts/docs/markdown_pages.ts';
import { pageAddress, withLinks } from '../../../scripts/docs/links.ts';
import { pageContract } from '../../../scripts/docs/page_contract.ts';
import { publishedContract } from '../../../scripts/docs/publish.ts';
import { referencePages } from '../../../scripts/docs/reference_pages.ts';
import { firstSentence } from '../../../scripts/docs/site/html.ts';
import { siteFiles } from '../../../scripts/docs/site/site.ts';
import {
  apis,
  messagesOf,
  operationsOf,
  readContract,
  resolved,
  resolver,
  type Contract,
} from '../../../src/platform/http/contract_document.ts';
import { docsFolders } from '../../../src/programs/docs/serve.ts';
import { freshDocs } from '../../support/processes/fresh_build.ts';
import { service } from '../../support/service.ts';

beforeAll(freshDocs);

const pages = apis.flatMap((api) => referencePages(api));
const files = siteFiles();
const htmlOf = (address: string): string => files.get(`${address}.html`)!;
const idsIn = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
const linksIn = (html: string): string[] => [...html.matchAll(/ href="([^"]+)"/g)].map(([, address]) => address!);

describe('the pages of the reference', () => {
  it('are one for each operation, message and chapter, each with a title, a description and an address of its own', () => {
    const addresses = new Set(pages.map(({ address }) => address));
    expect(addresses.size).toBe(pages.length);
    for (const api of apis) {
      const contract = readContract(api) as ReturnType<typeof readContract> & { tags: { name: string }[] };
      const operations = [...operationsOf(contract).map(({ operation }) => operation), ...messagesOf(contract)];
      expect(pages.filter((page) => page.api === api)).toHaveLength(operations.length + contract.tags.length + 1);
    }
    for (const { address, title } of pages) {
      const html = htmlOf(address);
      const found = [
        /<meta name="description" content="([^"]*)">/,
        /<link rel="canonical" href="(.*)">/,
        /<h1>(.*)<\/h1>/,
      ];
      const [description, canonical, heading] = found.map((pattern) => pattern.exec(html)?.[1]);
      expect(canonical).toBe(`http://127.0.0.1:3000${address}`);
      expect([address, heading]).toEqual([address, title]);
      expect([address, description]).toEqual([address, expect.stringMatching(/^[^`|#]{10,}$/)]);
      expect([address, /undefined|\[object Object\]|<script>/.exec(html)?.[0]]).toEqual([address, undefined]);
    }
    const titles = pages.map(({ address }) => htmlOf(address).match(/<title>(.*)<\/title>/)![1]!);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it('lead to each other in one row', () => {
    for (const api of apis) {
      const own = referencePages(api);
      own.forEach(({ address }, index) => {
        const next = own[index + 1];
        if (next) expect(htmlOf(address)).toContain(`<link rel="next" href="${next.address}">`);
        if (next) expect(htmlOf(next.address)).toContain(`<link rel="prev" href="${address}">`);
      });
    }
  });

  it('have no link to something that is not there', () => {
    const ids = new Map(pages.map(({ address }) => [address, new Set(idsIn(htmlOf(address)))]));
    const isThere = (from: string, link: string): boolean => {
      const [address = '', anchor] = link.split('#');
      const target = address || from;
      const known = ids.get(target);
      if (known) return anchor === undefined || known.has(anchor);
      const file = path.join(docsFolders.all, target);
      return target.endsWith('.md') ? markdownPages().has(target) : existsSync(file) || existsSync(`${file}.html`);
    };
    const broken = pages.flatMap(({ address }) =>
      linksIn(htmlOf(address))
        .filter((link) => link.startsWith('/') || link.startsWith('#'))
        .filter((link) => !isThere(address, link))
        .map((link) => `${address} → ${link}`),
    );
    expect([...new Set(broken)]).toEqual([]);
  });

  it('are served with the text, the menu and the address of this server', async () => {
    const { url } = await service();
    const response = await fetch(`${url}/docs/v3/operations/createArea`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await response.text();
    expect(html).toContain(`<link rel="canonical" href="${url}/docs/v3/operations/createArea">`);
    expect(html).toContain('<a href="/docs/v3/operations/createArea" aria-current="page">Create an area</a>');
    expect(html).toContain('<link rel="alternate" type="text/markdown" href="/docs/v3/operations/createArea.md">');
    expect(html).toContain(`curl -X POST ${url}/api/v3/workspaces/1/areas`);
    expect((await fetch(`${url}/docs/page.css`)).headers.get('content-type')).toContain('text/css');
  });

  it('are small', async () => {
    const sizes = pages.map(({ address }) => htmlOf(address).length).sort((a, b) => a - b);
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThan(40_000);
    expect(files.get('/docs/v3/search.json')!.length).toBeLessThan(175_000);
  });
});

describe('names in texts', () => {
  const main = (address: string): string => htmlOf(address).split('<main')[1]!.split('</main>')[0]!;

  it('of operations, chapters, events and codes are links', () => {
    const guide = main('/docs/v3/guides/webhooks-and-signatures');
    expect(guide).toContain('<a href="/docs/v3/operations/createWebhook"><code>createWebhook</code></a>');
    expect(guide).toContain('<a href="/docs/v3/operations/receiveAbsenceEvent"><code>absence.requested</code></a>');
    expect(main('/docs/v3/guides/errors')).toContain('<a href="/docs/v3/guides/error-codes">Error codes</a>');
    expect(main('/docs/v3/operations/joinWorkspace')).toContain(
      '<a href="/docs/v3/guides/error-codes#address_in_use"><code>address_in_use</code></a>',
    );
    const plain = pages.flatMap(({ address, name }) =>
      [...main(address).matchAll(/(<a [^>]*>)?<code>(\w+)<\/code>/g)]
        .filter(([, link, word]) => !link && word !== name && files.has(`/docs/v3/operations/${word}.html`))
        .map(([, , word]) => `${address} ${word}`),
    );
    expect(plain).toEqual([]);
  });

  it('stay plain in code and in the contracts', () => {
    const text = '```\n`createArea`\n```\n[`createArea`](/x) `createArea`, _no chapter_';
    expect(withLinks('v3', text, pageAddress)).toBe(
      '```\n`createArea`\n```\n[`createArea`](/x) [`createArea`](/docs/v3/operations/createArea), _no chapter_',
    );
    expect(JSON.stringify(publishedContract('v3'))).not.toContain('](#operation/');
  });

  it('are links in the page of everything too', () => {
    const text = JSON.stringify(pageContract('v3'));
    expect(text).toContain('[`createWebhook`](#operation/createWebhook)');
    expect(text).toContain('[Error codes](#tag/Error-codes)');
    expect(text).not.toContain('"X-Request-Id":{');
    expect(JSON.stringify(publishedContract('v3'))).toContain('"X-Request-Id":{');
  });
});

describe('the page of an operation', () => {
  it('leads to the console, its errors, its workflows and its events, and says what its badges mean', () => {
    const html = htmlOf('/docs/v3/operations/confirmAbsence');
    for (const link of [
      '/docs/try/v3#/Absences/confirmAbsence',
      '/openapi/workflows/vacation.yaml',
      '/docs/v3/operations/receiveAbsenceEvent',
      '/docs/v3/guides/error-codes#forbidden',
    ])
      expect(html).toContain(`href="${link}"`);
    expect(htmlOf('/docs/v3/operations/createTag')).toContain('<strong>Extension.</strong> The original API');
  });

  it('leads to the console with its sample', () => {
    for (const { api, address, name, tag } of pages.filter(({ kind }) => kind === 'operation'))
      expect(linksIn(htmlOf(address))).toContain(`/docs/try/${api}#/${encodeURIComponent(tag!)}/${name}`);
  });

  it('says that its samples need a secret from a mail, if they do', () => {
    const marked = pages.filter(({ address }) => htmlOf(address).includes('<strong>Needs a mail.</strong>'));
    expect(marked.map(({ name }) => name).sort()).toEqual([
      'checkPasswordToken',
      'confirmEmail',
      'getInvitation',
      'getInvitedUser',
      'joinWorkspace',
      'listInvitedUsers',
      'updatePassword',
    ]);
    expect(JSON.stringify(pageContract('v3')).split('**Needs a mail.**')).toHaveLength(marked.length + 1);
  });
});

describe.each(apis)('the headers of the responses of %s', (api) => {
  const chapter = htmlOf(`/docs/${api}/guides/headers`).split('contract lists them with each response')[1]!;
  const inChapter = [...chapter.matchAll(/<tr><td><code>([\w-]+)<\/code><\/td>/g)].map(([, name]) => name!);
  const namesIn = (contract: Contract): Set<string> => {
    const resolve = resolver(contract);
    const all = operationsOf(contract).flatMap(({ operation }) => Object.values(operation.responses) as Response[]);
    return new Set(all.flatMap((one) => Object.keys(resolved<Response>(one, resolve).headers ?? {})));
  };

  it('are in the chapter about headers if they are common', () => {
    const limits = ['RateLimit', 'RateLimit-Limit', 'RateLimit-Policy', 'RateLimit-Remaining', 'RateLimit-Reset'];
    const common = ['Idempotency-Replayed', 'Preference-Applied', ...limits, 'X-Request-Id'];
    expect(inChapter.toSorted()).toEqual([...(api === 'public' ? ['Cache-Control'] : []), ...common]);
  });

  it('are before the bodies if they are not', () => {
    const beforeBodies = namesIn(pageContract(api));
    expect(new Set([...beforeBodies, ...inChapter])).toEqual(namesIn(publishedContract(api)));
    // One operation has more to say about its preference than all others.
    expect(inChapter.filter((name) => beforeBodies.has(name))).toEqual(['Preference-Applied']);
  });
});

describe('the description of a page', () => {
  it('is the first sentence of its text, without marks', () => {
    expect(firstSentence('```\nGET /x\n```\n\nLists the `areas` of [a page](/docs), by name. More.')).toBe(
      'Lists the areas of a page, by name.',
    );
  });
});
