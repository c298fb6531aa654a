import { createServer, type Server } from 'node:http';
import express from 'express';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFrameHeaders } from '../../../../../../scripts/contract/headers.ts';
import { addUpcomingChanges } from '../../../../../../scripts/contract/upcoming_changes.ts';
import { signedLinks } from '../../../../../../src/platform/files/links.ts';
import { apiRouter } from '../../../../../../src/platform/http/api.ts';
import type { Contract } from '../../../../../../src/platform/http/contract_document.ts';
import { uploadMemory } from '../../../../../../src/platform/http/security/upload_memory.ts';
import { service } from '../../../../../support/service.ts';

/*
 * A small contract with an operation that is deprecated and one that is not.
 */

const answer = { description: 'Done.' };
const refused = { $ref: '#/components/responses/Failure' };
const dates = { 'x-deprecated-since': '2026-01-01', 'x-sunset': '2027-01-01' };
const text = { type: 'string' };

const contractWith = (deprecation: object, member: object = text) =>
  ({
    openapi: '3.1.0',
    info: { title: 'Small', version: '1' },
    servers: [{ url: '/' }],
    tags: [{ name: 'Upcoming changes', description: 'A list.\n' }],
    paths: {
      '/old': {
        get: {
          operationId: 'getOld',
          description: 'Use `GET /new`\ninstead.',
          ...deprecation,
          parameters: [{ name: 'size', in: 'query', schema: { type: 'integer' } }],
          responses: { '204': answer, default: refused },
        },
      },
      '/new': { get: { operationId: 'getNew', responses: { '204': answer, default: refused } } },
    },
    components: {
      responses: { Failure: { description: 'Refused.' } },
      schemas: { Thing: { type: 'object', example: { deprecated: true }, properties: { name: text, kind: member } } },
    },
  }) as unknown as Contract;

const definition = async (contract: Contract) => ({
  contract,
  changesPage: '/docs/small#tag/Upcoming-changes',
  handlers: { getOld: async () => {}, getNew: async () => {} },
  dbFor: () => database.db,
  links: signedLinks('key'),
  gitCommit: 'test',
  clock: () => new Date(),
  publicUrl: undefined,
  hasMeta: true,
  isLenient: false,
  securesReads: false,
  uploadMemory: uploadMemory(2 ** 20),
  authenticate: {},
});

let database: Awaited<ReturnType<typeof service>>['database'];
let server: Server;
beforeAll(async () => {
  ({ database } = await service());
  const router = apiRouter(await definition(contractWith({ deprecated: true, ...dates })));
  server = createServer(express().use(router));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

const announced = {
  deprecation: '@1767225600',
  sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
  link: '</docs/small#tag/Upcoming-changes>; rel="deprecation"; type="text/html"',
};

describe('a deprecated operation', () => {
  it('says so in every response, errors included', async () => {
    for (const [address, status] of [
      ['/old', 204],
      ['/old?size=large', 400],
    ] as const) {
      const response = await supertest(server).get(address);
      expect([response.status, response.headers]).toEqual([status, expect.objectContaining(announced)]);
    }
  });

  it('says so alone', async () => {
    for (const address of ['/new', '/nowhere'])
      for (const name of Object.keys(announced))
        expect((await supertest(server).get(address)).headers).not.toHaveProperty(name);
  });

  it('needs the day from which it is deprecated', async () => {
    const { 'x-deprecated-since': _missing, ...sunset } = dates;
    const incomplete = await definition(contractWith({ deprecated: true, ...sunset }));
    expect(() => apiRouter(incomplete)).toThrow('getOld is deprecated and has no x-deprecated-since.');
  });

  it('has no end where none is decided', async () => {
    const { 'x-sunset': _undecided, ...since } = dates;
    const { headers } = await supertest(
      express().use(apiRouter(await definition(contractWith({ deprecated: true, ...since })))),
    ).get('/old');
    expect(headers).toMatchObject({ deprecation: announced.deprecation, link: announced.link });
    expect(headers).not.toHaveProperty('sunset');
  });

  it('has the headers in the contract, in every response', () => {
    const described = new Proxy({}, { get: (_target, name) => ({ description: String(name) }) });
    const contract = addFrameHeaders(contractWith({ deprecated: true, ...dates }), described);
    const headersOf = (path: string) =>
      Object.values(contract.paths[path]!['get']!.responses).map((response) =>
        Object.keys((response as { headers?: object }).headers ?? {}),
      );
    for (const names of headersOf('/old'))
      expect(names).toEqual(expect.arrayContaining(['Deprecation', 'Sunset', 'Link', 'X-Request-Id']));
    for (const names of headersOf('/new')) expect(names).not.toContain('Deprecation');
  });
});

describe('the chapter of upcoming changes', () => {
  const chapterOf = (contract: Contract): string =>
    (addUpcomingChanges(contract) as unknown as { tags: { description: string }[] }).tags[0]!.description;

  it('lists deprecated operations, parameters and members', () => {
    const old = { deprecated: true, ...dates, parameters: [{ name: 'sort', in: 'query', deprecated: true }] };
    const contract = contractWith(old, { ...text, deprecated: true, description: 'A | B.' });
    Object.assign(contract.paths['/old']!['get']!, { parameters: old.parameters });
    expect(chapterOf(contract)).toBe(`A list.

| what | deprecated since | served until | description |
|---|---|---|---|
| \`GET /old\` | 2026-01-01 | 2027-01-01 | Use \`GET /new\` instead. |
| \`sort\` of \`GET /old\` |  | not decided |  |
| \`kind\` of \`Thing\` |  | not decided | A \\| B. |
`);
  });

  it('says that there is nothing, if so', () => {
    expect(chapterOf(contractWith({}))).toBe('A list.\n\nAt present nothing is deprecated.\n');
  });
});
