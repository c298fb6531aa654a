import type { LocalDate } from '../../days/calendar/dates.ts';
import type { Holidays } from '../../days/calendar/holidays.ts';
import type { Span } from '../../days/calendar/worked_time.ts';
import { groupBy } from '../../platform/core/group_by.ts';
import type { Db } from '../../platform/db/connection.ts';
import { usersLock } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { pipeline, type PipelinedQuery, type RowsOfEach } from '../../platform/db/pipeline.ts';
import { daysOfUser } from '../../days/balance/user_days.ts';
import { isJudged, judge, type Judgement } from './judge.ts';
import { dateOfSeconds, secondsOfDate, unionOf, type Period } from './periods.ts';
import { isKnown, knownDates, periodAround } from './periods_to_read.ts';
import { storeViolations, workFacts, workFactsQuery, type ViolationChanges, type WorkFacts } from './rows.ts';
import type { JudgedUser, Violation } from './violation.ts';
import type { RecordedWork } from './working_days.ts';

/*
 * The work of users is judged in the transaction that changes it. Admins are warned about violations, and users are notified of
 * their own.
 *
 * Work that runs is judged when it starts, and only if it overlaps other work or began so long ago that it runs for too long. Its
 * breaks are not judged. When it ends, it is judged as a whole. Work that is recorded or changed by hand is always judged.
 */

/** The workspace in which a change is made. Every actor in a workspace is one. */
export interface WarningScope {
  readonly accountId: number;
  readonly workspace: { readonly id: number; readonly time_zone: string };
}

/** A change to the work of a user in a period. */
export interface WorkChange {
  readonly userId: number;
  readonly period: Period;
  /** Applies the change to the stored work, if it is not stored yet. */
  readonly edit?: (trackings: readonly RecordedWork[]) => readonly RecordedWork[];
}

/** The id of a time tracking that is not stored yet. It comes after all others that begin at the same time. */
export const unstoredId = Number.MAX_SAFE_INTEGER;

/** A range of time in which the work of a user changed. */
export interface ChangedRange extends Span {
  readonly user_id: number;
}

/**
 * Judges the work around changes in these ranges of time again, and brings the warnings up to date. A time tracking that moved
 * changes two ranges, the one it left and the one it entered.
 */
export async function refreshWarnings(
  tx: OpenTransaction,
  scope: WarningScope,
  changed: readonly ChangedRange[],
  now: Date,
): Promise<void> {
  if (changed.length === 0) return;
  const changes = merged(changed, now);
  const userIds = changes.map(({ userId }) => userId);
  const [, rows] = await pipeline(tx, [
    usersLock(tx, { accountId: scope.accountId, ids: userIds }),
    workFactsQuery(tx, readingOf(scope, changes)),
  ]);
  await judgeChanges(tx, scope, changes, rows, now);
}

/**
 * Writes what changes the work in these ranges of time and brings the warnings up to date. The writes and the look at the work go out in
 * one message. The caller has locked the users. Returns the rows of each write.
 */
export async function writeWithWarnings<const Writes extends readonly PipelinedQuery[]>(
  tx: OpenTransaction,
  scope: WarningScope,
  writes: Writes,
  changed: readonly ChangedRange[],
  now: Date,
): Promise<RowsOfEach<Writes>> {
  if (changed.length === 0) return pipeline(tx, writes);
  const changes = merged(changed, now);
  const results: unknown[][] = await pipeline(tx, [...writes, workFactsQuery(tx, readingOf(scope, changes))]);
  await judgeChanges(tx, scope, changes, results.pop() as { facts: WorkFacts }[], now);
  return results as RowsOfEach<Writes>;
}

async function judgeChanges(
  tx: OpenTransaction,
  scope: WarningScope,
  changes: readonly WorkChange[],
  rows: readonly { readonly facts: WorkFacts }[],
  now: Date,
): Promise<void> {
  const judged: ViolationChanges[] = [];
  for (const [index, change] of changes.entries())
    judged.push(await judgeChange(tx, scope, change, rows[index]!.facts, now));
  await storeViolations(tx, scope.accountId, judged, now);
}

/** The change of a time tracking. A running one lasts until now, and nothing lasts shorter than a second. */
export const changeOf = ({ user_id, starts_at, ends_at }: ChangedRange, now: Date): WorkChange => {
  const from = secondsOfDate(starts_at);
  return { userId: user_id, period: { from, to: Math.max(from + 1, secondsOfDate(ends_at ?? now)) } };
};

/** Work is read by weeks, so changes of a user that are at most a week apart are read together. */
const weekSeconds = 7 * 24 * 3600;

const merged = (ranges: readonly ChangedRange[], now: Date): WorkChange[] =>
  [...groupBy(ranges, ({ user_id }) => user_id)].flatMap(([userId, own]) => {
    const periods = own.map((range) => changeOf(range, now).period);
    return unionOf(periods.map(({ from, to }) => ({ from, to: to + weekSeconds }))).map(({ from, to }) => ({
      userId,
      period: { from, to: to - weekSeconds },
    }));
  });

/** The values of the query for the work around changes, with so many weeks more than usual. */
export const readingOf = (
  { accountId, workspace }: WarningScope,
  changes: readonly WorkChange[],
  moreWeeks = 0,
): Parameters<typeof workFacts>[1] => {
  const periods = changes.map(({ period }) => periodAround(period, workspace.time_zone, moreWeeks));
  return {
    accountId,
    workspaceId: workspace.id,
    userIds: changes.map(({ userId }) => userId),
    from: periods.map(({ from }) => dateOfSeconds(from)),
    to: periods.map(({ to }) => dateOfSeconds(to)),
  };
};

/** Judges the work around a change, of which the facts have been read. */
export async function judgeChange(
  db: Db,
  scope: WarningScope,
  change: WorkChange,
  read: WorkFacts,
  now: Date,
): Promise<ViolationChanges> {
  const { facts, trackings, judgement } = await knownWork(db, scope, change, read, now);
  const found = judge(trackings, await judgedUser(db, scope.accountId, facts), judgement);
  return comparedWithStored(facts, judgement, found);
}

/** The work around a change and the dates that can be judged. Reads more where a working day has begun earlier. */
export async function knownWork(
  db: Db,
  scope: WarningScope,
  change: WorkChange,
  read: WorkFacts,
  now: Date,
): Promise<{ facts: WorkFacts; trackings: readonly RecordedWork[]; judgement: Judgement }> {
  let facts = read;
  for (let moreWeeks = 1; ; moreWeeks *= 2) {
    const trackings = change.edit ? change.edit(facts.trackings) : facts.trackings;
    const dates = knownDates(facts.period, trackings, facts.zone);
    if (isKnown(change.period, dates, trackings, facts.zone))
      return { facts, trackings, judgement: { dates, averageOf: [], now: secondsOfDate(now) } };
    facts = (await workFacts(db, readingOf(scope, [change], moreWeeks)))[0]!.facts;
  }
}

/** The facts about the user that the rules ask for. Holidays are read only where a rule asks for them. */
export async function judgedUser(db: Db, accountId: number, facts: WorkFacts): Promise<JudgedUser> {
  const { userId, zone, birthday, startOfAccounting, absentOn, settings } = facts;
  const asksForHolidays = Object.values(settings).some((own) => own.working_time_rules.includes('sunday_work'));
  return {
    zone,
    birthday,
    startOfAccounting,
    absentOn: new Set(absentOn),
    holidays: asksForHolidays ? (await daysOfUser(db, accountId, userId)).calendar.holidays : noHolidays,
    settingsOf: (workspaceId) => settings[workspaceId]!,
  };
}

const noHolidays: Holidays = new Map<LocalDate, never>();

/** The differences between the violations that were found and those that are stored. */
export function comparedWithStored(
  { userId, stored }: WorkFacts,
  judgement: Judgement,
  found: readonly Violation[],
): ViolationChanges {
  const judged = stored.filter(({ rule, date }) => isJudged(rule, date, judgement));
  const isOfSame = (one: Violation, other: Violation): boolean => one.rule === other.rule && one.date === other.date;
  return {
    userId,
    outdated: judged.filter((old) => !found.some((violation) => isOfSame(violation, old))),
    changed: found.filter((violation) => !judged.some((old) => isOfSame(violation, old) && isEqual(violation, old))),
  };
}

const isEqual = (one: Violation, other: Violation): boolean =>
  one.timeTrackingId === other.timeTrackingId &&
  one.limitSeconds === other.limitSeconds &&
  one.paragraph === other.paragraph &&
  one.elsewhereSeconds === other.elsewhereSeconds &&
  // How long something runs changes with every second.
  (one.rule === 'long_running' || one.valueSeconds === other.valueSeconds);
