import { sql } from 'kysely';
import { addDays, type DateRange, type LocalDate } from '../../days/calendar/dates.ts';
import { localDateOf } from '../../days/calendar/local_pieces.ts';
import { groupBy } from '../../platform/core/group_by.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { UserDays } from '../../days/balance/user_days.ts';

type Changes = ReadonlyMap<LocalDate, Date>;

/** When the finished work, the confirmed absences and the entries of each day were last changed, by the user's id. */
export async function lastChanges(
  db: Db,
  accountId: number,
  users: readonly UserDays[],
  { from, to }: DateRange,
): Promise<ReadonlyMap<number, Changes>> {
  // Zones differ by up to 26 hours, so that work on the days beside the range is read too.
  const userIds = users.map(({ userId }) => userId);
  const { rows } = await sql<ChangeRow>`
    select user_id, null::date as date, starts_at, updated_at as changed_at from time_trackings
    where account_id = ${accountId} and user_id = any(${userIds}::bigint[]) and ends_at is not null
      and starts_at >= ${addDays(from, -1)}::date and starts_at < ${addDays(to, 2)}::date
    union all
    select day.user_id, day.date, null, absence.updated_at from absence_days day
    join absences absence on absence.account_id = ${accountId} and absence.id = day.absence_id
    where day.account_id = ${accountId} and day.user_id = any(${userIds}::bigint[]) and day.date between ${from}::date and ${to}::date
      and absence.confirmation_status = 'confirmed'
    union all
    select user_id, date, null, created_at from time_account_entries
    where account_id = ${accountId} and user_id = any(${userIds}::bigint[]) and date between ${from}::date and ${to}::date`.execute(
    db,
  );
  const byUser = groupBy(rows, ({ user_id }) => user_id);
  return new Map(users.map(({ userId, zone }) => [userId, changesOf(byUser.get(userId) ?? [], zone)]));
}

function changesOf(rows: readonly ChangeRow[], zone: string): Changes {
  const changes = new Map<LocalDate, Date>();
  for (const { date, starts_at, changed_at } of rows) {
    const day = date ?? localDateOf(starts_at!, zone);
    const known = changes.get(day);
    if (!known || known < changed_at) changes.set(day, changed_at);
  }
  return changes;
}

/** A change of a day, or of work that belongs to the day on which it begins. */
interface ChangeRow {
  readonly user_id: number;
  readonly date: LocalDate | null;
  readonly starts_at: Date | null;
  readonly changed_at: Date;
}
