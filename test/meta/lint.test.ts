import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';

/*
 * Tests the lint rules of the contracts: each small document breaks one rule, and the first document breaks none.
 */

const root = path.resolve(import.meta.dirname, '../..');
const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-lint-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const refusal = {
  description: 'Refused.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' }, example: { name: 'Bar' } } },
};
const shared = { BadRequest: refusal, Unauthorized: refusal, Forbidden: refusal, NotFound: refusal };
const refused = (...names: (keyof typeof shared)[]) => {
  const statuses = { BadRequest: '400', Unauthorized: '401', Forbidden: '403', NotFound: '404' };
  return Object.fromEntries(names.map((name) => [statuses[name], { $ref: `#/components/responses/${name}` }]));
};
const answer = {
  description: 'The thing.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' }, example: { name: 'Bar' } } },
};
const number = { type: 'integer', description: 'A number.', example: 1 };
const text = { type: 'string', description: 'A text.', example: 'Bar' };
const body = (schema: object) => ({
  required: true,
  description: 'The thing.',
  content: { 'application/json': { schema, example: { name: 'Bar' } } },
});
const query = (name: string, schema: object = number) => ({ name, in: 'query', description: 'A parameter.', schema });

const good = {
  operationId: 'getThing',
  summary: 'Show a thing',
  description: 'Shows it.',
  tags: ['Things'],
  'x-role': 'member',
  responses: { 200: answer, ...refused('Unauthorized') } as Record<string, object>,
};

/** A document with one operation. It is valid except for the given differences. */
const documentWith = (operation: object, more: { path?: string; members?: object } = {}) => ({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1', description: 'Things.', license: { name: 'MIT', identifier: 'MIT' } },
  servers: [{ url: '/things' }],
  security: [{ bearer: [] }],
  tags: [{ name: 'Things', description: 'Things.' }],
  paths: { [more.path ?? '/thing']: { get: { ...good, ...operation } } },
  components: {
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description: 'A token.' } },
    responses: shared,
    schemas: {
      Thing: {
        type: 'object',
        description: 'A thing.',
        required: ['name'],
        properties: { name: text, size: number, ...more.members },
      },
    },
  },
});

const pageOf = (meta: object) => ({
  description: 'A page.',
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          data: { type: 'array', description: 'The things.', items: text },
          meta: { type: 'object', description: 'Facts.', properties: meta },
        },
      },
      example: { data: [], meta: {} },
    },
  },
});

const twin = {
  type: 'object',
  description: 'Another word for it.',
  required: ['name'],
  properties: { name: text, size: number },
};

/** The invalid documents, by the rule that must report them. */
const documents: Record<string, { rule: string | null; says?: string; document: object }> = {
  good: { rule: null, document: documentWith({}) },
  'an operationId without a verb': {
    rule: 'rule/operation-id-camel',
    document: documentWith({ operationId: 'things' }),
  },
  'an operationId in snake case': {
    rule: 'rule/operation-id-camel',
    document: documentWith({ operationId: 'get_thing' }),
  },
  'no x-role': { rule: 'punchcard/roles', says: 'needs x-role', document: documentWith({ 'x-role': undefined }) },
  'an unknown x-role': {
    rule: 'punchcard/roles',
    says: 'needs x-role',
    document: documentWith({ 'x-role': 'chief' }),
  },
  'an x-role without a token': {
    rule: 'punchcard/roles',
    says: 'without effect',
    document: documentWith({ security: [] }),
  },
  'a deprecated operation without its day': {
    rule: 'punchcard/deprecations',
    says: 'needs x-deprecated-since',
    document: documentWith({ deprecated: true, 'x-sunset': '2027-01-01' }),
  },
  'a deprecated operation whose end is no day': {
    rule: 'punchcard/deprecations',
    says: 'needs x-sunset',
    document: documentWith({ deprecated: true, 'x-deprecated-since': '2026-01-01', 'x-sunset': 'soon' }),
  },
  'an end without a deprecation': {
    rule: 'punchcard/deprecations',
    says: 'without effect',
    document: documentWith({ 'x-sunset': '2027-01-01' }),
  },
  'no 401': {
    rule: 'punchcard/refusals',
    says: 'can answer 401',
    document: documentWith({ responses: { 200: answer, ...refused() } }),
  },
  'no 403': {
    rule: 'punchcard/refusals',
    says: 'can answer 403',
    document: documentWith({ 'x-role': 'account_admin' }),
  },
  'no 404': {
    rule: 'punchcard/refusals',
    says: 'can answer 404',
    document: documentWith(
      { parameters: [{ ...query('thing_id'), in: 'path', required: true }] },
      { path: '/things/{thing_id}' },
    ),
  },
  'no 400': {
    rule: 'punchcard/refusals',
    says: 'can answer 400',
    document: documentWith({ parameters: [query('page')] }),
  },
  'no 400 beside a body': {
    rule: 'punchcard/refusals',
    says: 'can answer 400',
    document: documentWith({ operationId: 'createThing', requestBody: body({ $ref: '#/components/schemas/Thing' }) }),
  },
  'a refusal of its own': {
    rule: 'punchcard/refusals',
    says: 'shared response Unauthorized',
    document: documentWith({ responses: { ...good.responses, 401: refusal } }),
  },
  'a list without parameters and headers': {
    rule: 'punchcard/collections',
    says: 'the parameters page, items, outset, after, sort',
    document: documentWith({
      operationId: 'listThings',
      responses: { ...good.responses, 200: pageOf({ total_pages: number }) },
    }),
  },
  'a list without its place in the whole': {
    rule: 'punchcard/collections',
    says: 'the members of meta current_page, page_items, total_count',
    document: documentWith({
      operationId: 'listThings',
      responses: { ...good.responses, 200: pageOf({ total_pages: number }) },
    }),
  },
  'a member without a description': {
    rule: 'punchcard/described',
    says: 'The member weight',
    document: documentWith({}, { members: { weight: { type: 'integer' } } }),
  },
  'a parameter without a description': {
    rule: 'punchcard/described',
    says: 'The parameter colour',
    document: documentWith({ parameters: [{ name: 'colour', in: 'query', schema: { type: 'string' } }] }),
  },
  'no example of the answer': {
    rule: 'punchcard/examples',
    says: 'no example of 200',
    document: documentWith({
      responses: { ...good.responses, 200: { description: 'It.', content: { 'application/json': { schema: text } } } },
    }),
  },
  'no example of the request': {
    rule: 'punchcard/examples',
    says: 'no example of a request',
    document: documentWith({
      requestBody: { required: true, description: 'It.', content: { 'application/json': { schema: text } } },
    }),
  },
  'no example of an error': {
    rule: 'punchcard/examples',
    says: 'no example of an error',
    document: documentWith({ responses: { 200: answer, 401: { description: 'Refused.' } } }),
  },
  'a number in the query without bounds': {
    rule: 'punchcard/bounds',
    says: 'A request can send size: add minimum and maximum',
    document: documentWith({
      parameters: [query('size')],
      responses: { ...good.responses, ...refused('BadRequest') },
    }),
  },
  'a number in a body without bounds': {
    rule: 'punchcard/bounds',
    says: 'A request can send body.size: add minimum and maximum',
    document: documentWith({
      operationId: 'createThing',
      requestBody: body({ $ref: '#/components/schemas/Thing' }),
      responses: { ...good.responses, ...refused('BadRequest') },
    }),
  },
  'a number in a body without a maximum': {
    rule: 'punchcard/bounds',
    says: 'A request can send body.amount: add maximum',
    document: documentWith({
      operationId: 'createThing',
      requestBody: body({ type: 'object', properties: { amount: { ...number, minimum: 0 } } }),
      responses: { ...good.responses, ...refused('BadRequest') },
    }),
  },
  'an array in a body without a greatest length': {
    rule: 'punchcard/bounds',
    says: 'A request can send body.names: add maxItems',
    document: documentWith({
      operationId: 'createThing',
      requestBody: body({ type: 'object', properties: { names: { ...text, type: ['array', 'null'], items: text } } }),
      responses: { ...good.responses, ...refused('BadRequest') },
    }),
  },
  'a copy of a named schema': {
    rule: 'punchcard/named-schemas',
    says: 'a copy of the schema Thing',
    document: documentWith({
      operationId: 'createThing',
      requestBody: body(twin),
      responses: { ...good.responses, ...refused('BadRequest') },
    }),
  },
};

interface Problem {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly source: { readonly ref: string } }[];
}

const fileOf = (name: string): string => `${name.replaceAll(' ', '_')}.yaml`;
let problems: Problem[];

beforeAll(async () => {
  for (const [name, { document }] of Object.entries(documents))
    writeFileSync(path.join(folder, fileOf(name)), stringify(document, { aliasDuplicateObjects: false }));
  const cli = path.join(root, 'node_modules/@redocly/cli/bin/cli.js');
  const files = Object.keys(documents).map((name) => path.join(folder, fileOf(name)));
  const env = { PATH: process.env['PATH'], REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' };
  const options = ['lint', ...files, '--config', 'redocly.yaml', '--format', 'json', '--max-problems', '1000'];
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...options], {
    cwd: root,
    env,
    maxBuffer: 64 * 2 ** 20,
  }).catch((failure: unknown) => failure as { stdout: string });
  // One report per file, with nothing in between.
  problems = stdout
    .split(/(?<=^\})(?=\{)/m)
    .flatMap((report) => (JSON.parse(report) as { problems: Problem[] }).problems);
});

describe('the contract lints', () => {
  it.each(Object.entries(documents))('%s', (name, { rule, says = '' }) => {
    const own = problems.filter(
      ({ ruleId, location }) => /^(rule|punchcard)\//.test(ruleId) && location[0]!.source.ref.endsWith(fileOf(name)),
    );
    if (rule === null) expect(own).toEqual([]);
    else
      expect(
        own.some(({ ruleId, message }) => ruleId === rule && message.includes(says)),
        JSON.stringify(own.map(({ message }) => message)),
      ).toBe(true);
  });
});
