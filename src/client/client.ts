import createClient, { type Client } from 'openapi-fetch';
import { keyedOperations } from '../../generated/keyed_operations.ts';
import type { components as PublicComponents, paths as PublicPaths } from '../../generated/public.ts';
import type { components as ResourceComponents, paths as ResourcePaths } from '../../generated/v3.ts';
import type { ApiClient } from './calls.ts';
import { patientFetch, type Patience } from './retries.ts';
import { withTextIds, type WithTextIds } from './text_ids.ts';

/** Typed clients of the two APIs. `GET`, `POST` and so on take the path of an operation, and know its parameters and responses. */
export type ResourceApi = ApiClient<ResourcePaths>;
export type PublicApi = ApiClient<PublicPaths>;

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
    createClient({
      ...transportOf(connection, '/api/v3'),
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(apiKey === undefined ? {} : { 'Api-Key': apiKey }),
      },
    }),
    keyedOperations.v3,
  );
}

/** A client of the public API. It sends the token of the enterprise in the header `Authorization`, so that no address contains it. */
export function publicApi({ apiToken, ...connection }: Connection & { readonly apiToken: string }): PublicApi {
  return withKeys(
    createClient({
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
function withKeys<Paths>(api: Client<object>, keyed: readonly string[]): ApiClient<Paths> {
  api.use({
    onRequest({ request, schemaPath }) {
      if (keyed.includes(`${request.method} ${schemaPath}`) && !request.headers.has('Idempotency-Key'))
        request.headers.set('Idempotency-Key', newKey());
    },
  });
  return api as unknown as ApiClient<Paths>;
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

/** A page of the resource API has its records in `data`. One of the public API has them in the one member that is a list. */
type RowOf<Page> = Page extends { data: (infer Row)[] }
  ? Row
  : Page extends { total_pages: number }
    ? WithTextIds<ItemOf<Page[keyof Page]>>
    : Page[keyof Page] extends readonly (infer Row)[]
      ? WithTextIds<Row>
      : never;
type ItemOf<Member> = Member extends readonly (infer Row)[] ? Row : never;

/**
 * Iterates over the records of a list of either API. `ask` puts where the page begins into the query. Lists of the resource API go on
 * by the links to their next pages, so that no record is missed or repeated while others change. Records of the public API have their
 * ids as texts, as those of the resource API and of the change feed.
 */
export async function* everyRecord<Page extends object>(
  ask: (start: PageStart) => Promise<CallResult<Page>>,
): AsyncGenerator<RowOf<Page>, void> {
  for (let start: PageStart | undefined = {}; start;) {
    const page: object = await answerOf(ask(start));
    if ('data' in page) yield* page.data as RowOf<Page>[];
    else yield* rowsIn(page) as RowOf<Page>[];
    start = nextOf(page, start);
  }
}

const rowsIn = (page: object): unknown[] =>
  Object.values(page)
    .filter((member) => Array.isArray(member))
    .flat()
    .map(withTextIds);

/** Where the next page begins. The public API says only how many there are, and says it of long lists alone. */
function nextOf(page: object, { page: number = 1 }: PageStart): PageStart | undefined {
  if ('links' in page) {
    const { next } = page.links as { next: string | null };
    return next === null ? undefined : startIn(new URL(next).searchParams);
  }
  return 'total_pages' in page && number < (page.total_pages as number) ? { page: number + 1 } : undefined;
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
 * that starts with it again misses nothing, and may get the changes of the last answer again. Ids are texts.
 */
export async function* everyChange<Change>(
  ask: (request: ChangeRequest) => Promise<CallResult<ChangeAnswer<Change>>>,
  start: ChangeStart = {},
): AsyncGenerator<{ change: WithTextIds<Change>; resume: ChangeStart }, void> {
  let query: ChangeRequest['query'] = start;
  for (;;) {
    const askedAt = performance.now();
    const answer = await answerOf(ask({ query, header: { Prefer: `wait=${waitSeconds}` } }));
    const [rows, { next_cursor, has_more }] = 'meta' in answer ? [answer.data, answer.meta] : [answer.changes, answer];
    const changes = rows.map(withTextIds);
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
export type { WithTextIds } from './text_ids.ts';
export { verifyWebhook, type ReceivedHeaders, type WebhookMessage } from './verify_webhook.ts';
