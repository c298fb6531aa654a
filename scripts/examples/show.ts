import type { operations as PublicOperations } from '../../generated/public.ts';
import type { operations as ResourceOperations } from '../../generated/v3.ts';
import type { Operation, Parameters, RequestBody, Success } from '../../src/http/contract.ts';
import {
  operationsOf,
  readContract,
  successStatuses,
  type ContractOperation,
} from '../../src/http/contract_document.ts';
import { demoCredentials } from '../../src/demo/demo.ts';
import type { ExampleRequest } from '../../src/docs/examples.ts';
import { sendByFetch, type Answer, type Send } from './send.ts';
import type { Stage } from './stage.ts';

type Operations = ResourceOperations & PublicOperations;
export type OperationId = keyof Operations & string;
type Of<Id extends OperationId> = Operations[Id] extends Operation ? Operations[Id] : never;

/** A file that is sent with a form. */
export interface SentFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A request of an operation, held to the contract by the compiler. */
export interface Ask<Id extends OperationId> {
  /** The bearer token; the admin's unless given. */
  readonly token?: string;
  readonly path?: Parameters<Of<Id>, 'path'>;
  readonly query?: Parameters<Of<Id>, 'query'>;
  readonly body?: RequestBody<Of<Id>>;
  /** The query for the other form of the answer: one record instead of a list. */
  readonly one?: Parameters<Of<Id>, 'query'>;
  /** A multipart body. */
  readonly form?: Readonly<Record<string, string | SentFile | readonly SentFile[]>>;
}

/** What is different in a request that is refused. Nothing here has to be right. */
export interface Slip {
  readonly token?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly form?: Ask<OperationId>['form'];
  readonly headers?: Readonly<Record<string, string>>;
  /** The server to ask, if it is another one. */
  readonly at?: string;
  /** How often to ask until it is too much. */
  readonly times?: number;
}

export type Slips = Readonly<Partial<Record<400 | 401 | 403 | 404 | 429, Slip>>>;

/** An operation as it was carried out: what was asked, what came back, and what came back when it was asked wrongly. */
export interface Take {
  readonly api: 'v3' | 'public';
  readonly operationId: string;
  readonly request: ExampleRequest;
  readonly files: readonly SentFile[];
  readonly answer: Answer;
  readonly one?: Answer | undefined;
  readonly errors: Readonly<Record<string, Answer>>;
}

/** Shows one operation after the other on a stage, and keeps what happened. */
export interface Show {
  readonly stage: Stage;
  readonly takes: readonly Take[];
  /** What did not happen as it should. */
  readonly problems: readonly string[];
  /** The employee's token. */
  readonly employee: string;
  <Id extends OperationId>(operationId: Id, ask: Ask<Id>, slips?: Slips): Promise<Success<Of<Id>>>;
  /** Does something that is no example. */
  quietly<Id extends OperationId>(operationId: Id, ask: Ask<Id>): Promise<Success<Of<Id>>>;
}

/** The first account and workspace of a fresh database. */
export const ourAccount = { account_id: '1' } as const;
export const here = { workspace_id: '1' } as const;

/** A JSON:API body. */
export const bodyOf = <Type extends string, Attributes extends object>(type: Type, attributes: Attributes) => ({
  data: { type, attributes },
});

export interface Route {
  readonly api: 'v3' | 'public';
  readonly base: string;
  readonly method: string;
  readonly path: string;
  readonly operation: ContractOperation;
  readonly status: number;
}

/** Every operation of both contracts, by its id. */
export const routes: ReadonlyMap<string, Route> = new Map(
  (['v3', 'public'] as const).flatMap((api) => {
    const contract = readContract(api);
    const statuses = successStatuses(contract);
    return operationsOf(contract).map(({ method, path, operation }): [string, Route] => {
      const { operationId } = operation;
      return [
        operationId,
        { api, base: contract.servers[0]!.url, method, path, operation, status: statuses.get(operationId)! },
      ];
    });
  }),
);

export async function createShow(stage: Stage, send: Send = sendByFetch): Promise<Show> {
  const takes: Take[] = [];
  const problems: string[] = [];
  const expected = (operationId: string, status: number, answer: Answer): Answer => {
    if (answer.status !== status)
      problems.push(
        `${operationId} was to answer ${status}, but answered ${answer.status}: ${JSON.stringify(answer.body)}`,
      );
    return answer;
  };
  const quietly: Show['quietly'] = async (operationId, ask) => {
    const route = routes.get(operationId)!;
    const request = withApiToken(route, requestOf(ask));
    return expected(
      operationId,
      route.status,
      await sendByFetch({ url: stage.url, route, token: tokenFor(route, ask), ...request }),
    ).body as never;
  };
  const signIn = async (email: string): Promise<string> => {
    const { data } = await quietly('signIn', { body: bodyOf('user', { email, password: demoCredentials.password }) });
    return data.attributes.access_token;
  };
  const tokenFor = (route: Route, ask: { readonly token?: string }): string | undefined =>
    takesBearer(route) ? (ask.token ?? admin) : undefined;
  let admin = '';
  admin = await signIn(demoCredentials.admin);
  const employee = await signIn(demoCredentials.employee);

  const show = async <Id extends OperationId>(
    operationId: Id,
    ask: Ask<Id>,
    slips: Slips = {},
  ): Promise<Success<Of<Id>>> => {
    const route = routes.get(operationId)!;
    const token = tokenFor(route, ask);
    const whole = withApiToken(route, requestOf(ask));
    const errors: Record<string, Answer> = {};
    for (const [status, slip] of Object.entries(allSlips(route, whole, slips, employee))) {
      const at = slip.at ?? stage.url;
      const ask = () =>
        sendByFetch({
          url: at,
          route,
          token: 'token' in slip ? slip.token : token,
          headers: slip.headers,
          ...applied(whole, slip),
        });
      for (let time = 1; time < (slip.times ?? 1); time++) await ask();
      errors[status] = expected(operationId, Number(status), await ask());
    }
    const answer = expected(operationId, route.status, await send({ url: stage.url, route, token, ...whole }));
    const one =
      ask.one &&
      (await sendByFetch({ url: stage.url, route, token, ...withApiToken(route, requestOf({ query: ask.one })) }));
    if (one) expected(operationId, route.status, one);
    takes.push({
      api: route.api,
      operationId,
      request: documented(whole),
      files: filesIn(whole.form),
      answer,
      one,
      errors,
    });
    return answer.body as Success<Of<Id>>;
  };
  return Object.assign(show, { stage, takes, problems, employee, quietly });
}

export interface Request {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly form?: Ask<OperationId>['form'];
}

const requestOf = ({ path = {}, query = {}, body, form }: Slip): Request => ({
  path,
  query,
  body,
  ...(form ? { form } : {}),
});

const takesBearer = ({ api, operation }: Route): boolean => api === 'v3' && operation.security === undefined;

/** The public API's token: in the body or form where there is one, else in the query. */
function withApiToken({ api }: Route, request: Request): Request {
  if (api === 'v3') return request;
  const token = { api_token: demoCredentials.apiToken };
  if (request.form) return { ...request, form: { ...token, ...request.form } };
  if (request.body) return { ...request, body: { ...token, ...request.body } };
  return { ...request, query: { ...token, ...request.query } };
}

const without = (value: unknown): unknown => {
  const { api_token: _token, ...rest } = (value ?? {}) as Record<string, unknown>;
  return rest;
};

/** Every refusal that the contract names and that needs no thought, beside those that were thought of. */
function allSlips(
  { api, path, operation }: Route,
  request: Request,
  given: Slips,
  employee: string,
): Record<string, Slip> {
  const lastParameter = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1];
  const takes = (name: string): boolean =>
    (operation.parameters ?? []).some((parameter) => '$ref' in parameter && parameter.$ref.endsWith(name));
  const easy: Record<string, Slip> = {
    401:
      api === 'v3'
        ? { token: '' }
        : { query: without(request.query) as Record<string, unknown>, ...bodyWithout(request) },
    403: { token: employee },
    ...(lastParameter ? { 404: { path: { ...request.path, [lastParameter]: '4711' } } } : {}),
    ...(takes('include') ? { 400: { query: { ...request.query, include: 'pets' } } } : {}),
    ...(takes('/items') ? { 400: { query: { ...request.query, items: 500 } } } : {}),
  };
  const all: Record<string, Slip> = { ...easy, ...(given as Record<string, Slip>) };
  const named = ['400', '401', '403', '404', '429'].filter((status) => status in operation.responses);
  const missing = named.filter((status) => !(status in all));
  if (missing.length > 0) throw new Error(`${operation.operationId} has no example of ${missing.join(', ')}.`);
  return Object.fromEntries(named.map((status) => [status, all[status]!]));
}

const bodyWithout = ({ body, form }: Request): Slip => ({
  ...(body ? { body: without(body) } : {}),
  ...(form ? { form: without(form) as NonNullable<Request['form']> } : {}),
});

const applied = (request: Request, { path, query, body, form }: Slip): Request => ({
  path: path ?? request.path,
  query: query ?? request.query,
  body: body ?? request.body,
  form: form ?? request.form,
});

const isFile = (value: unknown): value is SentFile => typeof value === 'object' && value !== null && 'bytes' in value;

export const filesIn = (form: Request['form']): SentFile[] =>
  Object.values(form ?? {})
    .flat()
    .filter(isFile);

/** The request as the reference shows it: of a file, its name. */
export function documented({ path, query, body, form }: Request): ExampleRequest {
  const named = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(named) : isFile(value) ? value.name : value;
  const fields = form && Object.fromEntries(Object.entries(form).map(([name, value]) => [name, named(value)]));
  return {
    ...(Object.keys(path).length > 0 ? { path } : {}),
    ...(Object.keys(query).length > 0 ? { query } : {}),
    ...(body === undefined ? {} : { body }),
    ...(fields ? { body: fields } : {}),
  };
}
