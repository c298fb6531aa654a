import type { Request, RequestHandler, Response } from 'express';
import type { Actor } from '../core/permissions.ts';
import { wholeSeconds } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { readWith } from '../db/readers/readers.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { forAccount, forNoAccount } from '../db/transactions.ts';
import { isRetryable } from '../db/violations.ts';
import { prepareResponse, type HandlerResult, type PreparedResponse } from './answers/response.ts';
import type { ApiDefinition, MatchedOperation } from './api_definition.ts';
import type { Call, Operation, UploadedFile } from './contract.ts';
import { operationsWith, successStatuses, taggedOperations } from './contract_document.ts';
import { keyedRequest, onceForKey } from './requests/idempotency.ts';
import { matchRequirements } from './requests/if_match.ts';
import { requestIdOf } from './requests/request_id.ts';
import { handlingOf, withRefused } from './requests/strictness.ts';
import { viewOf } from './requests/view.ts';
import { matchedOperation } from './validator/matched_operation.ts';

/** Marks a handler that does slow work, such as hashing a password or waiting, and opens transactions of its own. */
export const managesTransaction = <C extends Call<never>, Result>(
  handler: (call: Omit<C, 'db'> & Pick<Call, 'db'>) => Promise<Result>,
): ((call: C) => Promise<Result>) => Object.assign(handler, { [ownTransaction]: true });
const ownTransaction = Symbol('ownTransaction');

/** Makes a handler whose slow work, such as a look-up in the network, is done before the transaction opens: it holds no connection. */
export const afterPreparing = <C extends Call<never>, Prepared, Result>(
  prepare: (call: Omit<C, 'db'>) => Promise<Prepared>,
  handle: (call: C, prepared: Prepared) => Promise<Result>,
): ((call: C) => Promise<Result>) =>
  Object.assign(async (call: C) => handle(call, await prepare(call)), {
    [preparation]: async (asked: C) => {
      const prepared = await prepare(asked);
      return (call: C) => handle(call, prepared);
    },
  });
const preparation = Symbol('preparation');

type Handle = (call: Call<Operation>) => Promise<HandlerResult | void>;

type LooseHandler = Handle & {
  [ownTransaction]?: boolean;
  [preparation]?: (asked: Call<Operation>) => Promise<Handle>;
};

/** Calls the handler of the operation that the validator matched. There is no second routing table. */
export function dispatch(api: ApiDefinition): RequestHandler {
  const statuses = successStatuses(api.contract);
  const keyed = operationsWith(api.contract, 'Idempotency-Key');
  const sparse = operationsWith(api.contract, 'fields');
  const tagged = taggedOperations(api.contract);
  const handlingFor = handlingOf(api.contract);
  const requirements = matchRequirements(api.contract, api.handlers);
  return async (req: Request, res: Response, next) => {
    const matched = matchedOperation(req);
    if (matched === undefined) return next();
    const { operationId } = matched.operation;
    const handler = api.handlers[operationId] as LooseHandler;
    const handling = handlingFor(req, operationId);
    // A call that is retried keeps the time at which it arrived.
    const asked = { now: wholeSeconds(api.clock()), view: { ...viewOf(req.query), isStrict: handling.isStrict } };
    const callWith = (db: Db) => callOf(api, req, res, matched, { ...asked, db });
    const responseOf = (result: HandlerResult | void): PreparedResponse =>
      prepareResponse(api, req, result, {
        status: statuses.get(operationId)!,
        fields: sparse.has(operationId) ? asked.view.fields : {},
        isTagged: tagged.has(operationId),
        handling,
      });
    const accountId = (res.locals['actor'] as Actor | null)?.accountId;
    const accountDb = api.dbFor(accountId);
    const prepared = (await handler[preparation]?.(callWith(accountDb))) ?? handler;
    const handle = async (db: Db): Promise<PreparedResponse> =>
      responseOf(await withRefused(handling.refused, () => prepared(callWith(db))));
    const ifMatch = req.get('If-Match');
    const requireMatch = ifMatch === undefined ? undefined : requirements.get(operationId);
    const handleIfMatching = async (tx: OpenTransaction): Promise<PreparedResponse> => {
      await requireMatch?.(tx, callWith(tx), ifMatch!);
      return handle(tx);
    };
    const isInTransaction = !handler[ownTransaction];
    const isWrite = isInTransaction && (req.method !== 'GET' || matched.operation['x-writes'] === true);
    const keyedBy = isWrite && keyed.has(operationId) ? keyedRequest(req, () => callWith(accountDb)) : null;
    const needsTransaction = isWrite || (isInTransaction && api.securesReads && accountId !== undefined);
    const respondFrom = (db: Db) =>
      retrying(() =>
        needsTransaction
          ? inTransaction(db, accountId, (tx) => onceForKey(tx, keyedBy, () => handleIfMatching(tx)))
          : handle(db),
      );
    const isForReaders = isInTransaction && !isWrite && matched.operation['x-reads-primary'] !== true;
    const reader = isForReaders && accountId !== undefined ? await api.readers?.dbFor(accountId) : undefined;
    send(res, await readWith(reader, accountDb, respondFrom));
  };
}

/** Everything that a write does happens in one transaction. */
const inTransaction = <T>(
  db: Db,
  accountId: number | undefined,
  work: (tx: OpenTransaction) => Promise<T>,
): Promise<T> => (accountId === undefined ? forNoAccount(db, work) : forAccount(db, accountId, work));

/** Retries work that lost a race for locks. */
async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 3 || !isRetryable(error)) throw error;
    }
  }
}

function callOf(
  api: ApiDefinition,
  req: Request,
  res: Response,
  { pathParameters }: MatchedOperation,
  { db, now, view }: Pick<Call, 'db' | 'now' | 'view'>,
): Call<Operation> {
  const requestId = requestIdOf(req);
  const actor = res.locals['actor'] as Actor | null;
  return {
    params: pathParameters as never,
    query: req.query as never,
    body: req.body as never,
    files: uploadsIn(req),
    actor: (actor && { ...actor, requestId }) as never,
    db,
    now,
    view,
    readers: api.readers,
    links: api.links,
    address: req.ip ?? '',
    origin: originOf(api, req),
    addressOf: (page) => addressOf(api, req, page),
    requestId,
    isAborted: () => res.destroyed,
    header: (name) => req.get(name),
  };
}

const originOf = (api: ApiDefinition, req: Request): string => api.publicUrl ?? `${req.protocol}://${req.get('host')}`;

/** The address of another page of the same list, with every parameter: clients fetch it unchanged. */
function addressOf(api: ApiDefinition, req: Request, page: number): string {
  const [path, query] = req.originalUrl.split(/\?(.*)/s, 2);
  const parameters = new URLSearchParams(query);
  // Parameters may also be in the body.
  for (const [name, value] of Object.entries(req.query))
    if (!parameters.has(name) && !parameters.has(`${name}[]`)) parameters.set(name, String(value));
  parameters.set('page', String(page));
  return `${originOf(api, req)}${path}?${parameters}`;
}

/** Browsers send file names in UTF-8, which the parser reads as Latin-1. */
const uploadsIn = (req: Request): UploadedFile[] =>
  ((req as { files?: Express.Multer.File[] }).files ?? []).map(({ fieldname, originalname, buffer }) => ({
    field: fieldname,
    name: Buffer.from(originalname, 'latin1').toString('utf8'),
    bytes: buffer,
  }));

function send(res: Response, { status, headers, body }: PreparedResponse): void {
  res.statusCode = status;
  for (const name in headers) res.setHeader(name, headers[name]!);
  if (body === null) return void res.end();
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  // Not res.send(), which answers 304 to conditional requests.
  res.end(body);
}
