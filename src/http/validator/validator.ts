import type { Request, RequestHandler } from 'express';
import { isRequestTime } from '../../core/time.ts';
import type { ApiDefinition, Authenticate } from '../api_definition.ts';
import { chain } from '../server/middleware_chain.ts';
import { validatorCopy } from './contract_copy.ts';
import { formChecker, formLimits, formReader } from './forms.ts';
import { libraryMiddlewares } from './library.ts';
import { matchedOperation } from './matched_operation.ts';
import { validationErrors } from './problems.ts';
import { cachedRoutes } from './routes.ts';
import { warmUp } from './warm_up.ts';

/*
 * express-openapi-validator, taken apart into the steps below, so that the frame can read and normalise the body between
 * them. No file outside this folder imports the library or reads what it attaches to a request.
 */

export interface Validator {
  /** Finds the operation (404, 405). `matchedOperation` then returns it. */
  readonly match: RequestHandler;
  /** Finds out who is calling, and keeps the actor in `res.locals` (401, and whatever `authenticate` throws). */
  readonly secure: RequestHandler;
  /** Reads a form into `req.body` and `req.files`. Other bodies pass. Unknown senders get less memory. */
  readForm(sender: 'known' | 'unknown'): RequestHandler;
  /** Checks parameters and body against the contract (400). */
  readonly validate: RequestHandler;
  /** Compiles every operation, the ones named first, so that no request has to wait for it. */
  warmUp(first: readonly string[]): Promise<void>;
}

type ValidatedApi = Pick<ApiDefinition, 'contract' | 'isLenient' | 'uploadMemory' | 'authenticate'>;

/** The steps that check requests against the contract of an API. */
export function openApiValidator(api: ValidatedApi): Validator {
  const { contract, isLenient, authenticate } = api;
  const { handlers, restoreErrors } = securityHandlers(authenticate);
  const library = libraryMiddlewares({
    apiSpec: validatorCopy(contract) as never,
    validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false, allErrors: true },
    validateResponses: false,
    validateApiSpec: false,
    validateSecurity: { handlers },
    fileUploader: { limits: { fileSize: 25 * 1024 * 1024, files: isLenient ? 1 : 20, ...formLimits } },
    formats: { 'date-time': { type: 'string', validate: isRequestTime } },
    ajvFormats: { mode: 'full' },
  });
  const { matching, security, form, request } = partsOf(library);
  const match = cachedRoutes(contract, matching);
  return {
    match,
    secure: restoreErrors(security),
    readForm: (sender) => formReader(form, api, sender),
    validate: validationErrors(contract, chain(formChecker(contract), request)),
    warmUp: (first) => warmUp(contract, [match, request], first),
  };
}

/** The library's middlewares by what they do. They come as a list, in which only the functions' names tell them apart. */
function partsOf(middlewares: readonly RequestHandler[]) {
  const positionOf = (name: string): number => {
    const position = middlewares.findIndex((middleware) => middleware.name === name);
    if (position < 0)
      throw new Error(`express-openapi-validator has no ${name} any more. Adapt src/http/validator/validator.ts.`);
    return position;
  };
  const security = positionOf('securityMiddleware');
  const form = positionOf('multipartMiddleware');
  const request = positionOf('requestMiddleware');
  return {
    matching: chain(...middlewares.slice(0, security)),
    security: chain(...middlewares.slice(security, form)),
    form: chain(...middlewares.slice(form, request)),
    request: chain(...middlewares.slice(request)),
  };
}

/**
 * Authentication as the library calls it. The library keeps only the status of an error that a scheme throws, so the error
 * itself is kept here and passed on instead. Where a second scheme lets the caller in, there is no error to pass on.
 */
function securityHandlers(authenticate: Readonly<Record<string, Authenticate>>) {
  const errors = new WeakMap<Request, unknown>();
  const handlerOf = (scheme: Authenticate) => async (req: Request) => {
    try {
      req.res!.locals['actor'] = await scheme(req, matchedOperation(req)!);
      return true;
    } catch (error) {
      errors.set(req, error);
      throw error;
    }
  };
  return {
    handlers: Object.fromEntries(
      Object.entries(authenticate).map(([name, scheme]) => [name, handlerOf(scheme)] as const),
    ),
    restoreErrors:
      (security: RequestHandler): RequestHandler =>
      (req, res, next) =>
        security(req, res, (error?: unknown) => next(error === undefined ? undefined : (errors.get(req) ?? error))),
  };
}
