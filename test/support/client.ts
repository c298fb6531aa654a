import supertest, { type Response } from 'supertest';
import { operationsOf, readContract } from '../../src/platform/http/contract_document.ts';
import { checkResponse } from './contract/response_check.ts';
import { recordProblems, recordStatus } from './contract/coverage.ts';
import { service } from './service.ts';

const bases = { v3: '/api/v3', public: '/public_api/v1' } as const;
type ApiName = keyof typeof bases;

const routesOf = (api: ApiName) =>
  new Map(operationsOf(readContract(api)).map((route) => [route.operation.operationId, route]));
const routes = { v3: routesOf('v3'), public: routesOf('public') };

export interface RequestOptions {
  /** The base address of the server. By default the worker's own. */
  readonly at?: string;
  /** Path parameters. */
  readonly params?: Readonly<Record<string, string | number>>;
  /** Either an object, or the raw text after the question mark. */
  readonly query?: Readonly<Record<string, string | number>> | string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Parts of a multipart body that are files. */
  readonly files?: readonly { field: string; name: string; bytes: Buffer }[];
  /** Parts of a multipart body that are text. */
  readonly form?: Readonly<Record<string, string>>;
}

/** Calls an operation by its id over HTTP, and checks the answer against the contract. */
export async function call(api: ApiName, operationId: string, options: RequestOptions = {}): Promise<Response> {
  const route = routes[api].get(operationId);
  if (!route) throw new Error(`The contract has no operation ${operationId}.`);
  const address = route.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(String(options.params?.[name] ?? '')),
  );
  const url = options.at ?? (await service()).url;
  const request = supertest(url)[route.method as 'get'](bases[api] + address);
  for (const [name, value] of Object.entries(options.headers ?? {})) request.set(name, value);
  if (options.query !== undefined) request.query(options.query as object);
  if (options.files || options.form) {
    for (const [name, value] of Object.entries(options.form ?? {})) request.field(name, value);
    for (const file of options.files ?? []) request.attach(file.field, file.bytes, file.name);
  } else if (options.body !== undefined) {
    if (!options.headers?.['Content-Type'])
      request.set('Content-Type', api === 'v3' ? 'application/vnd.api+json' : 'application/json');
    request.send(typeof options.body === 'string' ? options.body : JSON.stringify(options.body));
  }
  const response = await request;
  const query = typeof options.query === 'string' ? options.query : Object.keys(options.query ?? {}).join('&');
  checkResponse(api, operationId, response, query.includes('fields'));
  recordStatus(api, operationId, response.status);
  if (response.status >= 400) recordProblems(response.status, problemsIn(response));
  return response;
}

/** The pointers of an error answer, in order. */
export const pointersIn = (response: Response): string[] => problemsIn(response).map(({ source }) => source.pointer);

export const titlesIn = (response: Response): string[] => problemsIn(response).map(({ title }) => title);

/** The codes of an error answer, in order. */
export const codesIn = (response: Response): string[] => problemsIn(response).map(({ code }) => code);

interface ShownProblem {
  readonly code: string;
  readonly title: string;
  readonly source: { readonly pointer: string };
}

const problemsIn = (response: Response): ShownProblem[] => (response.body as { errors: ShownProblem[] }).errors;
