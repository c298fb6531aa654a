import { operationsOf, resolver, type Contract } from '../../../src/platform/http/contract_document.ts';

/** The contract with schemas of filters that refer to no other: some generators lose what the schema of a parameter refers to. */
export function withFiltersInFull(contract: Contract): Contract {
  const resolve = resolver(contract);
  const inFull = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(inFull);
    if (typeof node !== 'object' || node === null) return node;
    if ('$ref' in node) return inFull(resolve(node.$ref as string));
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, inFull(value)]));
  };
  const parameters = operationsOf(contract).flatMap(({ operation }) =>
    (operation.parameters ?? []).map((one) => ('$ref' in one ? resolve(one.$ref) : one)),
  ) as readonly { readonly name: string; readonly schema?: { readonly $ref?: string } }[];
  const ofFilters = new Set(
    parameters.filter(({ name }) => name.startsWith('filter[')).map(({ schema }) => schema?.$ref?.split('/').at(-1)),
  );
  const schemas = Object.entries(contract.components.schemas ?? {}).map(([name, schema]) => [
    name,
    ofFilters.has(name) ? inFull(schema) : schema,
  ]);
  return { ...contract, components: { ...contract.components, schemas: Object.fromEntries(schemas) as object } };
}
