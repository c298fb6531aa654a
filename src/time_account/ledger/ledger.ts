import { plannedSeconds } from '../../planning/assignments/plan.ts';
import { addDays, type DateRange, type LocalDate } from '../../days/calendar/dates.ts';
import type { LedgerDay } from '../../days/calendar/day_ledger.ts';
import type { Figures } from '../../days/calendar/work_of_day.ts';
import type { Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { localDay } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { requireRange } from '../../days/balance/ranges.ts';
import { balanceAfter, ledgerOf, timeAccounts } from '../../days/balance/time_accounts.ts';
import { showUser } from '../../organisation/users/users.ts';

/** A day of a user, with the seconds of the shifts that are planned for it. */
export interface PlannedDay extends LedgerDay {
  readonly plan: number;
}

/** The days of a user whom the actor may read in full. */
export async function findUserDays(
  db: Db,
  actor: WorkspaceActor,
  userRef: Id,
  range: DateRange,
): Promise<readonly PlannedDay[]> {
  const { id } = await showUser(db, actor, userRef);
  requireRange(range);
  const accounts = await timeAccounts(db, actor.accountId, [id], range);
  const account = accounts.get(id)!;
  const plan = await plannedSeconds(db, actor.accountId, account.days, range);
  return ledgerOf(account, range).map((day) => ({ ...day, plan: plan.get(day.date) ?? 0 }));
}

/** The balance of a user whom the actor may read in full, in seconds: at the end of the date, otherwise of yesterday. */
export async function findBalance(
  db: Db,
  actor: WorkspaceActor,
  userRef: Id,
  date: LocalDate | undefined,
  now: Date,
): Promise<{ userId: number; balance: Figures }> {
  const { id, zone } = await showUser(db, actor, userRef);
  const yesterday = addDays(localDay(now, zone), -1);
  return { userId: id, balance: await balanceAfter(db, actor.accountId, id, date ?? yesterday) };
}
