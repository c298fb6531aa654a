import { decideAbsence } from '../../absence/absences/decide.ts';
import { closeMonth } from '../../payroll/accounting_periods/close.ts';
import { addDays, addMonths } from '../../days/calendar/dates.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { createPublicHoliday } from '../../time_account/public_holidays/public_holidays.ts';
import { createTargetHour, updateTargetHour } from '../../time_account/target_hours/target_hours.ts';
import { createTimeAccountEntry } from '../../time_account/time_account_entries/time_account_entries.ts';
import { createEntitlement } from '../../absence/vacation_entitlements/vacation_entitlements.ts';
import { requestAbsence } from './absences.ts';
import { mondayOf } from './dates.ts';

type TargetHourChange = Parameters<typeof updateTargetHour>[4];

/** Somebody who works from Monday to Wednesday and soon longer, somebody on a cycle of four days on and two days off, and vacation of last year. */
export async function createTimeAccounts(
  db: OpenTransaction,
  actor: WorkspaceActor,
  { carrier, partTimer, cyclist }: { carrier: number; partTimer: number; cyclist: number },
  now: Date,
): Promise<void> {
  const off = { is_thu: false, thu: null, is_fri: false, fri: null };
  await changeTargetHour(db, actor, partTimer, { mon: 7.25, tue: 7.25, wed: 7.25, ...off }, now);
  const monday = mondayOf(now, actor.workspace.time_zone);
  const longer = { is_mon: true, mon: 8, is_tue: true, tue: 8, is_wed: true, wed: 8, is_thu: true, thu: 6 };
  await createTargetHour(db, actor, partTimer, { start_date: addDays(monday, 91), ...longer }, now);
  const meeting = { date: addDays(monday, -4), hours: 1.5, kind: 'correction' } as const;
  await createTimeAccountEntry(db, actor, partTimer, { ...meeting, note: 'A meeting on a day off.' }, now);
  const anniversary = { date: addDays(monday, 134), title: 'Company anniversary', factor: 0.5 } as const;
  await createPublicHoliday(db, actor, anniversary, now);
  const [workday, freeday] = [{ day_type: 'workday', hours: 8 } as const, { day_type: 'freeday' } as const];
  const cycle = [workday, workday, workday, workday, freeday, freeday];
  await changeTargetHour(db, actor, cyclist, { target_working_days_attributes: cycle }, now);
  const year = now.getUTCFullYear();
  const period = { starts_at: `${year - 1}-01-01`, ends_at: `${year - 1}-12-31` };
  const transfer = { transfer_remaining: true, end_of_transfer_period: `${year}-12-31` };
  const carried = { title: `Vacation ${year - 1}`, planned_days: 3.5, ...period, ...transfer };
  await createEntitlement(db, actor, carrier, carried, now);
}

/** Somebody who works at night, and half holidays in December. */
export async function createHotelAccounts(
  db: OpenTransaction,
  actor: WorkspaceActor,
  porter: number,
  now: Date,
): Promise<void> {
  const night = { mon: 7.25, tue: 7.25, wed: 7.25, thu: 7.25, fri: 7.25 };
  await changeTargetHour(db, actor, porter, night, now);
  const year = now.getUTCFullYear();
  for (const [date, title] of [
    [`${year}-12-24`, 'Christmas Eve'],
    [`${year}-12-31`, 'New Year’s Eve'],
  ] as const)
    await createPublicHoliday(db, actor, { date, title, factor: 0.5 }, now);
}

/** Some vacation and a payout in the first month of a user, which is then closed. */
export async function closeFirstMonth(
  db: OpenTransaction,
  actor: WorkspaceActor,
  userId: number,
  { firstDay, daysOff }: { firstDay: string; daysOff: readonly string[] },
  now: Date,
): Promise<void> {
  const days = daysOff.length - 1;
  const vacation = await requestAbsence(db, actor, { userId, kind: 'vacation', from: daysOff[0]!, days }, now);
  await decideAbsence(db, actor, vacation, 'confirmed', now);
  const payout = { date: addDays(addMonths(firstDay, 1), -1), hours: -2, kind: 'payout' } as const;
  await createTimeAccountEntry(db, actor, userId, { ...payout, note: 'Paid out with the wages of the month.' }, now);
  await closeMonth(db, actor, { month: firstDay.slice(0, 7), user_ids: [userId] }, now);
}

/** Changes the target hour that every user starts with. */
async function changeTargetHour(
  db: OpenTransaction,
  actor: WorkspaceActor,
  userId: number,
  change: TargetHourChange,
  now: Date,
): Promise<void> {
  const { id } = await db
    .selectFrom('target_hours')
    .select('id')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  await updateTargetHour(db, actor, userId, id, change, now);
}
