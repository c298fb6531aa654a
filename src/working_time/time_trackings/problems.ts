import { addDays } from '../../days/calendar/dates.ts';
import type { Span } from '../../days/calendar/worked_time.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { numericId, unknownIds, type Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { localDay, localForm, maxAheadMs, startOfLocalDay } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { areaLock, memberLock } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { userZone } from '../../days/balance/user_days.ts';

/*
 * The reasons to refuse a new or changed time tracking. Each function returns the problems of one rule. For a record that the
 * input refers to there is also a query, which is undefined where there is nothing to look up.
 */

/** The query for the user whose time is recorded. It locks the user and their membership. */
export function givenMemberLock(tx: OpenTransaction, { accountId, workspace }: WorkspaceActor, ref: Id | undefined) {
  const id = ref === undefined ? undefined : numericId(ref);
  return id === undefined ? undefined : memberLock(tx, { accountId, userId: id, workspaceId: workspace.id });
}

export const unknownUser = (ref: Id, pointer: string): Problem[] =>
  unknownIds(pointer, [ref], 'user of this workspace');

/** The query for the area in which time is recorded. It locks the area. */
export function givenAreaLock(
  tx: OpenTransaction,
  { accountId, workspace }: WorkspaceActor,
  ref: Id | null | undefined,
) {
  const id = ref === undefined || ref === null ? undefined : numericId(ref);
  return id === undefined ? undefined : areaLock(tx, { accountId, workspaceId: workspace.id, id });
}

export const areaProblems = (ref: Id | null | undefined, found: readonly object[]): Problem[] =>
  ref === undefined || ref === null || found.length > 0
    ? []
    : unknownIds('area', [ref], 'active area of this workspace');

/** The query for the running time tracking of a user, other than the one with `exceptId`. */
export const runningQuery = (
  tx: OpenTransaction,
  { accountId, workspace }: WorkspaceActor,
  userId: number,
  exceptId: number | null,
) =>
  tx
    .selectFrom('time_trackings')
    .select('starts_at')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', userId)
    .where('ends_at', 'is', null)
    .where('id', 'is distinct from', exceptId);

/** A user has at most one running time tracking in a workspace. */
export const runningProblems = (
  running: readonly { readonly starts_at: Date }[],
  show: (time: Date) => string,
): Problem[] =>
  running.slice(0, 1).map(({ starts_at }) => ({
    code: 'wrong_state',
    pointer: 'ends_at',
    title: `ends_at is needed, because a time tracking of this user is already running since ${show(starts_at)}. End that one first, or give this one an end.`,
  }));

const hourMs = 3_600_000;

/** How long a time tracking may last that is recorded by hand. */
const maxLengths = {
  employee: { milliseconds: 24 * hourMs, inWords: '24 hours' },
  admin: { milliseconds: 366 * 24 * hourMs, inWords: '366 days' },
};

/** A time tracking ends after it starts: at most 24 hours later if an employee records it, and 366 days if an admin does. */
export function spanProblems(
  { starts_at, ends_at }: Span,
  recordedBy: keyof typeof maxLengths,
  show: (time: Date) => string,
): Problem[] {
  if (ends_at === null) return [];
  const problem = (title: string): Problem[] => [
    { code: 'out_of_range', pointer: 'ends_at', title: `ends_at must be ${title}, but was ${show(ends_at)}.` },
  ];
  if (ends_at <= starts_at) return problem(`after starts_at, ${show(starts_at)}`);
  const { milliseconds, inWords } = maxLengths[recordedBy];
  const isTooLong = ends_at.getTime() - starts_at.getTime() > milliseconds;
  return isTooLong ? problem(`at most ${inWords} after starts_at, ${show(starts_at)}`) : [];
}

/** Times that somebody records, by the names that point to them in the request. */
export type RecordedTimes = Readonly<Record<string, Date>>;

/** The start and the end of a span, as far as they differ from those before. A time tracking that runs has no end yet. */
export function timesIn({ starts_at, ends_at }: Span, before?: Span): RecordedTimes {
  const times = { starts_at, ...(ends_at === null ? {} : { ends_at }) };
  const isNew = ([name, time]: [string, Date]) => before?.[name as keyof Span]?.getTime() !== time.getTime();
  return Object.fromEntries(Object.entries(times).filter(isNew));
}

/** The problems of times that an employee records for themselves. */
export const limitProblems = async (
  db: Db,
  actor: WorkspaceActor,
  userId: number,
  times: RecordedTimes,
  now: Date,
): Promise<Problem[]> => [
  ...(await backdatingProblems(db, actor, userId, times, now)),
  ...futureProblems(times, now, actor.workspace.time_zone),
];

/** Employees record time at most so many local days back as the workspace allows. */
export async function backdatingProblems(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  userId: number,
  times: RecordedTimes,
  now: Date,
): Promise<Problem[]> {
  const days = workspace.max_backdating_days;
  if (days === null || Object.keys(times).length === 0) return [];
  const zone = await zoneOf(db, accountId, userId);
  const earliestDay = addDays(localDay(now, zone), -days);
  const earliest = startOfLocalDay(earliestDay, zone);
  return Object.entries(times)
    .filter(([, time]) => time < earliest)
    .map(([pointer, time]) => ({
      code: 'out_of_range',
      pointer,
      title: `${pointer} must not be before ${earliestDay}, because employees of this workspace record time at most ${days} days back, but was ${localForm(time, zone)}.`,
    }));
}

async function zoneOf(db: Db, accountId: number, userId: number): Promise<string> {
  const { zone } = await db
    .selectFrom('users')
    .select(userZone(accountId).as('zone'))
    .where('users.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  return zone;
}

/** Employees record no time that is still to come. The clock of a device may be a little ahead of ours. */
const futureProblems = (times: RecordedTimes, now: Date, zone: string): Problem[] =>
  Object.entries(times)
    .filter(([, time]) => time.getTime() > now.getTime() + maxAheadMs)
    .map(([pointer, time]) => ({
      code: 'out_of_range',
      pointer,
      title: `${pointer} must be at most 5 minutes in the future, but was ${localForm(time, zone)}.`,
    }));

/** A break that a time tracking is to have. */
export interface PlannedBreak extends Span {
  /** Leads to the break in the request. Absent for a stored break that does not change. */
  readonly pointerPrefix?: string;
}

/** A forced break duration is at most as long as the finished time tracking. */
export function customBreakProblems(
  { starts_at, ends_at }: Span,
  { seconds, isForced, pointer }: { seconds: number | null; isForced: boolean; pointer: string },
): Problem[] {
  const length = ends_at === null ? Infinity : (ends_at.getTime() - starts_at.getTime()) / 1000;
  if (!isForced || seconds === null || length <= 0 || seconds <= length) return [];
  return [
    {
      code: 'out_of_range',
      pointer,
      title: `The forced break_duration of ${seconds} seconds must not be longer than the time tracking, which has ${length} seconds.`,
    },
  ];
}

/** A manual pause is shorter than the time tracking. A running one lasts until now. */
export function manualPauseProblems(
  { starts_at, ends_at }: Span,
  { minutes, pointer }: { minutes: number | null; pointer: string },
  now: Date,
): Problem[] {
  const seconds = ((ends_at ?? now).getTime() - starts_at.getTime()) / 1000;
  if (minutes === null || seconds <= 0 || minutes * 60 < seconds) return [];
  return [
    {
      code: 'out_of_range',
      pointer,
      title: `The manual_pause of ${minutes} minutes must be shorter than the time tracking, which has ${Math.floor(seconds)} seconds.`,
    },
  ];
}

/** Each break ends after it starts, is inside the time tracking and overlaps no other. A running time tracking lasts until now. */
export function breakProblems(
  tracking: Span,
  breaks: readonly PlannedBreak[],
  now: Date,
  show: (time: Date) => string,
): Problem[] {
  return [...breaks.flatMap((pause) => problemsOfOne(tracking, pause, now, show)), ...overlapProblems(breaks, show)];
}

function problemsOfOne(
  tracking: Span,
  { starts_at, ends_at, pointerPrefix }: PlannedBreak,
  now: Date,
  show: (time: Date) => string,
): Problem[] {
  const isTooEarly = starts_at < tracking.starts_at;
  const isStartTooLate = tracking.ends_at !== null && starts_at >= tracking.ends_at;
  const isEndTooLate = ends_at !== null && ends_at > (tracking.ends_at ?? now);
  if (pointerPrefix === undefined) {
    const inWords = `the break ${ends_at === null ? `since ${show(starts_at)}` : `from ${show(starts_at)} to ${show(ends_at)}`}`;
    const outside = (pointer: string): Problem => ({
      code: 'out_of_range',
      pointer,
      title: `${pointer} would leave ${inWords} outside the time tracking. Change or remove that break too.`,
    });
    if (isTooEarly) return [outside('starts_at')];
    return tracking.ends_at !== null && (isStartTooLate || isEndTooLate) ? [outside('ends_at')] : [];
  }
  const range =
    tracking.ends_at === null
      ? `from ${show(tracking.starts_at)} until now`
      : `from ${show(tracking.starts_at)} to ${show(tracking.ends_at)}`;
  const problem = (name: string, title: string, time: Date): Problem => ({
    code: 'out_of_range',
    pointer: `${pointerPrefix}${name}`,
    title: `${name} ${title}, but was ${show(time)}.`,
  });
  if (ends_at !== null && ends_at <= starts_at)
    return [problem('ends_at', `must be after starts_at of the break, ${show(starts_at)}`, ends_at)];
  return [
    ...(isTooEarly || isStartTooLate
      ? [problem('starts_at', `must lie inside the time tracking, which is ${range}`, starts_at)]
      : []),
    ...(isEndTooLate ? [problem('ends_at', `must lie inside the time tracking, which is ${range}`, ends_at)] : []),
  ];
}

function overlapProblems(breaks: readonly PlannedBreak[], show: (time: Date) => string): Problem[] {
  const ordered = breaks
    .filter(({ starts_at, ends_at }) => ends_at === null || ends_at > starts_at)
    .sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime());
  const endOf = ({ ends_at }: Span): number => ends_at?.getTime() ?? Infinity;
  const problems: Problem[] = [];
  let longest: PlannedBreak | undefined;
  for (const pause of ordered) {
    if (longest && pause.starts_at.getTime() < endOf(longest)) {
      const [given, other] = pause.pointerPrefix === undefined ? [longest, pause] : [pause, longest];
      const inWords =
        other.ends_at === null
          ? `open since ${show(other.starts_at)}`
          : `from ${show(other.starts_at)} to ${show(other.ends_at)}`;
      const title = `starts_at ${show(given.starts_at)} begins a break that overlaps the one ${inWords}. Breaks must not overlap.`;
      problems.push({ code: 'overlap', pointer: `${given.pointerPrefix ?? ''}starts_at`, title });
    }
    if (!longest || endOf(pause) > endOf(longest)) longest = pause;
  }
  return problems;
}

/** Only a finished time tracking is confirmed. */
export const unfinishedProblems = ({ ends_at }: Span, isConfirmed: boolean): Problem[] =>
  isConfirmed && ends_at === null
    ? [
        {
          code: 'wrong_state',
          pointer: 'confirmed',
          title: 'confirmed must not be true without ends_at: only a finished time tracking can be confirmed.',
        },
      ]
    : [];
