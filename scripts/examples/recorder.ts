import type { operations as PublicOperations } from '../../generated/public.ts';
import type { operations as ResourceOperations } from '../../generated/v3.ts';
import type { Operation, Parameters, RequestBody, Success } from '../../src/platform/http/contract.ts';
import {
  messagesOf,
  operationsOf,
  readContract,
  successStatuses,
  type ContractOperation,
} from '../../src/platform/http/contract_document.ts';
import { demoCredentials } from '../../src/programs/demo/credentials.ts';
import { fixedIds } from '../../src/programs/demo/fixed_ids.ts';
import type { ExampleRequest } from '../docs/examples.ts';
import { sendByFetch, type Answer, type Send } from './send.ts';
import type { DemoServer } from './demo_server.ts';
import { rememberRows } from './fresh_rows.ts';

type Operations = ResourceOperations & PublicOperations;
export type OperationId = keyof Operations & string;
type Of<Id extends OperationId> = Operations[Id] extends Operation ? Operations[Id] : never;

/** A file that is sent with a form. */
export interface SentFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A request of an operation, typed by the contract. */
export interface RequestFor<Id extends OperationId> {
  /** The bearer token; the admin's unless given. */
  readonly token?: string;
  readonly path?: Parameters<Of<Id>, 'path'>;
  readonly query?: Parameters<Of<Id>, 'query'>;
  readonly body?: RequestBody<Of<Id>>;
  /** The query of a second request, for operations that answer with either a list or one record. */
  readonly one?: Parameters<Of<Id>, 'query'>;
  /** A multipart body. */
  readonly form?: Readonly<Record<string, string | SentFile | readonly SentFile[]>>;
}

/** The parts of a request to replace so that it fails. They need not fit the contract. */
export interface FailingRequest {
  readonly token?: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly form?: RequestFor<OperationId>['form'];
  readonly headers?: Readonly<Record<string, string>>;
  /** The address of another server to send it to. */
  readonly at?: string;
  /** How often to send it; the last answer counts. */
  readonly times?: number;
}

export type FailingRequests = Readonly<Partial<Record<400 | 401 | 403 | 404 | 410 | 412 | 429, FailingRequest>>>;

/** One call of an operation, with the error answers of its failing requests, or one message to a webhook. */
export interface RecordedCall {
  readonly api: 'v3' | 'public';
  readonly operationId: string;
  readonly request: ExampleRequest;
  readonly files: readonly SentFile[];
  readonly answer: Answer;
  readonly one?: Answer | undefined;
  readonly errors: Readonly<Record<string, Answer>>;
  /** The names of the events that it recorded, each once. */
  readonly events: readonly string[];
}

/** Calls operations and keeps what was sent and answered. After each, the demo organisation is as it was created. */
export interface Recorder {
  readonly server: DemoServer;
  readonly calls: readonly RecordedCall[];
  /** Answers with another status than expected, in sentences. */
  readonly problems: readonly string[];
  /** The employee's token. */
  readonly employee: string;
  <Id extends OperationId>(
    operationId: Id,
    wanted: RequestFor<Id>,
    failures?: FailingRequests,
  ): Promise<Success<Of<Id>>>;
  /** Calls an operation without recording it. `at` is the address of another server to send it to. */
  sendOnly<Id extends OperationId>(operationId: Id, wanted: RequestFor<Id>, at?: string): Promise<Success<Of<Id>>>;
  /** Lets the recorded calls in `calls` see what those before them did. */
  together(calls: () => Promise<void>): Promise<void>;
  /** Keeps a message that arrived at a webhook. */
  keepMessage(operationId: string, body: unknown): void;
}

/** The first account and workspace of a fresh database. */
export const ourAccount = { account_id: '1' } as const;
export const here = { workspace_id: '1' } as const;

/** Records of the demo organisation, which have these ids in every fresh database. */
export const demo = {
  tracking: '1',
  deletedTracking: '2',
  break: '1',
  noteOfTracking: '3',
  tagging: fixedIds.tagging,
  action: fixedIds.action,
  confirmedAbsence: '1',
  sickness: '2',
  pendingAbsence: '4',
  deletedAbsence: '5',
  noteOfAbsence: '11',
  terrace: '3',
  draftShift: '11',
  publicHoliday: '1',
  timeAccountEntry: '1',
  accountingPeriod: '1',
  carriedVacation: '4',
  wageType: '1',
  exportOfWork: '1',
  exportOfAbsences: '2',
  dataExport: '1',
  equipment: '2',
  shoeSize: '8',
  personnelFile: '3',
  healthInsurance: '9',
  calendarFeed: '1',
  webhook: '1',
  webhookDelivery: '1',
  leaver: '7',
  apiToken: fixedIds.apiToken,
  session: fixedIds.session,
  batch: fixedIds.batch,
} as const;

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

/** The operations of receivers, whose requests the service sends. */
export const messageIds: readonly string[] = messagesOf(readContract('v3')).map(({ operationId }) => operationId);

export async function createRecorder(server: DemoServer, send: Send = sendByFetch): Promise<Recorder> {
  const calls: RecordedCall[] = [];
  const problems: string[] = [];
  const expected = (operationId: string, status: number, answer: Answer): Answer => {
    if (answer.status !== status)
      problems.push(
        `${operationId} should answer ${status}, but answered ${answer.status}: ${JSON.stringify(answer.body)}`,
      );
    return answer;
  };
  const sendOnly: Recorder['sendOnly'] = async (operationId, wanted, at = server.url) => {
    const route = routes.get(operationId)!;
    const request = requestOf(wanted);
    return expected(
      operationId,
      route.status,
      await sendByFetch({ url: at, route, token: tokenFor(route, wanted), ...request }),
    ).body as never;
  };
  const signIn = async (email: string): Promise<string> => {
    const { data } = await sendOnly('signIn', { body: bodyOf('user', { email, password: demoCredentials.password }) });
    return data.attributes.access_token;
  };
  const tokenFor = (route: Route, wanted: { readonly token?: string }): string | undefined =>
    takesBearer(route) ? (wanted.token ?? (route.api === 'public' ? demoCredentials.apiToken : admin)) : undefined;
  let admin = '';
  admin = await signIn(demoCredentials.admin);
  const employee = await signIn(demoCredentials.employee);
  const putBack = await rememberRows(server.pool);
  let isTogether = false;

  const record = async <Id extends OperationId>(
    operationId: Id,
    wanted: RequestFor<Id>,
    failures: FailingRequests = {},
  ): Promise<Success<Of<Id>>> => {
    const route = routes.get(operationId)!;
    const token = tokenFor(route, wanted);
    const request = requestOf(wanted);
    const errors: Record<string, Answer> = {};
    for (const [status, failure] of Object.entries(failingRequestsOf(route, request, failures, employee))) {
      const at = failure.at ?? server.url;
      const sendFailing = () =>
        sendByFetch({
          url: at,
          route,
          token: 'token' in failure ? failure.token : token,
          headers: failure.headers,
          ...applied(request, failure),
        });
      for (let time = 1; time < (failure.times ?? 1); time++) await sendFailing();
      errors[status] = expected(operationId, Number(status), await sendFailing());
    }
    const before = await server.eventCount();
    const answer = expected(operationId, route.status, await send({ url: server.url, route, token, ...request }));
    const events = await server.eventsAfter(before);
    const one =
      wanted.one && (await sendByFetch({ url: server.url, route, token, ...requestOf({ query: wanted.one }) }));
    if (one) expected(operationId, route.status, one);
    calls.push({
      api: route.api,
      operationId,
      request: documented(request),
      files: filesIn(request.form),
      answer,
      one,
      errors,
      events,
    });
    if (!isTogether) await putBack();
    return answer.body as Success<Of<Id>>;
  };
  const together: Recorder['together'] = async (callAll) => {
    isTogether = true;
    await callAll();
    isTogether = false;
    await putBack();
  };
  const keepMessage: Recorder['keepMessage'] = (operationId, body) =>
    void calls.push({
      api: 'v3',
      operationId,
      request: { body },
      files: [],
      answer: { status: 204, body: undefined },
      errors: {},
      events: [],
    });
  return Object.assign(record, { server, calls, problems, employee, sendOnly, together, keepMessage });
}

export interface Request {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly form?: RequestFor<OperationId>['form'];
}

const requestOf = ({ path = {}, query = {}, body, form }: FailingRequest): Request => ({
  path,
  query,
  body,
  ...(form ? { form } : {}),
});

const takesBearer = ({ operation }: Route): boolean => operation.security === undefined;

/** The given failing requests, and a default one for every other error status that the contract lists. */
function failingRequestsOf(
  { api, path, operation }: Route,
  request: Request,
  given: FailingRequests,
  employee: string,
): Record<string, FailingRequest> {
  const lastParameter = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1];
  const calls = (name: string): boolean =>
    (operation.parameters ?? []).some((parameter) => '$ref' in parameter && parameter.$ref.endsWith(name));
  const defaults: Record<string, FailingRequest> = {
    401: { token: '' },
    ...(api === 'v3' ? { 403: { token: employee } } : {}),
    ...(calls('/if_match')
      ? { 400: { headers: { 'If-Match': 'unquoted' } }, 412: { headers: { 'If-Match': '"older"' } } }
      : {}),
    ...(lastParameter ? { 404: { path: { ...request.path, [lastParameter]: '4711' } } } : {}),
    ...(calls('include') ? { 400: { query: { ...request.query, include: 'pets' } } } : {}),
    ...(calls('/items') ? { 400: { query: { ...request.query, items: 500 } } } : {}),
  };
  const all: Record<string, FailingRequest> = { ...defaults, ...(given as Record<string, FailingRequest>) };
  // What the frame returns for any operation is shown by the shared responses, unless a scenario has a request for it.
  const ofFrame = api === 'public' ? ['403', '429'] : ['429'];
  const named = ['400', '401', '403', '404', '410', '412', '429'].filter(
    (status) => status in operation.responses && (status in all || !ofFrame.includes(status)),
  );
  const missing = named.filter((status) => !(status in all));
  if (missing.length > 0)
    throw new Error(`${operation.operationId} needs a failing request for ${missing.join(', ')} in its scenario.`);
  return Object.fromEntries(named.map((status) => [status, all[status]!]));
}

const applied = (request: Request, { path, query, body, form }: FailingRequest): Request => ({
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

/** The request as the reference shows it, with the names of files in place of their bytes. */
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
