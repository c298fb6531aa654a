import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { problemsIn } from '../../../../src/platform/http/validator/explanation.ts';

/* What clients are told about a value that violates a schema. The body of the operation has the members `data` and `user`. */

const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true });
addFormats.default(ajv);

const problemsOf = (schema: object, parts: Readonly<Record<string, unknown>>) => {
  const check = ajv.compile(schema);
  check(parts);
  return problemsIn(check.errors ?? [], parts, new Set(['data', 'user']));
};

/** The schema of a request in which a schema is at a path. */
const schemaAt = (path: readonly string[], schema: object): object =>
  path.reduceRight((inner, name) => ({ properties: { [name]: inner } }), schema);

const valueAt = (path: readonly string[], value: unknown): Readonly<Record<string, unknown>> =>
  path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Record<string, unknown>;

const attribute = (name: string) => ['body', 'data', 'attributes', name];

const problemAt = (path: readonly string[], schema: object, value: unknown) =>
  problemsOf(schemaAt(path, schema), valueAt(path, value))[0]!;

describe('a value that violates the contract', () => {
  it.each([
    [{ type: 'integer' }, 'v', 'x must be a whole number, but was "v".'],
    [{ type: ['string', 'null'] }, 5, 'x must be text or null, but was 5.'],
    [{ type: 'boolean' }, 'v', 'x must be true or false, but was "v".'],
    [{ type: 'array' }, 'v', 'x must be a list, but was "v".'],
    [{ type: ['integer', 'string'] }, true, 'x must be a whole number or text, but was true.'],
    [{ format: 'date' }, 'v', 'x must be a day that exists, like 2026-01-30, but was "v".'],
    [{ format: 'email' }, 'v', 'x must be an e-mail address, but was "v".'],
    [{ format: 'uri' }, 'v', 'x must match format "uri", but was "v".'],
    [{ maxLength: 1 }, 'vw', 'x must have at most 1 characters, but was "vw".'],
    [{ minimum: 1 }, 0, 'x must be at least 1, but was 0.'],
    [{ exclusiveMinimum: 1 }, 0, 'x must be more than 1, but was 0.'],
    [{ minProperties: 1 }, {}, 'x must have at least 1 members, but was {}.'],
    [{ uniqueItems: true }, [1, 1], 'x must have every item once, but was [1,1].'],
    [{ const: 'area' }, 'v', 'x must be "area", but was "v".'],
    [{ enum: ['a', 'b'] }, 'v', 'x must be one of a, b, but was "v".'],
    [{ pattern: '^a' }, 'v', 'x must match pattern "^a", but was "v".'],
    [{ pattern: '^a', 'x-message': 'must begin with a' }, 'v', 'x must begin with a, but was "v".'],
    [{ not: { const: 0 }, 'x-message': 'must not be 0' }, 0, 'x must not be 0, but was 0.'],
    [
      { pattern: '^a', minLength: 2, 'x-message': 'must begin with a' },
      'a',
      'x must have at least 2 characters, but was "a".',
    ],
  ])('%j', (schema, value, title) => {
    expect(problemAt(attribute('x'), schema, value)).toMatchObject({ pointer: 'x', title });
  });

  it('is named if it is missing', () => {
    expect(problemAt(['body', 'data', 'attributes'], { required: ['name'] }, {})).toMatchObject({
      pointer: 'name',
      title: 'name is required.',
    });
  });

  it('is pointed at in lists, parameters and headers', () => {
    const items = { items: { properties: { at: { type: 'string' } } } };
    expect(problemAt(attribute('parts'), items, [{ at: 5 }]).pointer).toBe('parts/0/at');
    expect(problemAt(['query', 'items'], { maximum: 100 }, 500)).toMatchObject({
      pointer: 'items',
      title: 'items must be at most 100, but was 500.',
    });
    expect(problemAt(['headers', 'if-match'], { pattern: '^"' }, 'v').pointer).toBe('If-Match');
    expect(problemAt(['body'], { type: 'object' }, 5)).toMatchObject({
      pointer: 'base',
      title: 'The body must be an object, but was 5.',
    });
  });

  it('is not repeated if it is a secret, and cut if it is long', () => {
    for (const name of ['password', 'reset_password_token', 'identifier_pin', 'tablet_pin'])
      expect(problemAt(attribute(name), { type: 'string' }, 5).title).toBe(`${name} must be text.`);
    expect(problemAt(attribute('name'), { maxLength: 255 }, 'x'.repeat(500)).title.length).toBeLessThan(160);
  });

  it('can have a name with odd characters', () => {
    expect(problemAt(['body', 'user', 'data_profiles', '100%'], { type: 'string' }, 5).pointer).toBe(
      'data_profiles/100%',
    );
    expect(problemAt(['body', 'a/b~c'], { type: 'string' }, 5).pointer).toBe('a/b~c');
  });

  it('is told once, without the branches of a union, and never in thousands', () => {
    const union = problemsOf(
      {
        properties: {
          body: {
            properties: { x: { oneOf: [{ type: 'string' }] }, y: { allOf: [{ type: 'string' }, { type: 'string' }] } },
          },
        },
      },
      { body: { x: 5, y: 5 } },
    );
    expect(union.map(({ pointer }) => pointer)).toEqual(['x', 'y']);
    const many = { body: { ids: Array<string>(5_000).fill('v') } };
    expect(problemsOf(schemaAt(['body', 'ids'], { items: { type: 'integer' } }), many)).toHaveLength(100);
  });
});
