import type { LocalDate } from '../../days/calendar/dates.ts';
import { vacationSummary, type VacationSummary } from '../../days/calendar/vacation/vacation_summary.ts';
import type { Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { localDay } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { showUser } from '../../organisation/users/users.ts';
import { vacationAccount } from '../../organisation/users/vacation_account.ts';

/** The vacation of a user on a day. */
export interface VacationOnDay {
  readonly userId: number;
  readonly date: LocalDate;
  readonly summary: VacationSummary;
}

/** The vacation of a user that the actor may read in full, on a day, by default today. */
export async function findVacationSummary(
  db: Db,
  actor: WorkspaceActor,
  userRef: Id,
  day: LocalDate | undefined,
  now: Date,
): Promise<VacationOnDay> {
  const user = await showUser(db, actor, userRef);
  const date = day ?? localDay(now, user.zone);
  return { userId: user.id, date, summary: vacationSummary(vacationAccount(user.vacation), date) };
}
