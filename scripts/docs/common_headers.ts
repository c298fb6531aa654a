import {
  operationsOf,
  parametersOf,
  resolved,
  resolver,
  type Contract,
  type Reference,
} from '../../src/platform/http/contract_document.ts';

/** A response of a contract. A header refers to its description, or has its own. */
export interface Response {
  headers?: Readonly<Record<string, Partial<Reference>>>;
}

/**
 * The headers that the reference shows once, by what they refer to: those of most responses, and those that answer a header of the
 * request. These are returned by exactly the operations that take it.
 */
export function commonHeaders(contract: Contract): ReadonlyMap<string, string> {
  const resolve = resolver(contract);
  const operations = operationsOf(contract).map(({ operation, item }) => ({
    taken: parametersOf(item, operation, resolve).flatMap((one) => (one.in === 'header' ? one.name : [])),
    returned: Object.values(operation.responses).map((one) => resolved<Response>(one, resolve).headers ?? {}),
  }));
  const responses = operations.flatMap(({ returned }) => returned);
  const isReturnedWith = (name: string, asked: string): boolean =>
    operations.every(({ taken, returned }) => taken.includes(asked) === returned.some((headers) => name in headers));
  const asked = new Set(operations.flatMap(({ taken }) => taken));
  const common = [...new Set(responses.flatMap(Object.keys))].flatMap((name) => {
    const references = responses.flatMap((headers) => headers[name]?.$ref ?? []).sort();
    const isCommon = references.length > responses.length / 2 || [...asked].some((one) => isReturnedWith(name, one));
    // Where they differ, the one that most of them have is in the middle.
    return isCommon ? [[references[Math.floor(references.length / 2)]!, name] as const] : [];
  });
  return new Map(common);
}
