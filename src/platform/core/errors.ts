import type { components } from '../../../generated/v3.ts';

type Schemas = components['schemas'];

/** The kinds of problems that clients tell apart. The contract describes each. */
export type ErrorCode = Schemas['ErrorCode'];

/** The bounds that a value has to keep, as clients read them. */
export type AllowedValues = Schemas['AllowedValues'];

/** One thing that is wrong with a request: its kind, the member that holds it, and a sentence that a person can act on. */
export interface Problem {
  readonly code: ErrorCode;
  readonly pointer: string;
  readonly title: string;
  readonly meta?: AllowedValues;
  /** It tells something about another account. Refusals with such a problem are counted. */
  readonly tellsOfOthers?: true;
}

/** A failure that the caller is told about. Everything else that is thrown is a bug. */
export class AppError extends Error {
  readonly status: number;
  readonly problems: readonly Problem[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, problems: readonly Problem[], headers: Record<string, string> = {}) {
    super(problems.map((problem) => problem.title).join(' '));
    this.status = status;
    this.problems = problems;
    this.headers = headers;
  }
}

const base = (code: ErrorCode, title: string): Problem[] => [{ code, pointer: 'base', title }];

export const notFound = (noun: string) => new AppError(404, base('not_found', `The ${noun} could not be found.`));

export const forbidden = () => new AppError(403, base('forbidden', 'You are not authorized to perform this action.'));

export const readOnly = () => new AppError(403, base('read_only_token', 'This api_token may only read.'));

export const unauthorized = (title = 'This operation needs a valid credential.') =>
  new AppError(401, base('unauthenticated', title));

export const sessionExpired = () =>
  new AppError(401, base('session_expired', 'This session has expired. Sign in again.'));

export const sessionRevoked = () =>
  new AppError(401, base('session_revoked', 'This session was ended. Sign in again.'));

export const wrongCredentials = () =>
  new AppError(401, base('wrong_credentials', 'The e-mail address or the password is wrong.'));

/** A request that one problem makes impossible. */
export const invalid = (code: ErrorCode, pointer: string, title: string, meta?: AllowedValues) =>
  new AppError(400, [{ code, pointer, title, ...(meta ? { meta } : {}) }]);

export const gone = (pointer: string, title: string) => new AppError(410, [{ code: 'gone', pointer, title }]);

export const tooManyRequests = (seconds: number, what: string) =>
  new AppError(429, base('rate_limited', `${what} Try again in ${seconds} seconds.`), {
    'Retry-After': String(seconds),
  });

export const unavailable = () =>
  new AppError(503, base('unavailable', 'The service is temporarily unavailable. Try again in a few seconds.'), {
    'Retry-After': '5',
  });

export const tookTooLong = () =>
  new AppError(
    503,
    base(
      'timeout',
      'The database has cancelled this request, which took too long. Ask for less at once, for example with a filter, or try again in a few seconds.',
    ),
    { 'Retry-After': '5' },
  );

/** The problem of a member that is missing. */
export const missing = (pointer: string): Problem => ({ code: 'required', pointer, title: `${pointer} is required.` });

/** The store that holds the contents of files does not answer, or refuses us. */
export const fileStoreUnavailable = (cause: Error): AppError =>
  Object.assign(
    new AppError(
      503,
      base('unavailable', 'The file store is temporarily unavailable. Nothing was stored. Try again in a few seconds.'),
      {
        'Retry-After': '5',
      },
    ),
    { cause },
  );

/** The problem of a value that must be unique, and is not. */
export const alreadyUsed = (pointer: string, value: string, what: string): Problem => ({
  code: 'taken',
  pointer,
  title: `${pointer} "${value}" is already used by another ${what}.`,
});

/** The problem of an e-mail address that a user of another account has. */
export const addressTakenElsewhere = (email: string): Problem => ({
  ...alreadyUsed('email', email, 'user'),
  tellsOfOthers: true,
});

/** The problem of a target hour that begins on the same day as another one of its user. */
export const repeatedStartDate = (day: string): Problem => ({
  code: 'taken',
  pointer: 'start_date',
  title: `start_date ${day} has to be unique. Another target hour of the user begins on that day.`,
});

/** Refuses the request with all its problems at once, or returns when there are none. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new AppError(400, problems);
}
