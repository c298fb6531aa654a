import { addressTakenElsewhere, alreadyUsed, repeatedStartDate, type Problem } from '../core/errors.ts';

/*
 * Errors of the database: which problem of a request is behind one, and whether the transaction may be tried again.
 */
const taken = (pointer: string, what: string) => (value: string) => alreadyUsed(pointer, value, what);

const problems: Readonly<Record<string, (value: string) => Problem>> = {
  directory_emails_pkey: addressTakenElsewhere,
  users_email: taken('email', 'user'),
  users_external_id: taken('external_id', 'user of this account'),
  workspaces_external_id: taken('external_id', 'workspace of this account'),
  areas_external_id: taken('external_id', 'area of this account'),
  areas_name: taken('name', 'active area of this workspace'),
  tags_external_id: taken('external_id', 'tag of this account'),
  tags_title: taken('title', 'tag of this workspace'),
  absences_external_id: taken('external_id', 'absence of this account'),
  absence_types_external_id: taken('external_id', 'absence type of this account'),
  time_trackings_external_id: taken('external_id', 'time tracking of this account'),
  time_trackings_running: () => ({
    code: 'wrong_state',
    pointer: 'base',
    title: 'Another time tracking of this user is already running in this workspace. End it first.',
  }),
  custom_fields_key: taken('key', 'field of this data profile'),
  target_hours_start_date: repeatedStartDate,
  public_holidays_date: taken('date', 'public holiday of this workspace'),
  wage_types_figure: () => ({
    code: 'taken',
    pointer: 'source',
    title: 'source is already used by another wage type of this workspace with the same unit.',
  }),
  memberships_identifier_pin: () => ({
    code: 'taken',
    pointer: 'identifier_pin',
    title: 'identifier_pin is already used by another user of this workspace.',
  }),
};

interface DatabaseError extends Error {
  readonly code: string;
  readonly constraint?: string;
  readonly detail?: string;
  /** The function of the server that has raised it. */
  readonly routine?: string;
}

/** Error codes are the same on both databases; their classes are not. */
export const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error &&
  typeof (error as { code?: unknown }).code === 'string' &&
  /^[0-9A-Z]{5}$/.test((error as unknown as DatabaseError).code);

/** A worker of Citus names the constraint in the message only, with the number of the shard behind it. */
const constraintOf = ({ constraint, message }: DatabaseError): string | undefined =>
  constraint ?? /constraint "(.+?)(?:_\d+)?"$/.exec(message)?.[1];

/** The problem of the request that made the database refuse it, or undefined where the fault is ours. */
export function problemBehind(error: DatabaseError): Problem | undefined {
  const constraint = constraintOf(error);
  if (error.code === '23505' && constraint && Object.hasOwn(problems, constraint))
    return problems[constraint]!(lastKeyValue(error.detail ?? ''));
  if (error.code === '23514' && constraint === 'users_anonymised')
    return { code: 'wrong_state', pointer: 'base', title: 'The user was anonymised and cannot be changed any more.' };
  if (error.code === closedMonth) return closedMonthProblem(error.detail!);
  if (error.code === '23503')
    return {
      code: 'unknown_reference',
      pointer: 'base',
      title: 'The request refers to a record that has just been removed.',
    };
  // Data exceptions: the contract allows the value, and its column cannot hold it.
  if (error.code.startsWith('22'))
    return { code: 'out_of_range', pointer: 'base', title: 'A value of the request is outside what can be stored.' };
  return undefined;
}

/** Our own code for a write that would change a closed month: see refuse_closed in the schema. */
const closedMonth = 'PC001';

const closedMonthProblem = (detail: string): Problem => {
  const { month, user_id, id } = JSON.parse(detail) as { month: string; user_id: number; id: number };
  return {
    code: 'closed_period',
    pointer: 'base',
    title: `${month} of user ${user_id} is closed (accounting period ${id}). Enter a correction in an open month, or reopen it.`,
  };
};

/** `Key (account_id, external_id)=(1, abc) already exists.` → `abc` */
const lastKeyValue = (detail: string): string => /\)=\((?:\d+, )*(.*)\) already exists/s.exec(detail)?.[1] ?? '';

/** The transaction lost against another one, or had an outdated plan or map of the shards, and may be tried again. */
export const isRetryable = (error: unknown): boolean =>
  isDatabaseError(error) && (['40001', '40P01'].includes(error.code) || isOutdatedPlan(error) || isOutdatedMap(error));

/** Citus has replaced the shard since the statement looked it up. It has no code of its own for this. */
const isOutdatedMap = ({ code, routine }: DatabaseError): boolean =>
  code === 'XX000' && routine === 'LookupShardRelationFromCatalog';

/** A table has changed since the statement was planned, and with it the columns of its result. */
export const isOutdatedPlan = (error: unknown): boolean =>
  isDatabaseError(error) && error.code === '0A000' && /cached plan/.test(String(error));

/** The database has cancelled the statement: it has taken too long, or an operator has asked for it. */
export const isCancelled = (error: unknown): boolean => isDatabaseError(error) && error.code === '57014';

/** The database cannot be reached, is going away, takes no writes (25006), or has cancelled the statement (57014). */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: string };
  if (
    code &&
    (/^(08|53|57P0|25006|57014)/.test(code) ||
      ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'].includes(code))
  )
    return true;
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/i.test(
    error.message,
  );
}
