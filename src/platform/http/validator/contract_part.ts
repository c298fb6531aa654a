import {
  methods,
  parametersOf,
  resolver,
  type Contract,
  type ContractOperation,
  type Method,
  type Parameter,
} from '../contract_document.ts';

/** One path of a contract, reduced to what requests are compared with, and the schemas that it uses. */
export interface ContractPart extends Pick<Contract, 'openapi' | 'info' | 'servers'> {
  readonly paths: Readonly<Record<string, Partial<Record<Method, CheckedOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

type CheckedOperation = Pick<ContractOperation, 'requestBody' | 'responses'> & { parameters: readonly Parameter[] };

/**
 * The contract cut to one path, as the library should see it. Clients read each legal filter, and `fields` of each type, as a
 * parameter of its own, and encode what they send. The server accepts any of them, and reserved characters that are not encoded.
 */
export function contractPart(contract: Contract, path: string): ContractPart {
  const { openapi, info, servers } = contract;
  const item = contract.paths[path]!;
  const resolve = resolver(contract);
  const operations = methods.flatMap((method): [Method, CheckedOperation][] => {
    const operation = item[method];
    if (!operation) return [];
    const parameters = relaxed(parametersOf(item, operation, resolve));
    return [[method, { requestBody: operation.requestBody, parameters, responses: {} }]];
  });
  const paths = { [path]: Object.fromEntries(operations) };
  return { openapi, info, servers, paths, components: { schemas: schemasIn(paths, contract) } };
}

/** The schemas that a part of the contract refers to, and those that they refer to. */
function schemasIn(part: unknown, contract: Contract): Record<string, unknown> {
  const all = (contract.components.schemas ?? {}) as Readonly<Record<string, unknown>>;
  const used: Record<string, unknown> = {};
  const collect = (node: unknown): void => {
    for (const [, name] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (Object.hasOwn(used, name!)) continue;
      used[name!] = all[name!];
      collect(all[name!]);
    }
  };
  collect(part);
  return used;
}

/** Filters and `fields` may have any shape: the verbs that read them say which names they do not know. */
const relaxed = (parameters: readonly Parameter[]): Parameter[] =>
  parameters
    .filter(({ name }) => !/^(filter\[|fields(\[|$))/.test(name))
    .map((parameter) => (parameter.in === 'query' ? { ...parameter, allowReserved: true } : parameter));
