import type { DateRange, LocalDate } from '../calendar/dates.ts';
import type { TimeAccount, TimeAccountEntry } from '../calendar/day_ledger.ts';
import { groupWorkByDate } from '../calendar/work_of_day.ts';
import { groupBy } from '../../platform/core/group_by.ts';
import type { Db } from '../../platform/db/connection.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import type { ConfirmedDay, DaysOfAccount } from './account_in_range.ts';
import { closedDays, openWork, type AccountedUsers } from './closed_months.ts';
import { finishedWork } from './finished_work.ts';
import { forEachUser } from './for_each_user.ts';

/** The time account of each user, as far as the days of a range depend on it. It tells nothing of balances. */
export async function accountsWithin(
  db: Db,
  accountId: number,
  { users, closed }: AccountedUsers,
  range: DateRange,
): Promise<ReadonlyMap<number, DaysOfAccount>> {
  const userIds = [...users.keys()];
  const work = groupBy(await finishedWork(db, accountId, userIds, range), ({ userId }) => userId);
  const closedByUser = await closedDays(db, accountId, closed, range);
  const absences = groupBy(await confirmedDays(db, accountId, userIds, range), ({ user_id }) => user_id);
  const entries = groupBy(await entryRows(db, accountId, userIds, range), ({ user_id }) => user_id);
  return forEachUser(users, (days, id) => {
    const ownClosed = closedByUser.get(id) ?? new Map();
    const own = {
      work: openWork(work.get(id) ?? [], days.zone, closed.get(id)),
      absences: (absences.get(id) ?? []).filter(({ date }) => !ownClosed.has(date)),
    };
    const account: TimeAccount = {
      calendar: days.calendar,
      initialBalance: days.initialSeconds,
      work: groupWorkByDate(own.work, ({ date }) => date),
      absences: groupBy(own.absences, ({ date }) => date),
      entries: groupBy(entries.get(id) ?? [], ({ date }) => date),
      closed: ownClosed,
    };
    return { ...own, days, account, closed: ownClosed };
  });
}

const confirmedDays = (
  db: Db,
  accountId: number,
  userIds: readonly number[],
  { from, to }: DateRange,
): Promise<ConfirmedDay[]> =>
  db
    .selectFrom('absence_days as day')
    .innerJoin('absences as absence', (join) =>
      join.on('absence.account_id', '=', accountId).onRef('absence.id', '=', 'day.absence_id'),
    )
    .innerJoin('absence_types as type', (join) =>
      join.on('type.account_id', '=', accountId).onRef('type.id', '=', 'absence.absence_type_id'),
    )
    .select([
      'absence.id',
      'day.user_id',
      'absence.absence_type_id',
      'type.kind',
      'day.date',
      'day.seconds',
      'day.parts',
    ])
    .where('day.account_id', '=', accountId)
    .where(isAnyOf('day.user_id', userIds))
    .where('day.date', '>=', from)
    .where('day.date', '<=', to)
    .where('absence.confirmation_status', '=', 'confirmed')
    .orderBy('day.date')
    .orderBy('absence.id')
    .$castTo<ConfirmedDay>()
    .execute();

const entryRows = (db: Db, accountId: number, userIds: readonly number[], { from, to }: DateRange) =>
  db
    .selectFrom('time_account_entries')
    .select(['user_id', 'date', 'kind', 'seconds'])
    .where('account_id', '=', accountId)
    .where(isAnyOf('user_id', userIds))
    .where('date', '>=', from)
    .where('date', '<=', to)
    .orderBy('id')
    .$castTo<TimeAccountEntry & { readonly user_id: number; readonly date: LocalDate }>()
    .execute();
