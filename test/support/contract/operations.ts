import type { Schema } from '../../../src/http/requests/blank_values.ts';
import {
  operationsOf,
  readContract,
  resolver,
  type ContractOperation,
  type Parameter,
} from '../../../src/http/spec.ts';

/** An operation of either API, with all that a walk over the contracts asks about it. */
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

/** Every operation of both contracts: what is added to them is in every walk from then on. */
export const operations: readonly ApiOperation[] = [...walkOf('v3'), ...walkOf('public')];

export const bases = { v3: '/api/v3', public: '/public_api/v1' } as const;

export const namesInPath = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);

/** The schemes with which an operation can be called; none where it is open to everybody. */
export const schemesOf = ({ api, security }: ApiOperation): string[] =>
  (security ?? (api === 'v3' ? [{ bearer: [] }] : [{ apiToken: [] }])).flatMap((alternative) =>
    Object.keys(alternative),
  );

const methodOrder = ['get', 'post', 'patch', 'put', 'delete'];
/** What takes away more than itself comes after everything that still needs it. */
const last = ['deleteTimeTracking', 'deleteAbsence', 'deleteArea', 'deleteUser', 'deleteWorkspace', 'signOut'];

/** All operations in an order in which each finds what it needs: reading, making, changing, deleting. */
export const operationsInCallOrder: readonly ApiOperation[] = [...operations].sort(
  (one, other) =>
    methodOrder.indexOf(one.method) - methodOrder.indexOf(other.method) ||
    last.indexOf(one.id) - last.indexOf(other.id) ||
    other.path.length - one.path.length,
);
