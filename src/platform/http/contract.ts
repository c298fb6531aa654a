import type { Links } from '../core/links.ts';
import type { Actor, WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import type { QueryOptions } from './requests/query_options.ts';

/*
 * Handler types, derived from the generated `operations`. A missing handler, a handler the contract lacks, a misspelt
 * parameter and a wrong response shape are compile errors. Statuses are facts of the contract: handlers never name one.
 */

export interface Operation {
  parameters: object;
  requestBody?: unknown;
  responses: object;
}

type Member<T, K extends PropertyKey> = T extends { [P in K]?: infer V } ? V : never;
export type Parameters<O extends Operation, In extends 'path' | 'query'> = [
  NonNullable<Member<O['parameters'], In>>,
] extends [never]
  ? Record<never, never>
  : NonNullable<Member<O['parameters'], In>>;
type Content<T> = T extends { content: infer C } ? C[keyof C] : undefined;
export type RequestBody<O extends Operation> = O extends { requestBody: infer B }
  ? Content<B>
  : O extends { requestBody?: infer B }
    ? [NonNullable<B>] extends [never]
      ? undefined
      : Content<NonNullable<B>> | undefined
    : undefined;
type SuccessStatus = 200 | 201 | 204;
/** The body of a success. */
export type Success<O extends Operation> = {
  [S in keyof O['responses'] & SuccessStatus]: Content<O['responses'][S]>;
}[keyof O['responses'] & SuccessStatus];

/** The frame fills these in, so a handler does not. */
type FrameMeta = 'request_id' | 'git_commit';
type MetaOf<M> = keyof Omit<M, FrameMeta> extends never ? { meta?: never } : { meta: Omit<M, FrameMeta> };

/** The result of a handler: the contract's success body without the links and the part of `meta` that the frame adds. */
export type ResultOf<O extends Operation> =
  Success<O> extends undefined
    ? void | Headers
    : (Success<O> extends { meta: infer M } ? Omit<Success<O>, 'meta' | 'links'> & MetaOf<M> : Success<O>) & Headers;
type Headers = { headers?: Record<string, string> };

/** A file that arrived in a multipart body. */
export interface UploadedFile {
  readonly field: string;
  readonly name: string;
  readonly bytes: Buffer;
}

type ActorOf<O extends Operation> = 'workspace_id' extends keyof Parameters<O, 'path'> ? WorkspaceActor : Actor;

/** One call of an operation: everything that a handler gets to know. */
export interface Call<O extends Operation = Operation, Handle extends Db = Db> {
  readonly params: Parameters<O, 'path'>;
  readonly query: Parameters<O, 'query'>;
  readonly body: RequestBody<O>;
  readonly files: readonly UploadedFile[];
  readonly actor: ActorOf<O>;
  /** For a read, the pool. For a write, the one transaction of the request. */
  readonly db: Handle;
  readonly now: Date;
  readonly queryOptions: QueryOptions;
  readonly links: Links;
  /** The caller's network address. */
  readonly address: string;
  /** The full address of the request with other parameters beside its own. Null removes one. */
  addressWith(parameters: Readonly<Record<string, string | number | null>>): string;
  /** The request id that `meta` and the logs show. */
  readonly requestId: string;
  /** True once the client has closed the connection. */
  isAborted(): boolean;
  header(name: string): string | undefined;
}

export type Handler<O extends Operation, Handle extends Db = Db> = (call: Call<O, Handle>) => Promise<ResultOf<O>>;

/** The operations that only read: those with the method GET, unless the contract says `x-writes`. A test compares the names with the contracts. */
export type ReadId = `get${string}` | `list${string}` | `find${string}` | 'ping';

export type Handlers<Operations, Ids extends keyof Operations> = {
  [Id in Ids]: Operations[Id] extends Operation
    ? Handler<Operations[Id], Id extends ReadId ? Db : OpenTransaction>
    : never;
};

/**
 * `part` types the handlers of one noun. `complete` takes the handlers of all operations. Where one is missing, or the contract
 * lacks one, the type of its result is a sentence that names it, so that the compiler's error fits into one line. The sentences
 * end in `${string}` because the compiler would print a literal text as "string".
 */
export function contractOf<Operations, Ids extends keyof Operations & string>() {
  type All = Handlers<Operations, Ids>;
  return {
    part: <Id extends Ids>(handlers: Pick<All, Id>): Pick<All, Id> => handlers,
    complete: <Given extends Partial<All>>(handlers: Given) =>
      handlers as unknown as [Exclude<Ids, keyof Given>] extends [never]
        ? [Exclude<keyof Given, Ids>] extends [never]
          ? All
          : `${Exclude<keyof Given & string, Ids>} is not in the contract${string}`
        : `${Exclude<Ids, keyof Given>} has no handler${string}`,
  };
}
