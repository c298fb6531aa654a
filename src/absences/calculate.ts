import { measure, type Amount, type AbsenceSpan } from '../calendar/absence_amounts.ts';
import { refuse } from '../core/errors.ts';
import type { Id } from '../core/ids.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { spanOf, spanProblems } from './span.ts';
import { findAbsentee } from './type_and_user.ts';

/** The times, days and hours that an absence would have. Nothing is stored. */
export async function calculateAbsence(
  db: Db,
  actor: WorkspaceActor,
  input: { starts_at: string; ends_at: string; full_day: boolean; user_id?: Id },
): Promise<AbsenceSpan & Amount & { full_day: boolean; user_id: number }> {
  const { full_day } = input;
  const zone = actor.workspace.time_zone;
  const { user, problems } = await findAbsentee(db, actor, actor.workspace, input.user_id);
  const span = spanOf(input, { full_day, zone });
  refuse([...problems, ...spanProblems(span, zone)]);
  return {
    ...span,
    ...measure(span, { full_day, zone, hoursPerDay: user!.hours_on_vacation_day }),
    full_day,
    user_id: user!.id,
  };
}
