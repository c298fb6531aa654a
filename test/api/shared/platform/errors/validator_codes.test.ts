import { describe, expect, it } from 'vitest';
import { violationOf } from '../../../../../src/platform/http/validator/codes.ts';
import {
  operationsOf,
  readContract,
  resolver,
  type Contract,
} from '../../../../../src/platform/http/contract_document.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

/*
 * What the contract says about a value is told to clients as a code, and as `meta` with what is allowed.
 */

interface ShownProblem {
  readonly code: string;
  readonly source: { readonly pointer: string };
  readonly meta?: object;
}

const shown = ({ body }: { body: unknown }) =>
  (body as { errors: ShownProblem[] }).errors.map(({ code, source, meta }) => [code, source.pointer, meta]);

describe('a value that violates the contract', () => {
  it('400 with the code of the keyword and its limits', async () => {
    const { admin } = await newWorld();
    const create = async (attributes: object) =>
      shown(await admin.call('createTag', { body: bodyOf('tag', attributes) }));
    expect(await create({})).toEqual([['required', 'title', undefined]]);
    expect(await create({ title: 'a'.repeat(256) })).toEqual([['too_long', 'title', { max_length: 255 }]]);
    expect(await create({ title: 'a', active: 'perhaps' })).toEqual([
      ['invalid_type', 'active', { types: ['boolean'] }],
    ]);
    expect(await create({ title: 'a', color: 'red' })).toEqual([
      ['invalid_format', 'color', { pattern: '^#[0-9A-Fa-f]{6}$' }],
    ]);
    expect(shown(await admin.call('listTags', { query: { items: 0 } }))).toEqual([
      ['out_of_range', 'items', { minimum: 1 }],
    ]);
    expect(shown(await admin.call('listTags', { query: { items: 500 } }))).toEqual([
      ['out_of_range', 'items', { maximum: 100 }],
    ]);
  });

  it('400 with everything that is allowed in place of an unknown value', async () => {
    const { employee } = await newWorld();
    const response = await employee.call('createAction', { body: bodyOf('action', { action_type: 'begin' }) });
    expect(shown(response)).toEqual([
      ['invalid_value', 'action_type', { allowed: ['start', 'end', 'start-break', 'end-break'] }],
    ]);
  });
});

/** Keywords that hold other schemas. A value that violates one violates the schema inside, or has none of its shapes. */
const combining = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'items', 'propertyNames'];
const holders = ['properties', 'patternProperties', 'dependentSchemas'];
const validating = [
  'type', 'format', 'pattern', 'enum', 'const', 'required', 'multipleOf', 'uniqueItems', 'additionalProperties',
  'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength',
  'minItems', 'maxItems', 'minProperties', 'maxProperties',
]; // prettier-ignore
const describing = ['$ref', 'description', 'title', 'example', 'examples', 'default', 'deprecated', 'contentMediaType'];

/** The keywords in the schemas of all requests. */
function keywordsIn(contract: Contract): Set<string> {
  const resolve = resolver(contract);
  const found = new Set<string>();
  const visited = new Set<object>();
  const visit = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null || visited.has(schema)) return;
    visited.add(schema);
    for (const [name, value] of Object.entries(schema)) {
      found.add(name);
      if (name === '$ref') visit(resolve(value as string));
      if (holders.includes(name)) Object.values(value as object).forEach(visit);
      if (combining.includes(name)) [value].flat().forEach(visit);
    }
  };
  for (const { operation, item } of operationsOf(contract)) {
    for (const parameter of [...(item.parameters ?? []), ...(operation.parameters ?? [])])
      visit(('$ref' in parameter ? (resolve(parameter.$ref) as { schema: object }) : parameter).schema);
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) visit(schema);
  }
  return found;
}

describe('every keyword in the schemas of requests', () => {
  it.each(['v3', 'public'] as const)('is known in %s', (api) => {
    const known = [...combining, ...holders, ...validating, ...describing];
    const unknown = [...keywordsIn(readContract(api))].filter(
      (name) => !known.includes(name) && !name.startsWith('x-'),
    );
    expect(unknown).toEqual([]);
  });

  it.each(validating)('%s has a code', (keyword) => {
    const isOfValues = ['enum', 'const', 'multipleOf'].includes(keyword);
    expect(violationOf(keyword).code === 'invalid_value').toBe(isOfValues);
  });
});
