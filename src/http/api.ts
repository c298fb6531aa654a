import express, { type Request, type RequestHandler } from 'express';
import { AppError, invalid, refuse } from '../core/errors.ts';
import { isRequestTime } from '../core/time.ts';
import { deepest, isTooDeep, nulProblems, tidy, type Schema } from './requests/blank_values.ts';
import type { Api, MatchedRequest } from './definition.ts';
import { dispatch } from './dispatch.ts';
import { errorHandler } from './answers/errors.ts';
import { formLimits, withForms } from './validator/forms.ts';
import { inOrder } from './server/in_order.ts';
import { requestIdOf } from './requests/request_id.ts';
import { rememberingRoutes } from './validator/routes.ts';
import { operationsOf, requestBodySchema, resolver, serverCopy } from './spec.ts';
import { validatorMiddlewares } from './validator/middlewares.ts';
import { warmUp } from './validator/warm_up.ts';

/** One API: its contract is the router. Mount it at the contract's base path, and warm it up once it serves. */
export function apiRouter(api: Api): RequestHandler & { warmUp(first: readonly string[]): Promise<void> } {
  const validator = validatorSteps(api);
  const steps = inOrder(
    normaliseRequest(api.isLenient),
    // The address and the method come first (404, 405), then the size and form of the body, then who is asking.
    validator.match,
    rejectUnreadableType(api.isLenient),
    express.json({ limit: '1mb', type: isJson, strict: false }),
    // The public API's token may lie in a form, which is then read before it is known who sent it.
    ...(api.isLenient
      ? [tidyQuery, ...validator.readForm, ...validator.secure]
      : [...validator.secure, ...validator.readForm]),
    tidyBody(api),
    ...validator.validate,
    dispatch(api),
  );
  const refuseWith = errorHandler((req) => ({ request_id: requestIdOf(req), git_commit: api.gitCommit }));
  const router: RequestHandler = (req, res, next) =>
    steps(req, res, (error: unknown = nothingHere()) => void refuseWith(error, req, res, next));
  return Object.assign(router, {
    warmUp: (first: readonly string[]) => warmUp(api.contract, validator.compiling, first),
  });
}

const nothingHere = () => new AppError(404, [{ pointer: 'base', title: 'There is nothing at this address.' }]);

/** Whether a path's percent signs spell characters. */
function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== undefined;
  } catch {
    return false;
  }
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
  const own = validatorMiddlewares({
    apiSpec: serverCopy(api.contract) as never,
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false, allErrors: true },
    validateResponses: false,
    validateApiSpec: false,
    validateSecurity: { handlers },
    fileUploader: { limits: { fileSize: 25 * 1024 * 1024, files: api.isLenient ? 1 : 20, ...formLimits } },
    formats: { 'date-time': { type: 'string', validate: isRequestTime } },
    ajvFormats: { mode: 'full' },
  });
  const steps = withForms(own, api.contract, api.uploads);
  const at = (name: string): number => {
    const index = steps.findIndex((step) => step.name === name);
    if (index < 0)
      throw new Error(
        `express-openapi-validator has no step ${name} any more; see where it belongs and adapt the frame.`,
      );
    return index;
  };
  const [security, form, request] = ['securityMiddleware', 'multipartMiddleware', 'requestMiddleware'].map(at) as [
    number,
    number,
    number,
  ];
  const match = rememberingRoutes(api.contract, inOrder(...steps.slice(0, security)));
  return {
    compiling: [match, steps[request]!],
    match,
    secure: [...steps.slice(security, form), forgetRefusal],
    readForm: steps.slice(form, request),
    validate: steps.slice(request),
  };
}

/** Where one of two schemes let the caller in, the other's refusal is no longer of interest. */
const forgetRefusal: RequestHandler = (_req, res, next) => {
  // Not deleted, which would make every later look at what is kept there slow.
  res.locals['refusal'] = undefined;
  next();
};

const jsonTypes = new Set(['application/json', 'application/vnd.api+json']);
const mediaTypeOf = (req: { headers: { 'content-type'?: string } }): string | undefined =>
  req.headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase();
const isJson = (req: { headers: { 'content-type'?: string } }): boolean => jsonTypes.has(mediaTypeOf(req) ?? '');

/**
 * The validator compiles and keeps validators per raw Content-Type, so that every new spelling of one would cost time and
 * memory for ever: only a handful of spellings gets past this. It also refuses HEAD, which is a GET without a body.
 */
function normaliseRequest(isLenient: boolean): RequestHandler {
  return (req, _res, next) => {
    if (req.method === 'HEAD') req.method = 'GET';
    if (!isReadable(req.path)) throw nothingHere();
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
    // A body that is missing is one without members: the contract then says which ones it wants.
    const expected = Object.keys(content ?? {}).find((name) => jsonTypes.has(name));
    if (type === undefined && expected !== undefined && (req as MatchedRequest).openapi?.schema.requestBody?.required) {
      req.headers['content-type'] = expected;
      req.body = {};
    }
    if (type !== undefined && content && !Object.hasOwn(content, type)) {
      throw new AppError(415, [
        { pointer: 'base', title: `The body must be one of ${Object.keys(content).join(', ')}.` },
      ]);
    }
    // An operation without a body ignores one, whatever it claims to be.
    if (!content && !isLenient) delete req.headers['content-type'];
    next();
  };

/**
 * Reads a query as its sender meant it: `ids[]=1&ids[]=2` and `ids=1&ids=2` say the same as `ids=1,2`, and a blank in a time is
 * the `+` of its offset, which the sender did not encode.
 */
const tidyQuery: RequestHandler = (req, _res, next) => {
  const meant = (value: unknown): unknown => {
    if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',');
    return typeof value === 'string' ? value.replace(/^(\d{4}-\d{2}-\d{2}T[\d:.]+) (\d{2}:?\d{2})$/i, '$1+$2') : value;
  };
  const query = Object.fromEntries(Object.entries(req.query).map(([name, value]) => [name, meant(value)]));
  // Express derives the query anew on every access; from here on it is this one.
  Object.defineProperty(req, 'query', { value: query, writable: true, configurable: true, enumerable: true });
  next();
};

/** Refuses what no column can hold, and lets blanks mean what their senders mean by them. */
function tidyBody(api: Api): RequestHandler {
  const resolve = resolver(api.contract);
  // Not those of the request: the validator rewrites its copy of the contract, in which any time may then be null.
  const operations = new Map(operationsOf(api.contract).map(({ operation }) => [operation.operationId, operation]));
  return (req, _res, next) => {
    const operation = operations.get((req as MatchedRequest).openapi?.schema.operationId ?? '');
    if (operation?.requestBody?.required && mediaTypeOf(req) === undefined)
      throw invalid('base', 'The request needs a body.');
    if (operation && req.body !== undefined) {
      const schema = requestBodySchema(operation, mediaTypeOf(req), resolve) as Schema | undefined;
      if (isTooDeep(req.body)) throw invalid('base', `The body is nested more than ${deepest} levels deep.`);
      refuse(nulProblems(req.body));
      req.body = tidy(req.body, schema, {
        isCreate: req.method === 'POST',
        isLenient: api.isLenient,
        resolve: resolve as (reference: string) => Schema,
      });
    }
    next();
  };
}
