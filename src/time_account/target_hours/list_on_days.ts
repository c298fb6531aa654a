import { sql } from 'kysely';
import type { Names } from '../../platform/core/names.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import { dayOfIso } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { day } from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { daysOfUser } from '../../days/balance/user_days.ts';
import { findUser } from '../../organisation/users/users.ts';
import { targetHourRows } from './rows.ts';

/** The target hours of a user that apply from `start_date` to `end_date`, both included and both optional. The newest come first. */
export async function listTargetHoursOnDays(
  db: Db,
  actor: Actor,
  names: Names,
  { start_date, end_date }: { start_date?: string; end_date?: string },
  selection: Selection,
) {
  const { accountId } = actor;
  const user = await findUser(db, actor, names);
  const { zone } = await daysOfUser(db, accountId, user.id);
  let visible = db
    .selectFrom('target_hours')
    .where('target_hours.account_id', '=', accountId)
    .where('target_hours.user_id', '=', user.id);
  // One ends where the next one begins.
  if (start_date !== undefined)
    visible = visible.where(sql<boolean>`not exists (
      select from target_hours next
      where next.account_id = ${accountId} and next.user_id = ${user.id}
        and next.start_date > target_hours.start_date and next.start_date <= ${dayOfIso(start_date, zone)}::date)`);
  if (end_date !== undefined) visible = visible.where('target_hours.start_date', '<=', dayOfIso(end_date, zone));
  return list(
    db,
    {
      visible,
      rows: targetHourRows(db, accountId),
      id: 'target_hours.id',
      columns: { start_date: day('target_hours.start_date') },
      timeZone: zone,
    },
    { ...selection, sort: ['-start_date'] },
  );
}
