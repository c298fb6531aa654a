import { sql } from 'kysely';
import type { AbsenceDay } from '../calendar/absence_days.ts';
import type { Db } from '../../platform/db/connection.ts';

/** Stores what an absence takes of each date, in place of what was stored before. Dates of which nothing changes are left alone: they may be closed. */
export async function storeAbsenceDays(
  db: Db,
  accountId: number,
  { id, user_id }: { readonly id: number; readonly user_id: number },
  rows: readonly AbsenceDay[],
): Promise<void> {
  const days = sql`unnest(${rows.map(({ date }) => date)}::date[], ${rows.map(({ seconds }) => seconds)}::integer[],
    ${rows.map(({ parts }) => parts)}::integer[]) day (date, seconds, parts)`;
  await sql`
    delete from absence_days stored
    where stored.account_id = ${accountId} and stored.absence_id = ${id} and not exists (
      select from ${days} where (day.date, day.seconds, day.parts) = (stored.date, stored.seconds, stored.parts))`.execute(
    db,
  );
  await sql`
    insert into absence_days (account_id, absence_id, user_id, date, seconds, parts)
    select ${accountId}, ${id}, ${user_id}, day.date, day.seconds, day.parts
    from ${days}
    on conflict (account_id, absence_id, date) do nothing
    returning account_id`.execute(db);
}

/** The amount of an absence on each of its dates, in their order. */
export const storedAbsenceDays = (
  db: Db,
  { account_id, id }: { readonly account_id: number; readonly id: number },
): Promise<AbsenceDay[]> =>
  db
    .selectFrom('absence_days')
    .select(['date', 'seconds', 'parts'])
    .where('account_id', '=', account_id)
    .where('absence_id', '=', id)
    .orderBy('date')
    .execute();
