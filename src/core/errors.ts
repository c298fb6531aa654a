/** One thing that is wrong with a request: the member that holds it, and a sentence that a person can act on. */
export interface Problem {
  readonly pointer: string;
  readonly title: string;
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

const base = (title: string): Problem[] => [{ pointer: 'base', title }];

export const notFound = (noun: string) => new AppError(404, base(`The ${noun} could not be found.`));

export const forbidden = (title = 'You are not authorized to perform this action.') => new AppError(403, base(title));

export const unauthorized = (title = 'This operation needs a valid credential.') => new AppError(401, base(title));

export const conflict = (pointer: string, title: string) => new AppError(409, [{ pointer, title }]);

export const invalid = (pointer: string, title: string) => new AppError(400, [{ pointer, title }]);

export const tooManyRequests = (seconds: number, what: string) =>
  new AppError(429, base(`${what} Try again in ${seconds} seconds.`), { 'Retry-After': String(seconds) });

export const unavailable = () =>
  new AppError(503, base('The service is temporarily unavailable. Try again in a few seconds.'), {
    'Retry-After': '5',
  });

export const tookTooLong = () =>
  new AppError(
    503,
    base(
      'The database has cancelled this request, which took too long. Ask for less at once, for example with a filter, or try again in a few seconds.',
    ),
    { 'Retry-After': '5' },
  );

/** The problem of a value that must be unique, and is not. */
export const alreadyUsed = (pointer: string, value: string, what: string): Problem => ({
  pointer,
  title: `${pointer} "${value}" is already used by another ${what}.`,
});

/** The problem of a target hour that begins on the same day as another one of its user. */
export const repeatedStartDate = (day: string): Problem => ({
  pointer: 'start_date',
  title: `start_date ${day} has to be unique. Another target hour of the user begins on that day.`,
});

/** Refuses the request with all its problems at once, or returns when there are none. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new AppError(400, problems);
}
