import type { Compilable } from 'kysely';
import { groupBy } from '../core/group_by.ts';
import type { Span } from '../calendar/worked_time.ts';
import { lockUsers } from '../db/locks.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { pipeline } from '../db/pipeline.ts';
import { judgeChange, readingOf, type ViolationChanges, type WarningScope, type WorkChange } from './judged_work.ts';
import { secondsOfDate, unionOf } from './periods.ts';
import { storeViolations } from './store_violations.ts';
import { workFacts, type WorkFacts } from './work_facts.ts';

/*
 * The work of users is judged in the transaction that changes it. Admins are warned about violations, and users are notified of
 * their own.
 */

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
    lockUsers.query(tx, { accountId: scope.accountId, ids: userIds }),
    workFacts.query(tx, readingOf(scope, changes)),
  ]);
  await judgeChanges(tx, scope, changes, rows, now);
}

/**
 * Writes a time tracking in a range of time and brings the warnings up to date, with one message to the database less than
 * one after the other. The caller has locked the user.
 */
export async function writeWithWarnings(
  tx: OpenTransaction,
  scope: WarningScope,
  write: Compilable<{ id: number }>,
  changed: ChangedRange,
  now: Date,
): Promise<number> {
  const changes = merged([changed], now);
  const [[written], rows] = await pipeline(tx, [write, workFacts.query(tx, readingOf(scope, changes))]);
  await judgeChanges(tx, scope, changes, rows, now);
  return written!.id;
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
