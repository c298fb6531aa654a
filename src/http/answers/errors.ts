import type { ErrorRequestHandler, Request } from 'express';
import { AppError, unavailable, type Problem } from '../../core/errors.ts';
import { isDatabaseError, isRetryable, isUnreachable, problemBehind } from '../../db/violations.ts';
import { pointerTo } from '../requests/blank_values.ts';

/** Reason phrases in snake case, as the error bodies carry them. */
const reasons: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'content_too_large',
  415: 'unsupported_media_type',
  429: 'too_many_requests',
  500: 'internal_server_error',
  503: 'service_unavailable',
};

const titles: Readonly<Record<number, string>> = {
  400: 'The request could not be read.',
  401: 'This operation needs a valid credential.',
  404: 'There is nothing at this address.',
  405: 'This address does not take this method.',
  413: 'The body is too large. A JSON body may have 1 MiB, an uploaded file 25 MiB, and a form 20 files.',
  415: 'The media type of the body is not understood.',
};

/** What the validator throws. */
interface ValidatorError {
  readonly status?: number;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly errors?: readonly { path?: string; message: string; errorCode?: string }[];
}

/** Turns whatever was thrown into what the caller is told. */
export function toAppError(thrown: unknown, req: Request): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isUnreachable(thrown) || isRetryable(thrown)) return unavailable();
  if (isDatabaseError(thrown)) {
    const problem = problemBehind(thrown);
    return problem ? new AppError(400, [problem]) : internal();
  }
  const { status = 500, type, headers, errors } = (thrown ?? {}) as ValidatorError;
  if (type === 'entity.parse.failed')
    return new AppError(400, [{ pointer: 'base', title: 'The body is not valid JSON.' }]);
  const known = reasons[status] ? status : status >= 400 && status < 500 ? 400 : 500;
  if (known === 500) return internal();
  const problems = known === 400 ? validationProblems(errors ?? [], req) : [];
  return new AppError(
    known,
    problems.length > 0 ? problems : [{ pointer: 'base', title: titles[known] ?? 'The request is invalid.' }],
    headers ?? {},
  );
}

/** A list of ten thousand wrong ids is one mistake; the answer need not be larger than the request. */
const mostProblems = 100;

const internal = () =>
  new AppError(500, [
    { pointer: 'base', title: 'Something went wrong on our side. The request id leads to it in the logs.' },
  ]);

/** Where a union failed, its branches' own complaints are noise; where a condition failed, the condition itself is. */
function validationProblems(all: NonNullable<ValidatorError['errors']>, req: Request): Problem[] {
  const errors = all.filter((error) => !error.errorCode?.startsWith('if.'));
  const isUnion = (code = '') => /^(oneOf|anyOf)\./.test(code);
  const unions = errors.filter((error) => isUnion(error.errorCode)).map((error) => error.path ?? '');
  const kept = errors.filter(
    (error) => isUnion(error.errorCode) || !unions.some((union) => (error.path ?? '').startsWith(union)),
  );
  const messageOf = (error: (typeof errors)[number]): string => {
    // A union of forms says best what is allowed by naming them all.
    const forms = errors.filter(({ path, errorCode }) => path === error.path && errorCode?.startsWith('format.'));
    return isUnion(error.errorCode) && forms.length > 0
      ? forms.map((form) => inWords(form.message)).join(', or ')
      : inWords(error.message);
  };
  const problems = kept.slice(0, mostProblems).map((error) => problemOf(error.path ?? '', messageOf(error), req));
  return [...new Map(problems.map((problem) => [`${problem.pointer} ${problem.title}`, problem])).values()];
}

const secrets = /password|token|pin$|^api_key$/i;

function problemOf(path: string, message: string, req: Request): Problem {
  const [place = '', ...rest] = path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const pointer = place === 'body' ? pointerTo(rest) : rest.join('/') || 'base';
  const name = rest.at(-1) ?? 'The body';
  const value = valueAt(place === 'body' ? req.body : place === 'query' ? req.query : undefined, rest);
  const was = value === undefined || secrets.test(pointer) ? '' : `, but was ${shown(value)}`;
  return { pointer, title: `${name} ${message}${was}.` };
}

const valueAt = (root: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    root,
  );

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** The validator's phrases that a person would not say. */
const phrases: readonly [RegExp, string | ((message: string, ...parts: string[]) => string)][] = [
  [
    /^must be ((?:(?:string|integer|number|boolean|array|object|null),?)+)$/,
    (_message, types) => `must be ${types.split(',').map(inPlainWords).join(' or ')}`,
  ],
  [/^must have required property '.*'$/, 'is required'],
  [
    /^must match format "date-time"$/,
    'must be an ISO 8601 time with an offset, like 2026-01-30T08:00:00+01:00, of a day that exists',
  ],
  [/^must match format "date"$/, 'must be a day that exists, like 2026-01-30'],
  [/^must match format "email"$/, 'must be an e-mail address'],
  [/^must match format "uuid"$/, 'must be a UUID'],
  [/^must NOT have fewer than (\d+) characters$/, 'must have at least $1 characters'],
  [/^must NOT have more than (\d+) characters$/, 'must have at most $1 characters'],
  [/^must NOT have fewer than (\d+) items$/, 'must have at least $1 items'],
  [/^must NOT have more than (\d+) items$/, 'must have at most $1 items'],
  [/^must NOT have fewer than (\d+) properties$/, 'must have at least $1 members'],
  [/^must NOT have additional properties$/, 'must be left out, because nothing of that name is known here'],
  [/^must be >= (.+)$/, 'must be at least $1'],
  [/^must be <= (.+)$/, 'must be at most $1'],
  [/^must be > (.+)$/, 'must be more than $1'],
  [/^must be equal to one of the allowed values: ([^,]+)$/, 'must be "$1"'],
  [/^must be equal to one of the allowed values: (.+)$/, 'must be one of $1'],
  [/^must match pattern "\^#\[0-9A-Fa-f\]\{6\}\$"$/, 'must be a colour like #2196F3'],
  [
    /^must match pattern "\^\(https:.*"$/,
    'must be an https address, or a data URL with a PNG, JPEG or WebP image in base64',
  ],
  [/^must match pattern "\^\[A-Za-z\]\{2,3\}.*"$/, 'must be a language tag like de or en-GB'],
  [
    /^must match pattern "\^\[A-Za-z0-9 _\/\+-\]\+\$"$/,
    'must be a city such as Berlin or an IANA name such as Europe/Berlin',
  ],
  [/^must match exactly one schema in oneOf$/, 'has none of the shapes that are allowed here'],
  [/^must match a schema in anyOf$/, 'has none of the shapes that are allowed here'],
];

function inWords(message: string): string {
  const [pattern, words] = phrases.find(([candidate]) => candidate.test(message)) ?? [];
  return pattern ? message.replace(pattern, words as string) : message;
}

const inPlainWords = (type: string): string =>
  ({
    string: 'text',
    integer: 'a whole number',
    number: 'a number',
    boolean: 'true or false',
    array: 'a list',
    object: 'an object',
  })[type] ?? type;

/** The last word on every failure there is. */
export function errorHandler(meta: (req: Request) => object): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    if (res.headersSent) return next(thrown);
    const error = toAppError((res.locals['refusal'] as unknown) ?? thrown, req);
    // For the log of the request.
    if (error.status >= 500) res.locals['failure'] = thrown;
    if (error.status === 401) res.set('WWW-Authenticate', 'Bearer');
    const status = reasons[error.status] ?? 'bad_request';
    res
      .status(error.status)
      .set(error.headers)
      .json({
        errors: error.problems.map(({ pointer, title }) => ({ status, source: { pointer }, title })),
        meta: meta(req),
      });
  };
}
