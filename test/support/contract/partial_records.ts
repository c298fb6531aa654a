import { resolver, type Contract } from '../../../src/platform/http/contract_document.ts';

type Json = Record<string, unknown>;

/** The contract as it holds for requests with `fields`: no attribute and no relationship of a record is required. */
export function withPartialRecords(contract: Contract): Contract {
  const resolve = resolver(contract);
  const partial = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(partial);
    if (typeof node !== 'object' || node === null) return node;
    const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, partial(value)])) as Json;
    const properties = copy['properties'] as Json | undefined;
    if (!properties || !('type' in properties && 'attributes' in properties)) return copy;
    const members = ['attributes', 'relationships'].filter((name) => name in properties);
    return {
      ...copy,
      properties: {
        ...properties,
        ...Object.fromEntries(members.map((name) => [name, free(properties[name] as Json)])),
      },
    };
  };
  const free = (schema: Json): Json => {
    const { required: _required, ...rest } = schema['$ref']
      ? (partial(resolve(schema['$ref'] as string)) as Json)
      : schema;
    return rest;
  };
  return partial(contract) as Contract;
}
