import { sql } from 'kysely';
import { addMonths, firstOfMonth, type LocalDate } from '../../days/calendar/dates.ts';
import type { Problem } from '../../platform/core/errors.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { ClosedMonths } from '../../days/balance/closed_months.ts';
import type { UserDays } from '../../days/balance/user_days.ts';

/** A month of a user that is to be closed. */
export interface MonthToClose {
  readonly days: UserDays;
  readonly month: LocalDate;
  /** The moments at which it begins and ends. Where a month is closed before it, it begins where that one ends. */
  readonly begins_at: Date;
  readonly ends_at: Date;
  /** The months of the user that are closed already. */
  readonly closed: ClosedMonths | undefined;
}

/** Of how many users a refusal says why. It names the others by their ids. */
const mostNamed = 20;

/** The problems that keep months from being closed, with the ids of their users. */
export async function obstacles(
  db: Db,
  accountId: number,
  months: readonly MonthToClose[],
  pointer: string,
  now: Date,
): Promise<Problem[]> {
  const unsettled = new Map((await unsettledRows(db, accountId, months)).map((row) => [row.user_id, row]));
  const problems = months.flatMap((toClose): Problem[] => {
    const { username, ...counts } = unsettled.get(toClose.days.userId)!;
    const reason = reasonOf(toClose, now) ?? inWords(counts);
    const month = toClose.month.slice(0, 7);
    return reason === undefined
      ? []
      : [
          {
            code: 'wrong_state',
            pointer,
            title: `${month} of ${username} cannot be closed: ${reason}.`,
            meta: { user_id: String(toClose.days.userId) },
          },
        ];
  });
  const others = problems.slice(mostNamed).map(({ meta }) => meta!.user_id!);
  if (others.length === 0) return problems;
  const title = `The month of ${others.length} more users cannot be closed.`;
  return [...problems.slice(0, mostNamed), { code: 'wrong_state', pointer, title, meta: { user_ids: others } }];
}

function reasonOf({ days, month, ends_at, closed }: MonthToClose, now: Date): string | undefined {
  const { start_of_accounting } = days.calendar;
  if (closed !== undefined && month < closed.next_date) return 'it is closed already';
  if (closed !== undefined && month > closed.next_date)
    return `months are closed in order, and ${closed.next_date.slice(0, 7)} comes first`;
  if (month < firstOfMonth(start_of_accounting)) return `accounting starts on ${start_of_accounting}`;
  if (ends_at > now) return `the month is not over in ${days.zone}`;
  return undefined;
}

interface Unsettled {
  readonly running: number;
  readonly unconfirmed: number;
  readonly pending: number;
}

const inWords = ({ running, unconfirmed, pending }: Unsettled): string | undefined => {
  const parts = [
    ...(running > 0 ? [`running time trackings: ${running}`] : []),
    ...(unconfirmed > 0 ? [`unconfirmed time trackings: ${unconfirmed}`] : []),
    ...(pending > 0 ? [`pending absences: ${pending}`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
};

/** The records of each user that are not settled yet, in all workspaces. Everything before a closed month is settled. */
async function unsettledRows(
  db: Db,
  accountId: number,
  months: readonly MonthToClose[],
): Promise<(Unsettled & { readonly user_id: number; readonly username: string })[]> {
  const { rows } = await sql<Unsettled & { user_id: number; username: string }>`
    select users.id as user_id, users.username, work.running, work.unconfirmed, (
      select count(distinct day.absence_id) from absence_days day
      join absences absence on absence.account_id = ${accountId} and absence.id = day.absence_id
      where day.account_id = ${accountId} and day.user_id = users.id and day.date >= month.open_date and day.date < month.next_date
        and absence.confirmation_status = 'pending') as pending
    from unnest(${months.map(({ days }) => days.userId)}::bigint[],
      ${months.map(({ closed }) => closed?.ends_at ?? null)}::timestamptz[], ${months.map(({ ends_at }) => ends_at)}::timestamptz[],
      ${months.map(({ closed }) => closed?.next_date ?? '0001-01-01')}::date[], ${months.map(({ month }) => addMonths(month, 1))}::date[])
      month (user_id, open_at, ends_at, open_date, next_date)
    join users on users.account_id = ${accountId} and users.id = month.user_id
    cross join lateral (
      select count(*) filter (where tracking.ends_at is null) as running,
        count(*) filter (where tracking.ends_at is not null and not tracking.confirmed) as unconfirmed
      from time_trackings tracking
      where tracking.account_id = ${accountId} and tracking.user_id = users.id and tracking.starts_at < month.ends_at
        and tracking.starts_at >= coalesce(month.open_at, '-infinity')) work`.execute(db);
  return rows;
}
