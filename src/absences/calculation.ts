import { refuse } from '../core/errors.ts';
import type { Id } from '../core/ids.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { measure, spanOf, spanProblems, type Amount, type Span } from './absence_days.ts';
import { findAbsentee } from './references.ts';

/** The times, days and hours that an absence would have, without making one. */
export async function calculateAbsence(
  db: Db,
  actor: WorkspaceActor,
  input: { starts_at: string; ends_at: string; full_day: boolean; user_id?: Id },
): Promise<Span & Amount & { full_day: boolean; user_id: number }> {
  const { full_day } = input;
  const zone = actor.workspace.time_zone;
  const { user, problems } = await findAbsentee(db, actor, actor.workspace, input.user_id);
  const span = spanOf(input, full_day, zone);
  refuse([...problems, ...spanProblems(span, zone)]);
  return {
    ...span,
    ...measure(span, { full_day, zone, hoursPerDay: user!.hours_on_vacation_day }),
    full_day,
    user_id: user!.id,
  };
}
