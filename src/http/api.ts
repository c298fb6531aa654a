import type { RequestHandler } from 'express';
import { AppError } from '../core/errors.ts';
import { announceDeprecations } from './answers/deprecation.ts';
import { errorHandler } from './answers/errors.ts';
import type { ApiDefinition } from './api_definition.ts';
import { dispatch } from './dispatch.ts';
import { prepareBody, readJson } from './requests/body.ts';
import { normaliseMediaType, requireReadableType } from './requests/media_type.ts';
import { readLenientQuery } from './requests/lenient_query.ts';
import { requestIdOf } from './requests/request_id.ts';
import { chain } from './server/middleware_chain.ts';
import { matchedOperation } from './validator/matched_operation.ts';
import { openApiValidator, type Validator } from './validator/validator.ts';

/** Serves one API, with its contract as the router. Mount it at the contract's base path, and warm it up once it serves. */
export function apiRouter(api: ApiDefinition): RequestHandler & Pick<Validator, 'warmUp'> {
  const { match, secure, readForm, validate, warmUp } = openApiValidator(api);
  const knownFirst = chain(secure, readForm('known'));
  const formFirst = chain(readForm('unknown'), secure);
  // The public API's token may be in a form, which is then read before the caller is known. A token in the query is checked first.
  const secureAndReadForm: RequestHandler = (req, res, next) =>
    (req.query['api_token'] ? knownFirst : formFirst)(req, res, next);
  const steps = chain(
    normalisePath,
    normaliseMediaType(api.isLenient),
    // The address and the method are checked first (404, 405), then the size and type of the body, then the caller.
    match,
    announceDeprecations(api.contract, api.changesPage),
    refuseHeadOfWrite,
    requireReadableType(api.isLenient),
    readJson,
    ...(api.isLenient ? [readLenientQuery, secureAndReadForm] : [knownFirst]),
    prepareBody(api),
    validate,
    dispatch(api),
  );
  const handleError = errorHandler((req) => ({ request_id: requestIdOf(req), git_commit: api.gitCommit }), {
    namesFirstTitle: api.isLenient,
  });
  const router: RequestHandler = (req, res, next) =>
    steps(req, res, (error: unknown = nothingHere()) => void handleError(error, req, res, next));
  return Object.assign(router, { warmUp });
}

const nothingHere = () =>
  new AppError(404, [{ code: 'unknown_path', pointer: 'base', title: 'There is nothing at this address.' }]);

/** Refuses a path that cannot be decoded. The validator refuses HEAD, which is a GET without a body. */
const normalisePath: RequestHandler = (req, res, next) => {
  res.locals['isHead'] = req.method === 'HEAD';
  if (req.method === 'HEAD') req.method = 'GET';
  if (!isDecodable(req.path)) throw nothingHere();
  next();
};

/** A GET may write where the contract says so. A HEAD never does: programs send one to look. */
const refuseHeadOfWrite: RequestHandler = (req, res, next) => {
  if (res.locals['isHead'] === true && matchedOperation(req)?.operation['x-writes'] === true)
    throw new AppError(
      405,
      [{ code: 'method_not_allowed', pointer: 'base', title: 'This address does not take this method.' }],
      { Allow: 'GET' },
    );
  next();
};

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== undefined;
  } catch {
    return false;
  }
}
