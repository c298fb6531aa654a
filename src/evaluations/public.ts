import type { components } from '../../generated/public.ts';
import { hoursOf } from '../calendar/worked_time.ts';
import { refuse } from '../core/errors.ts';
import { isNamed, refIn } from '../core/names.ts';
import { localForm, startOfLocalDay } from '../core/time.ts';
import { pageIn, pageMembers } from '../http/answers/pages.ts';
import { publicApi } from '../http/public.ts';
import { findEvaluation, listEvaluations, type Evaluation } from './evaluations.ts';

const presentEvaluation = (evaluation: Evaluation): components['schemas']['Evaluation'] => {
  const { id, userId, zone, day, vacationId, changedAt } = evaluation;
  const changed = localForm(changedAt ?? startOfLocalDay(day.date, zone), zone);
  return {
    id,
    user_id: userId,
    day: day.date,
    target: hoursOf(day.target),
    // Nothing plans shifts yet.
    plan: 0,
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

export const evaluationHandlers = publicApi.part({
  async findEvaluations(call) {
    const { db, actor, query, now } = call;
    if (query.id !== undefined) return presentEvaluation(await findEvaluation(db, actor, query.id));
    const { range_start, range_end } = query;
    const missing = { user_id: !isNamed('user_', query), range_start: range_start === undefined };
    refuse(
      Object.entries(missing)
        .filter(([, isMissing]) => isMissing)
        .map(([pointer]) => ({ pointer, title: `${pointer} is required unless id names one evaluation.` })),
    );
    const range = { range_start: range_start!, range_end };
    const { rows, ...paging } = await listEvaluations(db, actor, refIn('user_', query), range, pageIn(call), now);
    return { evaluations: rows.map(presentEvaluation), ...pageMembers(paging, call) };
  },
});
