import { Router, type RequestHandler } from 'express';
import { AppError, type AllowedValues } from '../core/errors.ts';
import { nearest } from '../core/known_names.ts';
import { answer } from './answers/answer.ts';
import { announceDeprecation } from './answers/deprecation.ts';
import { errorHandler, methodNotAllowed } from './answers/errors.ts';
import type { ApiDefinition } from './api_definition.ts';
import { prepareBody, readJson } from './requests/body.ts';
import { checkFiles, readForm } from './requests/forms.ts';
import { takeHead } from './requests/head.ts';
import { readLenientQuery } from './requests/lenient_query.ts';
import { checkMediaType, formType, isJsonType } from './requests/media_type.ts';
import type { Contract } from './contract_document.ts';
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
  router.use(refusePath(contract));
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

/** Keeps the operation, for errors and for the figures of operators. */
const nameOperation =
  (route: Route): RequestHandler =>
  (_req, res, next) => {
    res.locals['route'] = route;
    res.locals['operationId'] = route.id;
    next();
  };

const nothingHere = (meta: AllowedValues = {}) =>
  new AppError(404, [{ code: 'unknown_path', pointer: 'base', title: 'There is nothing at this address.', meta }]);

/** Refuses an unknown path, and names the known one that is most like it. */
function refusePath({ paths, servers }: Contract): RequestHandler {
  const known = Object.keys(paths).map((path) => ({ path, names: path.split('/') }));
  return (req) => {
    const given = req.path.replace(/\/$/, '').split('/');
    // What stands in the place of an id counts as right.
    const filled = known.map(({ path, names }) => ({
      path,
      like: names.map((name, index) => (name.startsWith('{') ? (given[index] ?? name) : name)).join('/'),
    }));
    const like = nearest(given.join('/'), filled.map(({ like }) => like)); // prettier-ignore
    const path = filled.find((one) => one.like === like)?.path;
    throw nothingHere(path === undefined ? {} : { did_you_mean: servers[0]!.url + path });
  };
}

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
