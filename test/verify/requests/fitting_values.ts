import fc from 'fast-check';
import type { Schema as BlankSchema } from '../../../src/platform/http/contract_document.ts';
import { oddText, times } from './odd_values.ts';

/*
 * Values that a schema allows, up to its limits.
 */

export type Schema = Omit<BlankSchema, 'properties' | 'items' | 'allOf' | 'anyOf' | 'oneOf'> & {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
};

export type Resolve = (reference: string) => Schema;
/** A value that the schema allows. */
export function fitting(schema: Schema, resolve: Resolve, depth = 0): fc.Arbitrary<unknown> {
  if (schema.$ref) return fitting(resolve(schema.$ref), resolve, depth);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (branches.length > 0) return fc.oneof(...branches.map((branch) => fitting(branch, resolve, depth)));
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return depth > 5 ? fc.constant(null) : fc.oneof(oddText, fc.integer());
  return fc.oneof(...types.map((type) => ofType(type, schema, resolve, depth)));
}

function ofType(type: string, schema: Schema, resolve: Resolve, depth: number): fc.Arbitrary<unknown> {
  const { minimum = -1_000_000, maximum = 1_000_000 } = schema;
  switch (type) {
    case 'string':
      return textFor(schema);
    case 'integer':
      return fc.oneof(
        fc.constantFrom(minimum, maximum),
        fc.maxSafeInteger().map((number) => Math.min(maximum, Math.max(minimum, number))),
      );
    case 'number':
      return fc.oneof(fc.constantFrom(minimum, maximum, 0), fc.double({ min: minimum, max: maximum, noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'array':
      return schema.items ? fc.array(fitting(schema.items, resolve, depth + 1), { maxLength: 4 }) : fc.constant([]);
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, own]) => [name, fitting(own, resolve, depth + 1)]),
        ),
        {
          requiredKeys: [],
        },
      );
    default:
      return fc.constant(null);
  }
}

function textFor({ format, pattern, minLength = 0, maxLength = 300 }: Schema): fc.Arbitrary<string> {
  const day = fc.date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true });
  if (format === 'date-time')
    return fc.oneof(
      day.map((time) => time.toISOString().replace(/\.\d+/, '')),
      fc.constantFrom(...times),
    );
  if (format === 'date')
    return fc.oneof(
      day.map((time) => time.toISOString().slice(0, 10)),
      fc.constantFrom('0001-01-01', '9999-12-31', '2024-02-29', '2026-02-29'),
    );
  if (format === 'email') return fc.emailAddress();
  if (format === 'uuid') return fc.uuid();
  if (pattern && maxLength <= 300)
    return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, maxLength));
  const most = Math.min(maxLength, 300);
  return fc.oneof(
    fc.string({ unit: 'grapheme', minLength, maxLength: Math.max(minLength, Math.min(most, 40)) }),
    fc.constant('m'.repeat(most)),
  );
}
