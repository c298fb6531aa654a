import type { ErrorRequestHandler } from 'express';
import { AppError, tookTooLong, unavailable, type ErrorCode } from '../../core/errors.ts';
import type { Route } from '../route.ts';
import { sourceOf } from './problem_source.ts';
import { isCancelled, isDatabaseError, isRetryable, isUnreachable, problemBehind } from '../../db/violations.ts';
import type { ApiDefinition } from '../api_definition.ts';
import { originOf } from '../server/origin.ts';
import { requestIdOf } from '../server/request_id.ts';

/** Reason phrases in snake case, as the error bodies carry them. */
const reasons: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  410: 'gone',
  412: 'precondition_failed',
  413: 'content_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  500: 'internal_server_error',
  503: 'service_unavailable',
};

/** The errors that clients get for failures of middlewares. */
const failures: Readonly<Record<number, { readonly code: ErrorCode; readonly title: string }>> = {
  400: { code: 'malformed_request', title: 'The request could not be read.' },
  401: { code: 'unauthenticated', title: 'This operation needs a valid credential.' },
  404: { code: 'unknown_path', title: 'There is nothing at this address.' },
  405: { code: 'method_not_allowed', title: 'This address does not take this method.' },
  413: {
    code: 'payload_too_large',
    title: 'The body is too large. A JSON body may have 1 MiB, an uploaded file 25 MiB, and a form 20 files.',
  },
  415: { code: 'unsupported_media_type', title: 'The media type of the body is not understood.' },
};

/** Refuses a method. `allowed` names those that the address takes. */
export const methodNotAllowed = (allowed: string) =>
  new AppError(405, [{ pointer: 'base', ...failures[405]! }], { Allow: allowed });

const otherFailure = { code: 'malformed_request', title: 'The request is invalid.' } as const;

/** An error of a body parser or another middleware. */
interface MiddlewareError {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Record<string, string>;
}

/** Turns anything that was thrown into the response to the client. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isCancelled(thrown)) return tookTooLong();
  if (isUnreachable(thrown) || isRetryable(thrown)) return unavailable();
  if (isDatabaseError(thrown)) {
    const problem = problemBehind(thrown);
    return problem ? new AppError(400, [problem]) : internalError();
  }
  const { status = 500, type, headers } = (thrown ?? {}) as MiddlewareError;
  if (type === 'entity.parse.failed')
    return new AppError(400, [{ code: 'malformed_request', pointer: 'base', title: 'The body is not valid JSON.' }]);
  const known = reasons[status] ? status : status >= 400 && status < 500 ? 400 : 500;
  if (known === 500) return internalError();
  return new AppError(known, [{ pointer: 'base', ...(failures[known] ?? otherFailure) }], headers);
}

const internalError = () =>
  new AppError(500, [
    {
      code: 'internal_error',
      pointer: 'base',
      title: 'Something went wrong on our side. The request id leads to it in the logs.',
    },
  ]);

interface ErrorForm {
  /** Whether the first title is also a member of its own. Clients of the public API look for a text there. */
  readonly namesFirstTitle?: boolean;
}

/** Sends the error response for every failure. Each problem leads to the entry of its code in the catalogue. */
export function errorHandler(
  { publicUrl, gitCommit }: Pick<ApiDefinition, 'publicUrl' | 'gitCommit'>,
  { namesFirstTitle = false }: ErrorForm = {},
): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    if (res.headersSent) return next(thrown);
    const error = toAppError(thrown);
    // For the log of the request.
    if (error.status >= 500) res.locals['failure'] = thrown;
    if (error.status === 401) res.set('WWW-Authenticate', 'Bearer');
    const status = reasons[error.status] ?? 'bad_request';
    const catalogue = `${originOf(publicUrl, req)}/docs/v3/guides/error-codes`;
    res
      .status(error.status)
      .set(error.headers)
      .json({
        errors: error.problems.map(({ code, pointer, title, meta: allowed }) => ({
          status,
          code,
          source: sourceOf(pointer, res.locals['route'] as Route | undefined),
          title,
          links: { about: `${catalogue}#${code}` },
          ...(allowed && Object.keys(allowed).length > 0 ? { meta: allowed } : {}),
        })),
        ...(namesFirstTitle ? { response: error.problems[0]!.title } : {}),
        meta: { request_id: requestIdOf(req), git_commit: gitCommit },
      });
  };
}
