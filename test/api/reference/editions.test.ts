import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import supertest from 'supertest';
import { beforeAll, describe, expect, it } from 'vitest';
import { dereferenced } from '../../../scripts/docs/editions/dereferenced.ts';
import { forTools } from '../../../scripts/docs/editions/for_tools.ts';
import { asOpenApi30 } from '../../../scripts/docs/editions/openapi_30.ts';
import { mapSchemas, type Json } from '../../../scripts/docs/editions/schemas.ts';
import { publishedContract } from '../../../scripts/docs/publish.ts';
import {
  operationsOf,
  operationsWith,
  parametersOf,
  readContract,
  resolver,
  type Contract,
} from '../../../src/platform/http/contract_document.ts';
import { service } from '../../support/service.ts';
import { freshDocs } from '../../support/processes/fresh_build.ts';

beforeAll(freshDocs);

const apis = ['v3', 'public'] as const;

/** Every schema of a contract. */
function schemasOf(contract: object): Json[] {
  const found: Json[] = [];
  mapSchemas(contract, (schema) => {
    found.push(schema);
    return schema;
  });
  return found;
}

interface Answer {
  readonly pointer: string;
  readonly body: unknown;
}

const escaped = (step: string): string => step.replaceAll('~', '~0').replaceAll('/', '~1');

/** The recorded answer of every operation, and where the contract describes it. */
const answersOf = (contract: Contract): Answer[] =>
  operationsOf(contract).flatMap(({ method, path, operation }) =>
    Object.entries(operation.responses).flatMap(([status, response]) => {
      const content = (response as { content?: Record<string, { example?: unknown }> }).content;
      const body = content?.['application/json']?.example;
      if (!status.startsWith('2') || body === undefined) return [];
      const steps = ['paths', path, method, 'responses', status, 'content', 'application/json', 'schema'];
      return [{ pointer: `#/${steps.map(escaped).join('/')}`, body }];
    }),
  );

/** The answers that do not fit the contract, of all or of every nth one. */
function misfits(contract: object, ajv: Ajv | Ajv2020, step = 1): string[] {
  addFormats.default(ajv as Ajv);
  ajv.addSchema(contract, 'contract');
  const answers = answersOf(contract as Contract).filter((_answer, index) => index % step === 0);
  expect(answers.length).toBeGreaterThan(30 / step);
  return answers.flatMap(({ pointer, body }) =>
    ajv.validate({ $ref: `contract${pointer}` }, body) ? [] : [`${pointer} ${ajv.errorsText()}`],
  );
}

describe.each(apis)('the contract of %s for tools', (api) => {
  const contract = forTools(readContract(api));

  it('has one type or one type and null, no null among allowed values, no lists with a maximum, and no second index', () => {
    const schemas = schemasOf(contract);
    expect(
      schemas.filter(
        ({ type }) => Array.isArray(type) && (type.length > 2 || type[1] !== 'null' || type[0] === 'array'),
      ),
    ).toEqual([]);
    expect(schemas.filter(({ enum: values }) => Array.isArray(values) && values.includes(null))).toEqual([]);
    const bounded = schemas.filter(({ maxItems, minItems }) => maxItems !== minItems && maxItems !== undefined);
    expect(bounded).toEqual([]);
    expect(schemas.filter((schema) => 'patternProperties' in schema)).toEqual([]);
  });

  it('has an example of every parameter, but none of a key that tools would send twice', () => {
    const resolve = resolver(contract);
    const parameters = operationsOf(contract).flatMap(({ item, operation }) => parametersOf(item, operation, resolve));
    const without = parameters.filter((one) => one.example === undefined);
    expect(new Set(without.map(({ name }) => name))).toEqual(new Set(['Idempotency-Key']));
    for (const { description } of without) expect(description).toMatch(/An example is `.+`\.$/);
  });

  it('has only components that are used', () => {
    const text = JSON.stringify(contract);
    const { securitySchemes: _byName, ...components } = contract.components as Record<string, object>;
    const unused = Object.entries(components).flatMap(([kind, byName]) =>
      Object.keys(byName).filter((name) => !text.includes(`"#/components/${kind}/${name}"`)),
    );
    expect(unused).toEqual([]);
  });

  it('has its address, and no parameter that some generators give the name of another', () => {
    const { url } = readContract(api).servers[0]!;
    expect(contract.servers).toEqual([expect.objectContaining({ url: `http://127.0.0.1:3000${url}` })]);
    const byType = operationsWith(contract, 'fields[area]');
    expect(byType.size > 0).toBe(api === 'v3');
    expect(operationsWith(contract, 'fields')).toEqual(new Set());
    expect(operationsWith(readContract(api), 'fields').size > 0).toBe(api === 'v3');
  });

  it('describes every recorded answer', () => {
    expect(misfits(contract, new Ajv2020({ strict: false }))).toEqual([]);
  });

  it('allows what the contract of the server allows', () => {
    const lists: [unknown, boolean][] = [
      [3, true],
      ['3,4', true],
      [[3, 4], true],
      [null, true],
      [[{}], false],
      [true, false],
      [-1, false],
    ];
    const name = api === 'v3' ? 'WebhookWorkspaceIds' : 'IdList';
    const valid = (document: object, value: unknown): boolean => {
      const ajv = new Ajv2020({
        strict: false,
        formats: { date: true, 'date-time': true, time: true, uri: true, uuid: true },
      });
      ajv.addSchema(document, 'contract');
      return ajv.validate({ $ref: `contract#/components/schemas/${name}` }, value);
    };
    for (const [value, expected] of lists) {
      expect(valid(contract, value)).toBe(valid(readContract(api), value));
      if (api === 'public') expect(valid(contract, value), JSON.stringify(value)).toBe(expected);
    }
  });
});

/** Generators take `nullable` for null beside the values of a list, as it is meant. Validators of JSON Schema want it in the list. */
const withNullListed = (schema: Json): Json =>
  schema['nullable'] && schema['enum'] ? { ...schema, enum: [...(schema['enum'] as unknown[]), null] } : schema;

describe.each(apis)('the contract of %s in version 3.0', (api) => {
  const contract = asOpenApi30(forTools(readContract(api)));

  it('has nothing that only 3.1 knows', () => {
    const newer = ['const', 'if', 'then', 'else', 'dependentSchemas', 'patternProperties', 'propertyNames', 'examples'];
    const schemas = schemasOf(contract);
    expect(schemas.flatMap((schema) => Object.keys(schema)).filter((keyword) => newer.includes(keyword))).toEqual([]);
    expect(schemas.filter(({ type }) => Array.isArray(type) || type === 'null')).toEqual([]);
    expect(schemas.filter(({ enum: values }) => Array.isArray(values) && values.includes(null))).toEqual([]);
    expect(schemas.filter((schema) => '$ref' in schema && Object.keys(schema).length > 1)).toEqual([]);
    expect(contract).toMatchObject({ openapi: '3.0.3', info: { license: { name: 'MIT' } } });
    expect(contract).not.toHaveProperty('webhooks');
  });

  it('has the operations of the contract, and describes every recorded answer', () => {
    expect(operationsOf(contract as Contract).length).toBe(operationsOf(readContract(api)).length);
    expect(misfits(mapSchemas(contract, withNullListed), new Ajv({ strict: false }))).toEqual([]);
  });
});

describe.each(apis)('the contract of %s without references', (api) => {
  const contract = dereferenced(forTools(readContract(api)));

  it('has none, and describes the recorded answers', () => {
    expect(JSON.stringify(contract)).not.toContain('"$ref"');
    expect(operationsOf(contract as Contract).length).toBe(operationsOf(readContract(api)).length);
    expect(misfits(contract, new Ajv2020({ strict: false }), 10)).toEqual([]);
  });
});

describe.each(apis.flatMap((api) => ['', '-3.0', '-dereferenced'].map((edition) => `${api}${edition}.json`)))(
  '/openapi/%s',
  (name) => {
    it('is served compressed, and not again to those who have it', async () => {
      const url = `${(await service()).url}/openapi/${name}`;
      const first = await supertest(url).get('').expect(200);
      // It is compressed once: its length is known before it is sent.
      expect(first.headers['content-encoding']).toBe('gzip');
      expect(Number(first.headers['content-length'])).toBeGreaterThan(0);
      const [api] = name.split(/[-.]/);
      expect(Object.keys(first.body.paths)).toEqual(Object.keys(publishedContract(api as 'v3').paths));
      await supertest(url).get('').set('If-None-Match', first.headers['etag']!).expect(304);
    });
  },
);
