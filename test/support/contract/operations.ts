import type { Schema } from '../../../src/platform/http/contract_document.ts';
import {
  operationsOf,
  readContract,
  resolver,
  type ContractOperation,
  type Parameter,
} from '../../../src/platform/http/contract_document.ts';

/** An operation of either API, as walks over the contracts need it. */
export interface ApiOperation extends ContractOperation {
  readonly api: 'v3' | 'public';
  readonly id: string;
  readonly method: string;
  /** Below the API's base address. */
  readonly path: string;
  /** Its own and its path's, with every reference followed. */
  readonly allParameters: readonly Parameter[];
}

const contracts = { v3: readContract('v3'), public: readContract('public') };

/** Follow references inside the contracts. */
export const resolvers = { v3: resolver(contracts.v3), public: resolver(contracts.public) } as Record<
  ApiOperation['api'],
  (reference: string) => Schema
>;

const walkOf = (api: ApiOperation['api']): ApiOperation[] => {
  const resolve = resolvers[api];
  return operationsOf(contracts[api]).map(({ method, path, operation, item }) => ({
    ...operation,
    api,
    id: operation.operationId,
    method,
    path,
    allParameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) =>
      '$ref' in one ? (resolve(one.$ref) as unknown as Parameter) : one,
    ),
  }));
};

const allOperations = [...walkOf('v3'), ...walkOf('public')];

/** Every operation of both contracts, except a GET that writes: it would change what the caller may do in the rest of a walk. */
export const operations: readonly ApiOperation[] = allOperations.filter((operation) => !operation['x-writes']);

export const bases = { v3: '/api/v3', public: '/public_api/v1' } as const;

export const namesInPath = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

/** The security schemes of an operation; none if it needs no credential. */
export const schemesOf = ({ api, security }: ApiOperation): string[] =>
  (security ?? (api === 'v3' ? [{ bearer: [] }] : [{ apiToken: [] }])).flatMap((alternative) =>
    Object.keys(alternative),
  );

const methodOrder = ['get', 'post', 'patch', 'put', 'delete'];
/** Operations that delete records which others need. */
const runLast = [
  'deleteDataProfile',
  'deleteTimeTracking',
  'deleteAbsence',
  'deleteArea',
  'deleteUser',
  'deleteWorkspace',
  'deleteOtherSessions',
  'signOut',
];

const inCallOrder = (some: readonly ApiOperation[]): ApiOperation[] =>
  [...some].sort(
    (one, other) =>
      methodOrder.indexOf(one.method) - methodOrder.indexOf(other.method) ||
      runLast.indexOf(one.id) - runLast.indexOf(other.id) ||
      other.path.length - one.path.length,
  );

/** All operations in an order in which each finds its records: reads, creates, updates, deletes. */
export const operationsInCallOrder: readonly ApiOperation[] = inCallOrder(operations);

/** The operations that write, in the same order, with the GETs that write. */
export const writesInCallOrder: readonly ApiOperation[] = inCallOrder(
  allOperations.filter((operation) => operation.method !== 'get' || operation['x-writes']),
);
