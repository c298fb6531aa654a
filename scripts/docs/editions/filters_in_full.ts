import { operationsOf, parametersOf, resolver, type Contract } from '../../../src/platform/http/contract_document.ts';
import { dereferencer } from './dereferenced.ts';
import type { Json } from './schemas.ts';

/** The contract with schemas of filters that refer to no other: some generators lose what the schema of a parameter refers to. */
export function withFiltersInFull(contract: Contract): Contract {
  const resolve = resolver(contract);
  const inFull = dereferencer(contract);
  const filters = operationsOf(contract)
    .flatMap(({ operation, item }) => parametersOf(item, operation, resolve))
    .filter(({ name }) => name.startsWith('filter['))
    .map(({ schema }) => ('$ref' in schema ? String(schema.$ref).split('/').at(-1) : undefined));
  const schemas = Object.entries(contract.components.schemas ?? {}).map(([name, schema]: [string, Json]) => [
    name,
    filters.includes(name) ? inFull(schema) : schema,
  ]);
  return { ...contract, components: { ...contract.components, schemas: Object.fromEntries(schemas) as object } };
}
