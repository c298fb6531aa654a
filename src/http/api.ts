import { randomUUID } from 'node:crypto';
import express, { Router, type Request, type RequestHandler, type Response } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { AppError, refuse } from '../core/errors.ts';
import type { Links } from '../core/links.ts';
import { isRequestTime } from '../core/time.ts';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { isRetryable } from '../db/violations.ts';
import { nulProblems, tidy, type Schema } from './blanks.ts';
import type { Call, Operation, UploadedFile } from './contract.ts';
import { errorHandler } from './errors.ts';
import { sparse, type Resource } from './jsonapi.ts';
import { requestBodySchema, resolver, serverCopy, successStatuses, type Contract, type ContractOperation } from './spec.ts';
import { viewOf } from './view.ts';

/** All that the frame needs to serve one contract. */
export interface Api {
  readonly contract: Contract;
  readonly handlers: Readonly<Record<string, unknown>>;
  readonly db: Db;
  readonly links: Links;
  readonly gitCommit: string;
  readonly publicUrl: string | undefined;
  /** v3 wraps answers with `meta`; v1 sends bare records. */
  readonly hasMeta: boolean;
  /** v1 reads any body as JSON and numbers from text; v3 is strict. */
  readonly isLenient: boolean;
  /** Who calls, by security scheme. Null for a scheme that names a program rather than a person. */
  readonly authenticate: Readonly<Record<string, (req: MatchedRequest, operation: ContractOperation) => Promise<Actor | null>>>;
}

export type MatchedRequest = Request & {
  openapi?: { schema: ContractOperation; pathParams: Record<string, string> };
};

/** A handler that does slow work, such as hashing a password, before it opens a transaction of its own. */
export const managesTransaction = <H extends object>(handler: H): H => Object.assign(handler, { [ownTransaction]: true });
const ownTransaction = Symbol('ownTransaction');

export const requestIdOf = (req: Request): string => (req as Request & { id: string }).id;

/** A UUID that the caller sent is kept, so that both sides' logs agree. */
export const newRequestId = (req: { headers: Record<string, unknown> }): string => {
  const given = req.headers['x-request-id'];
  return typeof given === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given) ? given.toLowerCase() : randomUUID();
};

/** One API: its contract is the router. Mount it at the contract's base path. */
export function apiRouter(api: Api): Router {
  const router = Router();
  const validator = validatorSteps(api);
  router.use(normaliseRequest(api.isLenient));
  // The address and the method come first (404, 405), then the size and form of the body, then who is asking.
  router.use(...validator.match, rejectUnreadableType(api.isLenient), express.json({ limit: '1mb', type: isJson, strict: false }));
  // The public API's token may lie in a form, which is then read before it is known who sent it.
  router.use(...(api.isLenient ? [joinRepeated, ...validator.readForm, ...validator.secure] : [...validator.secure, ...validator.readForm]));
  router.use(tidyBody(api), ...validator.validate, dispatch(api));
  router.use(() => {
    throw new AppError(404, [{ pointer: 'base', title: 'There is nothing at this address.' }]);
  });
  router.use(errorHandler((req) => ({ request_id: requestIdOf(req), git_commit: api.gitCommit })));
  return router;
}

/** The validator's own middlewares, taken apart so that the body is read and tidied between its steps. */
function validatorSteps(api: Api) {
  const handlers = Object.fromEntries(
    Object.entries(api.authenticate).map(([scheme, authenticate]) => [
      scheme,
      async (req: Request) => {
        try {
          req.res!.locals['actor'] = await authenticate(req as MatchedRequest, (req as MatchedRequest).openapi!.schema);
          return true;
        } catch (error) {
          // The validator keeps only a status; the error handler wants the whole refusal.
          req.res!.locals['refusal'] = error;
          throw error;
        }
      },
    ]),
  );
  const steps = OpenApiValidator.middleware({
    apiSpec: serverCopy(api.contract) as never,
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false, allErrors: true },
    validateResponses: false,
    validateApiSpec: false,
    validateSecurity: { handlers },
    fileUploader: { limits: { fileSize: 25 * 1024 * 1024, files: api.isLenient ? 1 : 20, fieldSize: 256 * 1024, fields: 100 } },
    formats: { 'date-time': { type: 'string', validate: isRequestTime } },
    ajvFormats: { mode: 'full' },
  }) as unknown as RequestHandler[];
  const at = (name: string): number => {
    const index = steps.findIndex((step) => step.name === name);
    if (index < 0) throw new Error(`express-openapi-validator has no step ${name} any more; see where it belongs and adapt the frame.`);
    return index;
  };
  const [security, form, request] = [at('securityMiddleware'), at('multipartMiddleware'), at('requestMiddleware')];
  return { match: steps.slice(0, security), secure: steps.slice(security, form), readForm: steps.slice(form, request), validate: steps.slice(request) };
}

const jsonTypes = new Set(['application/json', 'application/vnd.api+json']);
const mediaTypeOf = (req: { headers: { 'content-type'?: string } }): string | undefined => req.headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase();
const isJson = (req: { headers: { 'content-type'?: string } }): boolean => jsonTypes.has(mediaTypeOf(req) ?? '');

/**
 * The validator compiles and keeps validators per raw Content-Type, so that every new spelling of one would cost time and
 * memory for ever: only a handful of spellings gets past this. It also refuses HEAD, which is a GET without a body.
 */
function normaliseRequest(isLenient: boolean): RequestHandler {
  return (req, _res, next) => {
    if (req.method === 'HEAD') req.method = 'GET';
    const type = mediaTypeOf(req);
    const isEmpty = !req.headers['transfer-encoding'] && !Number(req.headers['content-length'] ?? 0);
    if (type === 'multipart/form-data' && !isEmpty) return next();
    if (isEmpty) delete req.headers['content-type'];
    else if (isLenient) req.headers['content-type'] = 'application/json';
    else req.headers['content-type'] = jsonTypes.has(type ?? '') ? type : 'application/octet-stream';
    next();
  };
}

const rejectUnreadableType =
  (isLenient: boolean): RequestHandler =>
  (req, _res, next) => {
    const type = mediaTypeOf(req);
    const content = (req as MatchedRequest).openapi?.schema.requestBody?.content;
    if (type !== undefined && content && !Object.hasOwn(content, type)) {
      throw new AppError(415, [{ pointer: 'base', title: `The body must be one of ${Object.keys(content).join(', ')}.` }]);
    }
    // An operation without a body ignores one, whatever it claims to be.
    if (!content && !isLenient) delete req.headers['content-type'];
    next();
  };

/** `ids[]=1&ids[]=2` and `ids=1&ids=2` say the same as `ids=1,2`, which is what the contract describes. */
const joinRepeated: RequestHandler = (req, _res, next) => {
  const joined = Object.entries(req.query).map(([name, value]) => [
    name,
    Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join(',') : value,
  ]);
  // Express derives the query anew on every access; from here on it is this one.
  Object.defineProperty(req, 'query', { value: Object.fromEntries(joined), writable: true, configurable: true, enumerable: true });
  next();
};

/** Refuses what no column can hold, and lets blanks mean what their senders mean by them. */
function tidyBody(api: Api): RequestHandler {
  const resolve = resolver(api.contract);
  return (req, _res, next) => {
    const operation = (req as MatchedRequest).openapi?.schema;
    if (operation && req.body !== undefined) {
      const schema = requestBodySchema(operation, mediaTypeOf(req), resolve) as Schema | undefined;
      refuse(nulProblems(req.body));
      req.body = tidy(req.body, schema, { isCreate: req.method === 'POST', isLenient: api.isLenient, resolve: resolve as (reference: string) => Schema });
    }
    next();
  };
}

type LooseHandler = ((call: Call<Operation>) => Promise<Reply | void>) & { [ownTransaction]?: boolean };
interface Reply {
  data?: Resource | Resource[] | null;
  included?: Resource[];
  meta?: object;
  headers?: Record<string, string>;
}

/** Calls the handler of the operation that the validator matched: there is no second routing table. */
function dispatch(api: Api): RequestHandler {
  const statuses = successStatuses(api.contract);
  return async (req: MatchedRequest, res: Response, next) => {
    const id = req.openapi?.schema.operationId;
    if (id === undefined) return next();
    const handler = api.handlers[id] as LooseHandler;
    const call = callOf(api, req, res);
    const isWrite = req.method !== 'GET' && !handler[ownTransaction];
    const reply = isWrite ? await inTransaction(api.db, (db) => handler({ ...call, db })) : await handler(call);
    send(api, req, res.status(statuses.get(id)!), call, reply ?? undefined);
  };
}

/** One transaction for everything a write does. Where it lost a race for locks, it is simply done again. */
async function inTransaction<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work);
    } catch (error) {
      if (attempt === 3 || !isRetryable(error)) throw error;
    }
  }
}

function callOf(api: Api, req: MatchedRequest, res: Response): Call<Operation> {
  const uploads = (req as { files?: Express.Multer.File[] }).files ?? [];
  return {
    params: req.openapi!.pathParams as never,
    query: req.query as never,
    body: req.body as never,
    files: uploads.map(({ fieldname, originalname, buffer }): UploadedFile => ({
      field: fieldname,
      name: Buffer.from(originalname, 'latin1').toString('utf8'),
      bytes: buffer,
    })),
    actor: res.locals['actor'] as never,
    db: api.db,
    now: new Date(),
    view: viewOf(req.query),
    links: api.links,
    address: req.ip ?? '',
    origin: originOf(api, req),
    addressOf: (page) => addressOf(api, req, page),
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

const pagingHeaders = { current_page: 'Current-Page', page_items: 'Page-Items', total_pages: 'Total-Pages', total_count: 'Total-Count' } as const;

function send(api: Api, req: Request, res: Response, call: Call<Operation>, reply: Reply | undefined): void {
  if (reply === undefined) return void res.end();
  const { headers, ...body } = reply;
  if (headers) res.set(headers);
  if (!api.hasMeta) return void res.json(body);

  const { fields } = call.view;
  if (Object.keys(fields).length > 0) {
    if (Array.isArray(body.data)) body.data = body.data.map((record) => sparse(record, fields, true));
    else if (body.data) body.data = sparse(body.data, fields, true);
    if (body.included) body.included = body.included.map((record) => sparse(record, fields, false));
  }
  const meta: Record<string, unknown> = { request_id: requestIdOf(req), git_commit: api.gitCommit, ...body.meta };
  for (const [member, header] of Object.entries(pagingHeaders)) if (member in meta) res.set(header, String(meta[member]));
  res.json({ ...body, meta });
}
