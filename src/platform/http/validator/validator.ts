import type { RequestHandler } from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { AppError, type Problem } from '../../core/errors.ts';
import { isRequestTime } from '../../core/time.ts';
import type { Contract } from '../contract_document.ts';
import type { Route } from '../route.ts';
import { chain } from '../server/middleware_chain.ts';
import { contractPart, type ContractPart } from './contract_part.ts';
import { explainer } from './explanation.ts';

/*
 * express-openapi-validator, with an instance for each path. The library finds the path of a request by itself: it tries the
 * pattern of each path in turn, and compiles each pattern anew (pull request 1217 of the library). With one instance for a whole
 * API that takes 0.3 to 1.2 ms of CPU time per request; with an instance per path a request takes 14 to 27 µs. An instance costs
 * 70 ms when it is built, 65 ms of them because the library compiles the schema of OpenAPI, which `validateApiSpec: false` does
 * not prevent (issue 541 of the library). So instances are built at first use, and in the background after the start. All 151
 * of both APIs take 10.6 s of CPU time, their operations 2.3 s, and 26 MiB of memory. An instance per operation takes 15.0 s,
 * 2.3 s and 31 MiB. An instance for the operations of a tag takes 5.5 s, 2.4 s and 20 MiB, but up to 67 µs per request.
 * test/meta/validator_faults.test.ts fails once one of the faults is mended.
 */

/** Checks requests against one path of a contract. The library is built at the first request. */
export function pathValidator(contract: Contract, path: string): RequestHandler {
  let library: RequestHandler | undefined;
  return (req, res, next) => {
    library ??= libraryFor(contractPart(contract, path));
    return library(req, res, next);
  };
}

/** Checks the parameters and the body of a request against the contract (400). A strict request may have no unknown members. */
export function validate(contract: Contract, route: Route, validator: RequestHandler): RequestHandler {
  const explain = explainer(contract, route);
  const isRefusal = (error: unknown): boolean => (error as { status?: number } | undefined)?.status === 400;
  return (req, res, next) =>
    validator(req, res, (error?: unknown) => {
      const unknown = (res.locals['unknownMembers'] ?? []) as readonly Problem[];
      const refused = isRefusal(error) ? explain(req) : undefined;
      if (unknown.length > 0 && (error === undefined || isRefusal(error)))
        return next(new AppError(400, [...unknown, ...(refused?.problems ?? [])]));
      next(refused ?? error);
    });
}

const libraryFor = (part: ContractPart): RequestHandler =>
  chain(
    ...(OpenApiValidator.middleware({
      apiSpec: part as never,
      validateRequests: { allowUnknownQueryParameters: true, coerceTypes: false },
      validateResponses: false,
      validateApiSpec: false,
      validateSecurity: false,
      fileUploader: false,
      formats: { 'date-time': { type: 'string', validate: isRequestTime } },
      ajvFormats: { mode: 'full' },
    }) as unknown as RequestHandler[]),
  );
