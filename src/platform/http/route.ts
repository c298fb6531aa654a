import {
  createsReadable,
  methods,
  operationsOf,
  parametersOf,
  requestBodySchema,
  resolver,
  type Contract,
  type ContractOperation,
  type Method,
  type Parameter,
  type Resolve,
  type Schema,
} from './contract_document.ts';
import { envelopesOf } from './requests/pointers.ts';

/** The contract of an operation, looked up once when the service starts. */
export interface Route {
  readonly id: string;
  readonly method: Method;
  readonly path: string;
  readonly operation: ContractOperation;
  /** The operation that shows what is at the same path. */
  readonly shownBy: string | undefined;
  readonly parameters: readonly Parameter[];
  /** The security schemes. Each of them suffices. */
  readonly schemes: readonly string[];
  readonly mediaTypes: readonly string[];
  readonly bodySchema: Schema | undefined;
  /** The members of the body that wrap a record. */
  readonly envelopes: ReadonlySet<string>;
  /** The one status of a success. */
  readonly status: number;
  /** Whether what is created here has an address of its own. */
  readonly createsReadable: boolean;
  readonly resolve: Resolve;
}

/** The routes of a contract by path, in the order in which a request is compared with them: `/users/me` before `/users/{id}`. */
export function routesOf(contract: Contract): [path: string, routes: Route[]][] {
  const resolve = resolver(contract);
  const routes = operationsOf(contract).map(({ method, path, operation, item }): Route => {
    const security = operation.security ?? contract.security ?? [];
    return {
      id: operation.operationId,
      method,
      path,
      operation,
      shownBy: item['get']?.operationId,
      parameters: parametersOf(item, operation, resolve),
      schemes: security.flatMap((scheme) => Object.keys(scheme)),
      mediaTypes: Object.keys(operation.requestBody?.content ?? {}),
      bodySchema: requestBodySchema(operation, undefined, resolve),
      envelopes: envelopesOf(operation, resolve),
      status: Number(Object.keys(operation.responses).find((code) => code.startsWith('2'))),
      createsReadable: createsReadable(contract, { path, operation }, resolve),
      resolve,
    };
  });
  // "~" comes after every character of a name.
  const order = (path: string): string => path.replaceAll(/\{\w+\}/g, '~');
  return Object.keys(contract.paths)
    .sort((one, other) => (order(one) < order(other) ? -1 : 1))
    .map((path) => [path, routes.filter((route) => route.path === path)]);
}

/** Whether an operation has a parameter of this name. */
export const takes = ({ parameters }: Route, name: string): boolean =>
  parameters.some((parameter) => parameter.name === name);

/** The methods of a path, as `Allow` lists them. */
export const allowed = (routes: readonly Route[]): string =>
  methods
    .filter((method) => routes.some((route) => route.method === method))
    .join(', ')
    .toUpperCase();
