import type { LocalDate } from '../calendar/dates.ts';
import { vacationSummary, type VacationSummary } from '../calendar/vacation/vacation_summary.ts';
import type { Id } from '../core/ids.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import { localDay } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { showUser } from '../users/users.ts';
import { vacationAccount } from '../users/vacation_account.ts';

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
