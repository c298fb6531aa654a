import type { Request, RequestHandler, Response } from 'express';
import type { Actor } from '../core/permissions.ts';
import { wholeSeconds } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { forAccount, forNoAccount } from '../db/transactions.ts';
import { isRetryable } from '../db/violations.ts';
import { answerOf, type Answer, type Reply } from './answers/answer.ts';
import type { Api, MatchedRequest } from './definition.ts';
import type { Call, Operation, UploadedFile } from './contract.ts';
import { groupingOf } from './call_groups.ts';
import { claimIn, once } from './requests/idempotency.ts';
import { requestIdOf } from './requests/request_id.ts';
import { operationsWith, successStatuses } from './spec.ts';
import { viewOf } from './requests/view.ts';

/** A handler that does slow work, such as hashing a password, before it opens a transaction of its own. */
export const managesTransaction = <C extends Call<never, OpenTransaction>, Reply>(
  handler: (call: Omit<C, 'db'> & Pick<Call, 'db'>) => Promise<Reply>,
): ((call: C) => Promise<Reply>) => Object.assign(handler, { [ownTransaction]: true });
const ownTransaction = Symbol('ownTransaction');

type LooseHandler = ((call: Call<Operation>) => Promise<Reply | void>) & { [ownTransaction]?: boolean };

/** Calls the handler of the operation that the validator matched: there is no second routing table. */
export function dispatch(api: Api): RequestHandler {
  const statuses = successStatuses(api.contract);
  const keyed = operationsWith(api.contract, 'Idempotency-Key');
  const sparse = operationsWith(api.contract, 'fields');
  return async (req: MatchedRequest, res: Response, next) => {
    const operation = req.openapi?.schema;
    if (operation === undefined) return next();
    const { operationId } = operation;
    const handler = api.handlers[operationId] as LooseHandler;
    // What is tried again, or waits for its turn, is still of the moment at which it came.
    const asked = { now: wholeSeconds(api.clock()), view: viewOf(req.query) };
    const callWith = (db: Db) => callOf(api, req, res, { ...asked, db });
    const answerWith = (reply: Reply | void): Answer =>
      answerOf(api, req, sparse.has(operationId) ? asked.view.fields : {}, statuses.get(operationId)!, reply);
    const carryOut = async (db: Db): Promise<Answer> => answerWith(await handler(callWith(db)));
    const isWrite = req.method !== 'GET' && !handler[ownTransaction];
    const accountId = (res.locals['actor'] as Actor | null)?.accountId;
    const claim = isWrite && keyed.has(operationId) ? claimIn(req, () => callWith(api.db)) : null;
    const reply = claim === null ? await groupingOf(handler)?.(callWith(api.db)) : undefined;
    if (reply !== undefined) return send(res, answerWith(reply));
    const isFenced = isWrite || (api.fencesReads && accountId !== undefined);
    const fenced = () => inTransaction(api.db, accountId, (db) => once(db, claim, () => carryOut(db)));
    send(res, await retrying(isFenced ? fenced : () => carryOut(api.db)));
  };
}

/** One transaction for everything a write does. */
const inTransaction = <T>(
  db: Db,
  accountId: number | undefined,
  work: (tx: OpenTransaction) => Promise<T>,
): Promise<T> => (accountId === undefined ? forNoAccount(db, work) : forAccount(db, accountId, work));

/** What lost a race for locks is simply done again. */
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
  api: Api,
  req: MatchedRequest,
  res: Response,
  { db, now, view }: Pick<Call, 'db' | 'now' | 'view'>,
): Call<Operation> {
  return {
    params: req.openapi!.pathParams as never,
    query: req.query as never,
    body: req.body as never,
    files: uploadsIn(req),
    actor: res.locals['actor'] as never,
    db,
    now,
    view,
    links: api.links,
    address: req.ip ?? '',
    origin: originOf(api, req),
    addressOf: (page) => addressOf(api, req, page),
    requestId: requestIdOf(req),
    header: (name) => req.get(name),
  };
}

const originOf = (api: Api, req: Request): string => api.publicUrl ?? `${req.protocol}://${req.get('host')}`;

/** The address of another page of the same list. It repeats every parameter, since clients fetch it as it is. */
function addressOf(api: Api, req: Request, page: number): string {
  const [path, query] = req.originalUrl.split(/\?(.*)/s, 2);
  const parameters = new URLSearchParams(query);
  parameters.set('page', String(page));
  const { api_token: token } = (req.body ?? {}) as { api_token?: unknown };
  if (typeof token === 'string' && !parameters.has('api_token')) parameters.set('api_token', token);
  return `${originOf(api, req)}${path}?${parameters}`;
}

/** File names arrive as bytes that the parser reads as Latin-1; browsers send UTF-8. */
const uploadsIn = (req: Request): UploadedFile[] =>
  ((req as { files?: Express.Multer.File[] }).files ?? []).map(({ fieldname, originalname, buffer }) => ({
    field: fieldname,
    name: Buffer.from(originalname, 'latin1').toString('utf8'),
    bytes: buffer,
  }));

function send(res: Response, { status, headers, body }: Answer): void {
  res.statusCode = status;
  for (const name in headers) res.setHeader(name, headers[name]!);
  if (body === null) return void res.end();
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  // Not with send(), which answers 304 to a caller who claims to have everything already.
  res.end(body);
}
