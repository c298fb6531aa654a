import createClient, { createQuerySerializer, type Client } from 'openapi-fetch';
import type { components as PublicComponents, paths as PublicPaths } from '../../generated/public.ts';
import type { components as ResourceComponents, paths as ResourcePaths } from '../../generated/v3.ts';

/** Both APIs as the contracts describe them: `GET`, `POST`, … take the path of an operation, and know its parameters and answers. */
export type ResourceApi = Client<ResourcePaths>;
export type PublicApi = Client<PublicPaths>;

/** The records and bodies of each API, by the names that the reference gives them. */
export type ResourceSchemas = ResourceComponents['schemas'];
export type PublicSchemas = PublicComponents['schemas'];

/** One problem of a refused request. */
export type Problem = ResourceSchemas['Problem'];

interface Connection {
  /** Where the service is, such as `https://time.example.com`. */
  readonly url: string;
  /** Another `fetch` than the platform's. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** The resource API. `apiKey` is needed to sign in; `token`, which that gives, for nearly everything else. */
export function resourceApi({
  url,
  token,
  apiKey,
  fetch,
}: Connection & { readonly token?: string; readonly apiKey?: string }): ResourceApi {
  return createClient<ResourcePaths>({
    baseUrl: baseOf(url, '/api/v3'),
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(apiKey === undefined ? {} : { 'Api-Key': apiKey }),
    },
    ...(fetch ? { fetch } : {}),
  });
}

/** The public API, with the token of an enterprise: sent in the query, where every operation takes it, whether or not it has a body. */
export function publicApi({ url, apiToken, fetch }: Connection & { readonly apiToken: string }): PublicApi {
  const serialize = createQuerySerializer();
  return createClient<PublicPaths>({
    baseUrl: baseOf(url, '/public_api/v1'),
    querySerializer: (query) => serialize({ ...query, api_token: apiToken }),
    ...(fetch ? { fetch } : {}),
  });
}

const baseOf = (url: string, path: string): string => url.replace(/\/+$/, '') + path;

/** A request that the service refused, with everything that was wrong about it. */
export class RefusedError extends Error {
  constructor(
    /** The HTTP status. */
    readonly status: number,
    readonly problems: readonly Problem[],
    /** Names the request in the server's logs. */
    readonly requestId: string | undefined,
  ) {
    super(problems.map(({ title }) => title).join(' ') || `The service answered with ${status}.`);
    this.name = 'RefusedError';
  }
}

/** What a call answers with, in as much detail as `answerOf` needs. */
export interface Outcome<Body> {
  readonly data?: Body;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a successful answer. Anything else is thrown as a `RefusedError`. */
export async function answerOf<Body>(call: Promise<Outcome<Body>>): Promise<Body> {
  const { data, error, response } = await call;
  if (response.ok) return data as Body;
  const { errors, meta } = (error ?? {}) as { errors?: Problem[]; meta?: { request_id?: string } };
  throw new RefusedError(response.status, errors ?? [], meta?.request_id);
}

/** Every page of a list of either API. `ask` gets the number of a page and calls the operation with it. */
export async function* everyPage<Page extends object>(
  ask: (page: number) => Promise<Outcome<Page>>,
): AsyncGenerator<Page, void> {
  for (let number = 1, pages = 1; number <= pages; number++) {
    const page = await answerOf(ask(number));
    const { total_pages } = ('meta' in page ? page.meta : page) as { total_pages?: number };
    pages = total_pages ?? 1;
    yield page;
  }
}

/** Every record of a list of the resource API, page after page. */
export async function* everyRecord<Row>(
  ask: (page: number) => Promise<Outcome<{ data: Row[]; meta: { total_pages: number } }>>,
): AsyncGenerator<Row, void> {
  for await (const { data } of everyPage(ask)) yield* data;
}
