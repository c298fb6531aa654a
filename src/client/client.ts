import createClient, { type Client } from 'openapi-fetch';
import { keyedOperations } from '../../generated/keyed_operations.ts';
import type { components as PublicComponents, paths as PublicPaths } from '../../generated/public.ts';
import type { components as ResourceComponents, paths as ResourcePaths } from '../../generated/v3.ts';
import type { ApiClient, GetArguments, GetBody, GetPath } from './calls.ts';
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

/** What a caller of GET has given. */
interface Given {
  readonly params?: { readonly query?: object; readonly header?: object };
}

/** Calls GET with what a caller has given, and with parameters of its own. */
function get(api: unknown, path: unknown, given: Given | undefined, { query, header }: NonNullable<Given['params']>) {
  const { GET } = api as { GET: (path: unknown, options: object) => Promise<CallResult<object>> };
  const params = {
    ...given?.params,
    query: { ...given?.params?.query, ...query },
    header: { ...given?.params?.header, ...header },
  };
  return answerOf(GET(path, { ...given, params }));
}

/** A list of the resource API has its records in `data`, one of the public API in the one member that is a list. */
type RowOf<Page> = Page extends { data: (infer Row)[] }
  ? Row
  : Page extends { total_pages: number } | { next_cursor: string }
    ? WithTextIds<ItemOf<Page[keyof Page]>>
    : Page[keyof Page] extends readonly (infer Row)[]
      ? WithTextIds<Row>
      : never;
type ItemOf<Member> = Member extends readonly (infer Row)[] ? Row : never;

/** In a list of the public API, ids become texts, as those of the resource API are. */
const rowsIn = (page: object): unknown[] =>
  'data' in page
    ? (page.data as unknown[])
    : Object.values(page)
        .filter((member) => Array.isArray(member))
        .flat()
        .map(withTextIds);

/**
 * Iterates over the records of a list of either API. It takes what `GET` takes, and goes on by the addresses of the next pages, so
 * that in the resource API no record is missed or repeated while others change. Ids are texts, as in the change feed.
 */
export async function* everyRecord<Paths, Path extends GetPath<Paths>>(
  api: ApiClient<Paths>,
  path: Path,
  ...[options]: GetArguments<Paths, Path>
): AsyncGenerator<RowOf<GetBody<Paths, Path>>, void> {
  for (let query: object | undefined = {}; query;) {
    const page: object = await get(api, path, options, { query });
    yield* rowsIn(page) as RowOf<GetBody<Paths, Path>>[];
    query = nextOf(page);
  }
}

/** Where the next page begins. Short lists of the public API have one page, and do not say so. */
function nextOf(page: object): object | undefined {
  const { links, next_page } = page as { links?: { next: string | null }; next_page?: string | null };
  const next = links?.next ?? next_page;
  if (!next) return undefined;
  // In its default order a list goes on with a cursor, otherwise with a number.
  const { searchParams } = new URL(next);
  return { after: searchParams.get('after'), page: searchParams.get('page') };
}

/** A place in the change feed: after a cursor, before the oldest event, or now. */
export type ChangeStart = { readonly cursor: string } | { readonly from: 'beginning' } | Record<never, never>;

interface Continuation {
  readonly next_cursor: string;
  readonly has_more: boolean;
}

const waitSeconds = 30;

/**
 * Follows the change feed of either API without end. It takes what `GET` takes, and begins where the query says. Store `resume` once
 * a change is handled. A program that starts with it again misses nothing, and may get the changes of the last answer again. Ids are
 * texts.
 */
export async function* everyChange<Paths, Path extends GetPath<Paths>>(
  api: ApiClient<Paths>,
  path: Path,
  ...[options]: GetArguments<Paths, Path>
): AsyncGenerator<{ change: RowOf<GetBody<Paths, Path>>; resume: ChangeStart }, void> {
  const header = { Prefer: `wait=${waitSeconds}` };
  const { cursor, from }: { cursor?: string; from?: 'beginning' } = (options as Given | undefined)?.params?.query ?? {};
  let resume: ChangeStart = { ...(cursor && { cursor }), ...(from && { from }) };
  let query: object = {};
  for (;;) {
    const askedAt = performance.now();
    const answer = await get(api, path, options, { query, header });
    const { next_cursor, has_more } = ('meta' in answer ? answer.meta : answer) as Continuation;
    const changes = rowsIn(answer) as RowOf<GetBody<Paths, Path>>[];
    // In the middle of an answer, the place to begin anew is before it.
    for (const change of changes.slice(0, -1)) yield { change, resume };
    resume = { cursor: next_cursor };
    for (const change of changes.slice(-1)) yield { change, resume };
    query = { cursor: next_cursor, from: undefined };
    // The service answers at once where too many requests wait.
    const pauseMs = 1000 - (performance.now() - askedAt);
    if (changes.length === 0 && !has_more && pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

export type { Patience } from './retries.ts';
export type { WithTextIds } from './text_ids.ts';
export { verifyWebhook, type ReceivedHeaders, type WebhookMessage } from './verify_webhook.ts';
