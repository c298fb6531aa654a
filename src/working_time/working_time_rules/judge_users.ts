import { addDays, utcDateOf, type LocalDate } from '../../days/calendar/dates.ts';
import { usersLock } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { pipeline } from '../../platform/db/pipeline.ts';
import { judge, type Judgement } from './judge.ts';
import { secondsOfDate } from './periods.ts';
import { knownDates } from './periods_to_read.ts';
import { averagedWeeks } from './rules.ts';
import {
  deleteEarlierWarnings,
  storeViolations,
  workFactsQuery,
  type ViolationChanges,
  type WorkFacts,
} from './rows.ts';
import { mondayOf } from './week_rules.ts';
import { comparedWithStored, judgedUser } from './warnings.ts';

/** How many weeks are judged again, with this one. */
const judgedWeeks = 24;

/** Judges the last weeks of users again, with the averages that end in them. */
export async function judgeUsers(
  tx: OpenTransaction,
  accountId: number,
  userIds: readonly number[],
  now: Date,
): Promise<void> {
  if (userIds.length === 0) return;
  const mondays = lastMondays(now, judgedWeeks);
  // A week more, because the first one may have begun with work of the week before.
  const from = addDays(mondays[0]!, -7 * (averagedWeeks + 1));
  const to = addDays(mondays.at(-1)!, 21);
  const [, rows] = await pipeline(tx, [
    usersLock(tx, { accountId, ids: userIds }),
    workFactsQuery(tx, {
      accountId,
      workspaceId: null,
      userIds,
      from: userIds.map(() => new Date(from)),
      to: userIds.map(() => new Date(to)),
    }),
  ]);
  const changes: ViolationChanges[] = [];
  for (const { facts } of rows) changes.push(await judgeWeeks(tx, accountId, facts, mondays, now));
  await deleteEarlierWarnings(tx, accountId, userIds);
  await storeViolations(tx, accountId, changes, now);
}

async function judgeWeeks(
  tx: OpenTransaction,
  accountId: number,
  facts: WorkFacts,
  mondays: readonly LocalDate[],
  now: Date,
): Promise<ViolationChanges> {
  const known = knownDates(facts.period, facts.trackings, facts.zone);
  const dates = { from: mondays[0]!, to: known.to };
  const judgement: Judgement = { dates, averageOf: mondays, now: secondsOfDate(now) };
  const found = judge(facts.trackings, await judgedUser(tx, accountId, facts), judgement);
  return comparedWithStored(facts, judgement, found);
}

/** The Mondays of the last weeks and of this one. */
const lastMondays = (now: Date, weeks: number): LocalDate[] => {
  const last = mondayOf(utcDateOf(now));
  return Array.from({ length: weeks }, (_, index) => addDays(last, -7 * (weeks - 1 - index)));
};
