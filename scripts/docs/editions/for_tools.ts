import { operationsOf, type Contract } from '../../../src/platform/http/contract_document.ts';
import { sampleOrigin } from '../../../src/programs/docs/serve.ts';
import { withFiltersInFull } from './filters_in_full.ts';
import { divided, mapSchemas, without, type Json } from './schemas.ts';
import { withUsedComponents } from './used_components.ts';

/**
 * The contract in a form that generators of clients read well. It says the same as the contract that the server validates with:
 *
 * - Several types are alternatives, except for one type and null.
 * - A value that may be null is one of two alternatives if it has a list of allowed values, so that null is not in the list.
 * - A list has no `maxItems`, for which some generators write out every item. Its description says the same in words.
 * - An object that may have further keys has no `patternProperties`, for which some generators write a second index of its keys.
 *   Its description says the same in words.
 * - A parameter that must be unique (`x-unique`) has no example, which some tools send with every request: a second request with
 *   the same Idempotency-Key is refused. Its description has the example.
 * - An operation that takes `fields[type]` does not name `fields`, which says the same of one type: some generators give both one
 *   name. The server reads it all the same.
 * - The schema of a filter refers to no other, because some generators lose those.
 * - The address of the API is complete, so that the contract can be saved elsewhere.
 * - Components that nothing refers to are left out.
 */
export const forTools = (contract: Contract): Contract =>
  withUsedComponents(
    withAddress(withFieldsByType(withUniqueInWords(mapSchemas(withFiltersInFull(contract), readable)))),
  );

function readable(schema: Json): Json {
  const types = Array.isArray(schema['type']) ? (schema['type'] as string[]) : [];
  if (types.includes('array') || types.filter((type) => type !== 'null').length > 1) {
    const { common, branches } = divided(
      schema,
      types.map((type) => [type]),
    );
    return { ...common, anyOf: branches.map((branch) => withItems(withLengthInWords(branch))) };
  }
  const values = schema['enum'] as unknown[] | undefined;
  if (types.includes('null') && values?.includes(null)) {
    const { common, branches } = divided(schema, [types.filter((type) => type !== 'null')]);
    const allowed = { ...branches[0], enum: values.filter((value) => value !== null) };
    return { ...without(common, ['enum']), anyOf: [allowed, { type: 'null' }] };
  }
  return withLengthInWords(schema['additionalProperties'] === true ? without(schema, ['patternProperties']) : schema);
}

/** Linters want the items of a list described, also where any will do. */
const withItems = (schema: Json): Json =>
  schema['type'] === 'array' && !('items' in schema) ? { ...schema, items: {} } : schema;

function withLengthInWords(schema: Json): Json {
  const { maxItems, ...rest } = schema;
  if (maxItems === undefined || maxItems === schema['minItems']) return schema;
  const sentences = [rest['description'], `At most ${String(maxItems)} items.`];
  return { ...rest, description: sentences.filter((sentence) => sentence !== undefined).join(' ') };
}

const withAddress = (contract: Contract): Contract => ({
  ...contract,
  servers: contract.servers.map((server) => ({ ...server, url: sampleOrigin + server.url })),
});

function withFieldsByType(contract: Contract): Contract {
  const copy = structuredClone(contract);
  for (const { operation } of operationsOf(copy)) {
    const kept = operation.parameters?.filter((one) => !('$ref' in one) || !one.$ref.endsWith('/fields'));
    if (kept) Object.assign(operation, { parameters: kept });
  }
  return copy;
}

function withUniqueInWords(contract: Contract): Contract {
  const parameters = Object.entries((contract.components.parameters ?? {}) as unknown as Record<string, Json>).map(
    ([name, parameter]) => [name, parameter['x-unique'] === true ? inWords(parameter) : parameter],
  );
  return { ...contract, components: { ...contract.components, parameters: Object.fromEntries(parameters) } };
}

const inWords = ({ example, 'x-unique': _unique, ...parameter }: Json): Json => ({
  ...parameter,
  description: `${String(parameter['description'])} An example is \`${String(example)}\`.`,
});
