import type { WorkspaceActor } from '../core/permissions.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { createPublicHoliday } from '../public_holidays/public_holidays.ts';
import { createTargetHour } from '../target_hours/target_hours.ts';
import { inWorkspace, type WorkspaceRow } from '../workspaces/workspaces.ts';

/** Somebody who works from Monday to Wednesday, somebody on a cycle of four days on and two days off, and half days in December. */
export async function createTimeAccounts(
  db: OpenTransaction,
  actor: WorkspaceActor,
  { partTimer, cyclist, hotel }: { partTimer: number; cyclist: number; hotel: WorkspaceRow },
  now: Date,
): Promise<void> {
  const threeDays = { is_mon: true, mon: 8, is_tue: true, tue: 8, is_wed: true, wed: 8 };
  await createTargetHour(db, actor, partTimer, { start_date: '2026-04-01', ...threeDays }, now);
  const [on, off] = [{ day_type: 'workday', hours: 8 } as const, { day_type: 'freeday' } as const];
  const cycle = { start_date: '2026-04-01', target_working_days_attributes: [on, on, on, on, off, off] };
  await createTargetHour(db, actor, cyclist, cycle, now);
  for (const [date, title] of [
    ['2026-12-24', 'Christmas Eve'],
    ['2026-12-31', 'New Year’s Eve'],
  ] as const)
    await createPublicHoliday(db, inWorkspace(actor, hotel), { date, title, factor: 0.5 }, now);
}
