import type { components } from '../../../generated/public.ts';
import { hoursOf } from '../../days/calendar/worked_time.ts';
import { localForm, startOfLocalDay } from '../../platform/core/time.ts';
import type { Evaluation } from './evaluations.ts';

export const presentEvaluation = (evaluation: Evaluation): components['schemas']['Evaluation'] => {
  const { id, userId, zone, day, plan, vacationId, changedAt } = evaluation;
  const changed = localForm(changedAt ?? startOfLocalDay(day.date, zone), zone);
  return {
    id,
    user_id: userId,
    day: day.date,
    target: hoursOf(day.target),
    plan: hoursOf(plan),
    actual: hoursOf(day.worked.all),
    vacation: hoursOf(day.credits.vacation),
    compensation: hoursOf(day.credits.overtime),
    charged: hoursOf(day.charged.all),
    payout: hoursOf(day.payout),
    vacation_source_id: vacationId,
    vacation_source_type: vacationId === null ? null : 'Absence',
    created_at: changed,
    updated_at: changed,
  };
};
