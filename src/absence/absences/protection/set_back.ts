import { may, type Actor } from '../../../platform/core/permissions.ts';
import { isSameSpan } from '../../../days/balance/measure_absence.ts';
import type { AbsenceRow } from '../rows.ts';

/** The values from which the amount of an absence is measured. */
type Measured = Pick<
  AbsenceRow,
  'kind' | 'starts_at' | 'ends_at' | 'full_day' | 'half_start' | 'half_end' | 'use_custom_values'
>;

/** Whether an absence is confirmed, and the actor may not decide about it: then a change of its times or amount sets it back. */
export const isProtectedFrom = (actor: Actor, absence: AbsenceRow): boolean =>
  absence.confirmation_status === 'confirmed' && !may(actor, 'decide', 'absence', absence);

/** Whether two absences are measured alike. */
export const isMeasuredAlike = (one: Measured, other: Measured): boolean =>
  isSameSpan(one, other) &&
  one.kind === other.kind &&
  one.full_day === other.full_day &&
  one.half_start === other.half_start &&
  one.half_end === other.half_end &&
  one.use_custom_values === other.use_custom_values;

/** Whether two absences have the same times and the same amount. */
export const isSameAbsence = (
  one: Measured & Pick<AbsenceRow, 'days' | 'hours'>,
  other: Measured & Pick<AbsenceRow, 'days' | 'hours'>,
): boolean => isMeasuredAlike(one, other) && one.days === other.days && one.hours === other.hours;

/** The system note about an absence that was set back. */
export const setBackNote = (by: string): string =>
  `The absence is pending again, because ${by} changed it and may not decide about it.`;
