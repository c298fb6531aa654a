import { plannedSeconds } from '../../planning/assignments/plan.ts';
import { addDays, dayNumberOf, earliestOf, latestOf, type DateRange } from '../../days/calendar/dates.ts';
import { dayLedgerAfter, type LedgerDay } from '../../days/calendar/day_ledger.ts';
import { invalid, notFound } from '../../platform/core/errors.ts';
import type { Names } from '../../platform/core/names.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import { dayOfIso, localDay } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { Selection } from '../../platform/db/list/list.ts';
import type { ConfirmedDay } from '../../days/balance/account_in_range.ts';
import type { ClosedDay } from '../../days/balance/period_sums.ts';
import { closedMonths } from '../../days/balance/closed_months.ts';
import { accountsWithin } from '../../days/balance/accounts_within.ts';
import { daysOfUser, type UserDays } from '../../days/balance/user_days.ts';
import { findUser, userNamed } from '../../organisation/users/users.ts';
import { lastChanges } from './last_changes.ts';

/** One day of a user. */
export interface Evaluation {
  readonly id: number;
  readonly userId: number;
  readonly zone: string;
  readonly day: LedgerDay;
  /** The seconds of the shifts that are planned for the day. */
  readonly plan: number;
  /** The absence that gives the vacation credit. */
  readonly vacationId: number | null;
  /** When something of the day was last changed; null where there is nothing. */
  readonly changedAt: Date | null;
}

/** An id is that of the user, followed by five digits: the days since 1970-01-01. */
const idsPerUser = 100_000;

const firstDay = '1970-01-01';
const lastDay = addDays(firstDay, idsPerUser - 1);

/** One evaluation. A day before the user's start of accounting has none. */
export async function findEvaluation(db: Db, actor: Actor, id: number): Promise<Evaluation> {
  const user = await userNamed(db, actor, Math.floor(id / idsPerUser));
  if (!user) throw notFound('evaluation');
  const days = await daysOfUser(db, actor.accountId, user.id);
  const date = addDays(firstDay, id % idsPerUser);
  if (date < days.calendar.start_of_accounting) throw notFound('evaluation');
  const [evaluation] = await evaluationsOf(db, actor.accountId, days, { from: date, to: date });
  return evaluation!;
}

/** From when to when: ISO times, or plain days. Both days belong to the range. Without an end it is today. */
export interface EvaluationRange {
  readonly range_start: string;
  readonly range_end?: string;
}

/** One page of the evaluations of a user, by day. */
export async function listEvaluations(
  db: Db,
  actor: Actor,
  names: Names,
  { range_start, range_end }: EvaluationRange,
  { page, items }: Selection,
  now: Date,
) {
  const user = await findUser(db, actor, names);
  const days = await daysOfUser(db, actor.accountId, user.id);
  const { zone } = days;
  const range = {
    from: dayOfIso(range_start, zone),
    to: range_end === undefined ? localDay(now, zone) : dayOfIso(range_end, zone),
  };
  if (range_end !== undefined && range.to < range.from)
    throw invalid(
      'out_of_range',
      'range_end',
      `range_end must not lie before range_start, which is ${range_start}, but was ${range_end}.`,
    );
  const from = latestOf([range.from, days.calendar.start_of_accounting, firstDay]);
  const to = earliestOf([range.to, lastDay]);
  const count = Math.max(0, dayNumberOf(to) - dayNumberOf(from) + 1);
  const first = (page - 1) * items;
  const rows =
    first < count
      ? await evaluationsOf(db, actor.accountId, days, {
          from: addDays(from, first),
          to: addDays(from, Math.min(first + items, count) - 1),
        })
      : [];
  return { rows, current_page: page, total_pages: Math.max(1, Math.ceil(count / items)) };
}

async function evaluationsOf(db: Db, accountId: number, days: UserDays, range: DateRange): Promise<Evaluation[]> {
  const { userId, zone } = days;
  const closedUntil = await closedMonths(db, accountId, [userId]);
  const accounts = await accountsWithin(
    db,
    accountId,
    { users: new Map([[userId, days]]), closed: closedUntil },
    range,
  );
  const { account, absences, closed } = accounts.get(userId)!;
  const changes = (await lastChanges(db, accountId, [days], range)).get(userId)!;
  const plan = await plannedSeconds(db, accountId, days, range);
  // Evaluations show no balance, so that it can begin anywhere.
  return dayLedgerAfter(account, range, { all: 0, confirmed: 0 }).map((day) => ({
    id: userId * idsPerUser + dayNumberOf(day.date),
    userId,
    zone,
    day,
    plan: plan.get(day.date) ?? 0,
    ...(closedDetails(closed.get(day.date)) ?? {
      vacationId: vacationOn(day, absences),
      changedAt: changes.get(day.date) ?? null,
    }),
  }));
}

const closedDetails = (day: ClosedDay | undefined) =>
  day && { vacationId: day.vacationId, changedAt: new Date(day.changedAt) };

/** The absence that gives the vacation credit of a day. Of several vacations, it is the one that takes the most of the day. */
export const vacationOn = ({ date, credits }: LedgerDay, absences: readonly ConfirmedDay[]): number | null =>
  credits.vacation > 0
    ? absences
        .filter((absence) => absence.kind === 'vacation' && absence.date === date)
        .reduce((one, other) => (other.seconds > one.seconds ? other : one)).id
    : null;
