import { refuse } from '../../platform/core/errors.ts';
import type { Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { measure, type AbsenceSpan, type Amount } from '../../days/balance/measure_absence.ts';
import { daysOfUser } from '../../days/balance/user_days.ts';
import { spanOf, absenceSpanProblems } from './span.ts';
import { findAbsentee } from './type_and_user.ts';

interface CalculationInput {
  readonly starts_at: string;
  readonly ends_at: string;
  readonly full_day: boolean;
  readonly half_start: boolean;
  readonly half_end: boolean;
  readonly user_id?: Id;
}

/** The times, days and hours that a vacation would have. Nothing is stored. */
export async function calculateAbsence(
  db: Db,
  actor: WorkspaceActor,
  { starts_at, ends_at, user_id, ...input }: CalculationInput,
): Promise<AbsenceSpan & Amount & { full_day: boolean; user_id: number }> {
  const { user, problems } = await findAbsentee(db, actor, actor.workspace, user_id);
  const userDays = user && (await daysOfUser(db, actor.accountId, user.id));
  const zone = userDays?.zone ?? actor.workspace.time_zone;
  const span = spanOf({ starts_at, ends_at }, { full_day: input.full_day, zone });
  refuse([...problems, ...absenceSpanProblems(span, zone)]);
  const { days, hours } = measure({ ...span, ...input, kind: 'vacation' }, userDays!);
  return { ...span, days, hours, full_day: input.full_day, user_id: user!.id };
}
