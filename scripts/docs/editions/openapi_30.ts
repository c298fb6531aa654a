import { resolver, resolveSchema, type Contract, type Resolve } from '../../../src/platform/http/contract_document.ts';
import { divided, isObject, mapSchemas, without, type Json } from './schemas.ts';
import { withUsedComponents } from './used_components.ts';

/*
 * The contract as an OpenAPI 3.0 document, for tools that know no newer version. 3.0 cannot say when one member of a request
 * requires another. The server checks that anyway, and its errors name the member. Messages to webhooks are left out.
 */

/** Conditions, which 3.0 does not have. */
const conditions = ['if', 'then', 'else', 'dependentSchemas', 'propertyNames'];

/** The contract in version 3.0. */
export function asOpenApi30(contract: Contract): object {
  const { webhooks: _webhooks, ...rest } = mapSchemas(contract, asSchema30) as Contract & Json;
  const { summary: _summary, license, ...info } = rest.info as typeof rest.info & Json;
  const document = { ...rest, openapi: '3.0.3', info: { ...info, license: { name: (license as Json)['name'] } } };
  const resolve = resolver(document);
  return withUsedComponents(withoutSiblings(mapSchemas(document, (schema) => withoutNullAlternative(schema, resolve))));
}

function asSchema30(schema: Json): Json {
  const changes = [withoutConditions, withConstantsListed, withLimits, withNullable, withOneType, withWrappedReference];
  return changes.reduce((current, change) => change(current), schema);
}

function withoutConditions(schema: Json): Json {
  const kept = without(schema, conditions);
  const parts = (kept['allOf'] as Json[] | undefined)?.filter((part) => Object.keys(part).length > 0);
  return { ...without(kept, ['allOf']), ...(parts && parts.length > 0 ? { allOf: parts } : {}) };
}

const withConstantsListed = (schema: Json): Json =>
  'const' in schema ? { ...without(schema, ['const']), enum: [schema['const']] } : schema;

/** In 3.0 an exclusive limit is a limit and a flag. */
const withLimits = (schema: Json): Json =>
  [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ].reduce(
    (current, [flag, limit]) =>
      typeof current[flag!] === 'number' ? { ...current, [limit!]: current[flag!], [flag!]: true } : current,
    schema,
  );

const onlyNull = { type: 'string', nullable: true, maxLength: 0 };

/** Null is a property of a type in 3.0. A value that is always null has no type there: a text that is empty otherwise. */
function withNullable(schema: Json): Json {
  if (schema['type'] === 'null') return { ...schema, ...onlyNull };
  if (Array.isArray(schema['type']) && schema['type'].includes('null')) {
    const types = (schema['type'] as string[]).filter((type) => type !== 'null');
    return { ...schema, type: types.length === 1 ? types[0] : types, nullable: true };
  }
  return schema;
}

/** A schema has one type in 3.0, so several types become alternatives. */
function withOneType(schema: Json): Json {
  if (!Array.isArray(schema['type'])) return schema;
  const { common, branches } = divided(
    schema,
    (schema['type'] as string[]).map((type) => [type]),
  );
  const { nullable, ...rest } = common;
  return { ...rest, anyOf: nullable ? branches.map((branch) => ({ ...branch, nullable })) : branches };
}

/**
 * If null is one of several alternatives, the others become nullable instead. Where they are references, they are followed. A list
 * of values does not name null, because generators take it for a value without a name.
 */
function withoutNullAlternative(schema: Json, resolve: Resolve): Json {
  const alternatives = (schema['anyOf'] ?? []) as Json[];
  const others = alternatives.filter((one) => JSON.stringify(one) !== JSON.stringify(onlyNull));
  if (others.length === alternatives.length) return schema;
  const nullable = others.map((one) => ({ ...(resolveSchema(one, resolve) as Json), nullable: true }));
  const { anyOf: _anyOf, ...rest } = schema;
  return nullable.length === 1 ? { ...nullable[0], ...rest } : { ...rest, anyOf: nullable };
}

/** A reference has no members beside it in 3.0. */
const withWrappedReference = (schema: Json): Json =>
  typeof schema['$ref'] === 'string' && Object.keys(schema).length > 1
    ? { ...without(schema, ['$ref']), allOf: [{ $ref: schema['$ref'] }] }
    : schema;

/** Removes what stands beside references outside of schemas. */
function withoutSiblings<T>(node: T): T {
  if (Array.isArray(node)) return node.map(withoutSiblings) as T;
  if (!isObject(node)) return node;
  if (typeof node['$ref'] === 'string') return { $ref: node['$ref'] } as T;
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withoutSiblings(value)])) as T;
}
