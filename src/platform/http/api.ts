import { Router, type RequestHandler } from 'express';
import { AppError } from '../core/errors.ts';
import { answer } from './answers/answer.ts';
import { announceDeprecation } from './answers/deprecation.ts';
import { errorHandler, methodNotAllowed } from './answers/errors.ts';
import type { ApiDefinition } from './api_definition.ts';
import { prepareBody, readJson } from './requests/body.ts';
import { checkFiles, readForm } from './requests/forms.ts';
import { takeHead } from './requests/head.ts';
import { readLenientQuery } from './requests/lenient_query.ts';
import { checkMediaType, formType, isJsonType } from './requests/media_type.ts';
import { allowed, routesOf, type Route } from './route.ts';
import { authenticate } from './security/authenticate.ts';
import { pathValidator, validate } from './validator/validator.ts';
import { warmUp } from './validator/warm_up.ts';

type ApiRouter = Router & {
  /** Compiles every operation, the ones named first, so that no request has to wait for it. */
  warmUp(first: readonly string[]): Promise<void>;
};

/** Serves one API: each operation of the contract is a route of Express. Mount it at the contract's base path. */
export function apiRouter(api: ApiDefinition): ApiRouter {
  const { contract, isLenient } = api;
  const router = Router();
  const validated: [Route, RequestHandler][] = [];
  router.use(refuseUndecodable);
  for (const [path, routes] of routesOf(contract)) {
    const validator = pathValidator(contract, path);
    const node = router.route(path.replaceAll(/\{(\w+)\}/g, ':$1'));
    for (const route of routes) {
      node[route.method](stepsOf(api, route, validator));
      validated.push([route, validator]);
    }
    node.all(refuseMethod(allowed(routes)));
  }
  router.use(refusePath);
  router.use(errorHandler(api, { namesFirstTitle: isLenient }));
  return Object.assign(router, { warmUp: (first: readonly string[]) => warmUp(contract, validated, first) });
}

/** The steps that a request for an operation goes through, in the order in which they refuse. */
function stepsOf(api: ApiDefinition, route: Route, validator: RequestHandler): RequestHandler[] {
  const { isLenient } = api;
  const [hasJson, hasForm] = [route.mediaTypes.some(isJsonType), route.mediaTypes.includes(formType)];
  const steps = [
    nameOperation(route),
    announceDeprecation(route, api.changesPage),
    route.method === 'get' && takeHead(route),
    checkMediaType(route, isLenient),
    (hasJson || isLenient) && readJson,
    isLenient && readLenientQuery(route),
    // The token may be in the form.
    hasForm && isLenient && readForm(api, 'unknown'),
    authenticate(api, route),
    hasForm && readForm(api, 'known'),
    (route.bodySchema !== undefined || isLenient) && prepareBody(route, isLenient),
    hasForm && checkFiles(route),
    validate(api.contract, route, validator),
    answer(api, route),
  ];
  return steps.filter((step) => typeof step === 'function');
}

/** Keeps the name of the operation for the figures of operators. */
const nameOperation =
  ({ id }: Route): RequestHandler =>
  (_req, res, next) => {
    res.locals['operationId'] = id;
    next();
  };

const nothingHere = () =>
  new AppError(404, [{ code: 'unknown_path', pointer: 'base', title: 'There is nothing at this address.' }]);

const refusePath: RequestHandler = () => {
  throw nothingHere();
};

const refuseUndecodable: RequestHandler = (req, _res, next) => {
  try {
    decodeURIComponent(req.path);
  } catch {
    throw nothingHere();
  }
  next();
};

const refuseMethod =
  (methods: string): RequestHandler =>
  () => {
    throw methodNotAllowed(methods);
  };
