import createClient, { type Client } from 'openapi-fetch';
import { keyedOperations } from '../../generated/keyed_operations.ts';
import type { components as PublicComponents, paths as PublicPaths } from '../../generated/public.ts';
import type { components as ResourceComponents, paths as ResourcePaths } from '../../generated/v3.ts';
import { patientFetch, type Patience } from './retries.ts';

/** Typed clients of the two APIs. `GET`, `POST` and so on take the path of an operation, and know its parameters and responses. */
export type ResourceApi = Client<ResourcePaths>;
export type PublicApi = Client<PublicPaths>;

/** The schemas of each API, by their names in the reference. */
export type ResourceSchemas = ResourceComponents['schemas'];
export type PublicSchemas = PublicComponents['schemas'];

/** One problem of a refused request. */
export type Problem = ResourceSchemas['Problem'];

/** The kind of a problem. The reference describes each. */
export type ErrorCode = ResourceSchemas['ErrorCode'];

interface Connection extends Patience {
  /** The address of the service, such as `https://time.example.com`. */
  readonly url: string;
  /** Replaces the `fetch` of the platform. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** A client of the resource API. Signing in needs `apiKey` and returns a `token`; nearly every other operation needs the `token`. */
export function resourceApi({
  token,
  apiKey,
  ...connection
}: Connection & { readonly token?: string; readonly apiKey?: string }): ResourceApi {
  return withKeys(
    createClient<ResourcePaths>({
      ...transportOf(connection, '/api/v3'),
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(apiKey === undefined ? {} : { 'Api-Key': apiKey }),
      },
    }),
    keyedOperations.v3,
  );
}

/** A client of the public API. It sends the token of the enterprise in the header `Authorization`. */
export function publicApi({ apiToken, ...connection }: Connection & { readonly apiToken: string }): PublicApi {
  return withKeys(
    createClient<PublicPaths>({
      ...transportOf(connection, '/public_api/v1'),
      headers: { Authorization: `Bearer ${apiToken}` },
    }),
    keyedOperations.public,
  );
}

const transportOf = (
  { url, fetch = (request) => globalThis.fetch(request), ...patience }: Connection,
  path: string,
) => ({
  baseUrl: url.replace(/\/+$/, '') + path,
  fetch: patientFetch(fetch, patience),
});

/** Gives each request an Idempotency-Key where the operation takes one, so that it can be sent again. */
function withKeys<Api extends Client<never>>(api: Api, keyed: readonly string[]): Api {
  api.use({
    onRequest({ request, schemaPath }) {
      if (keyed.includes(`${request.method} ${schemaPath}`) && !request.headers.has('Idempotency-Key'))
        request.headers.set('Idempotency-Key', newKey());
    },
  });
  return api;
}

/** `randomUUID` exists in browsers only where the page has come over TLS. */
const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The service refused a request. `problems` lists everything that is wrong with it. */
export class RefusedError extends Error {
  constructor(
    /** The HTTP status. */
    readonly status: number,
    readonly problems: readonly Problem[],
    /** The id of the request in the logs of the server. */
    readonly requestId: string | undefined,
  ) {
    super(problems.map(({ title }) => title).join(' ') || `The service answered with ${status}.`);
    this.name = 'RefusedError';
  }

  /** The kinds of the problems, each once. */
  get codes(): readonly ErrorCode[] {
    return [...new Set(this.problems.map(({ code }) => code))];
  }
}

/** The result of a call. */
export interface CallResult<Body> {
  readonly data?: Body;
  readonly error?: unknown;
  readonly response: Response;
}

/** Returns the body of a success, and throws a `RefusedError` otherwise. */
export async function answerOf<Body>(call: Promise<CallResult<Body>>): Promise<Body> {
  const { data, error, response } = await call;
  if (response.ok) return data as Body;
  const { errors, meta } = (error ?? {}) as { errors?: Problem[]; meta?: { request_id?: string } };
  throw new RefusedError(response.status, errors ?? [], meta?.request_id);
}

/** Iterates over the pages of a list of either API. `ask` calls the operation with the number of a page. */
export async function* everyPage<Page extends object>(
  ask: (page: number) => Promise<CallResult<Page>>,
): AsyncGenerator<Page, void> {
  for (let number = 1, pages = 1; number <= pages; number++) {
    const page = await answerOf(ask(number));
    const { total_pages } = ('meta' in page ? page.meta : page) as { total_pages?: number };
    pages = total_pages ?? 1;
    yield page;
  }
}

/** Where a page of the resource API begins. The first page needs neither of the two parameters. */
export interface PageStart {
  readonly after?: string;
  readonly page?: number;
}

/**
 * Iterates over the records of a list of the resource API by the links to its next pages, so that none is missed or repeated while
 * others change. `ask` puts where the page begins into the query.
 */
export async function* everyRecord<Row>(
  ask: (start: PageStart) => Promise<CallResult<{ data: Row[]; links: { next: string | null } }>>,
): AsyncGenerator<Row, void> {
  for (let start: PageStart | undefined = {}; start;) {
    const { data, links }: { data: Row[]; links: { next: string | null } } = await answerOf(ask(start));
    yield* data;
    start = links.next === null ? undefined : startIn(new URL(links.next).searchParams);
  }
}

/** In its default order a list goes on with a cursor, otherwise with a number. */
function startIn(query: URLSearchParams): PageStart {
  const after = query.get('after');
  return after === null ? { page: Number(query.get('page')) } : { after };
}

/** An answer of the change feed. The resource API has the cursor in `meta`. */
type ChangeAnswer<Change> =
  { readonly data: Change[]; readonly meta: Continuation } | ({ readonly changes: Change[] } & Continuation);

interface Continuation {
  readonly next_cursor: string;
  readonly has_more: boolean;
}

/** The parameters of the next request for changes. */
export interface ChangeRequest {
  readonly query: { readonly cursor?: string; readonly from?: 'beginning' };
  readonly header: { readonly Prefer: string };
}

/** Where to begin: after a cursor, with the oldest event, or now. */
export type ChangeStart = { readonly cursor: string } | { readonly from: 'beginning' } | Record<never, never>;

const waitSeconds = 30;

/**
 * Follows the change feed of either API without end: `ask` calls the operation. Store `resume` once a change is handled. A program
 * that starts with it again misses nothing, and may get the changes of the last answer again.
 */
export async function* everyChange<Change>(
  ask: (request: ChangeRequest) => Promise<CallResult<ChangeAnswer<Change>>>,
  start: ChangeStart = {},
): AsyncGenerator<{ change: Change; resume: ChangeStart }, void> {
  let query: ChangeRequest['query'] = start;
  for (;;) {
    const askedAt = performance.now();
    const answer = await answerOf(ask({ query, header: { Prefer: `wait=${waitSeconds}` } }));
    const [changes, { next_cursor, has_more }] =
      'meta' in answer ? [answer.data, answer.meta] : [answer.changes, answer];
    // In the middle of an answer, the place to begin anew is before it.
    for (const change of changes.slice(0, -1)) yield { change, resume: query };
    for (const change of changes.slice(-1)) yield { change, resume: { cursor: next_cursor } };
    query = { cursor: next_cursor };
    // The service answers at once where too many requests wait.
    const pauseMs = 1000 - (performance.now() - askedAt);
    if (changes.length === 0 && !has_more && pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

export type { Patience } from './retries.ts';
export { verifyWebhook, type ReceivedHeaders, type WebhookMessage } from './verify_webhook.ts';
