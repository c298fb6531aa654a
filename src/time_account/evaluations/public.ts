import { refuse } from '../../platform/core/errors.ts';
import { isNamed, refIn } from '../../platform/core/names.ts';
import { pageIn, pageMembers } from '../../platform/http/answers/pages.ts';
import { publicApi } from '../../platform/http/public.ts';
import { findEvaluation, listEvaluations } from './evaluations.ts';
import { presentEvaluation } from './public_resource.ts';

export const evaluationHandlers = publicApi.part({
  async findEvaluations(call) {
    const { db, actor, query, now } = call;
    if (query.id !== undefined) return presentEvaluation(await findEvaluation(db, actor, query.id));
    const { range_start, range_end } = query;
    const missing = { user_id: !isNamed('user_', query), range_start: range_start === undefined };
    refuse(
      Object.entries(missing)
        .filter(([, isMissing]) => isMissing)
        .map(([pointer]) => ({
          code: 'required',
          pointer,
          title: `${pointer} is required unless id names one evaluation.`,
        })),
    );
    const range = { range_start: range_start!, range_end };
    const { rows, ...paging } = await listEvaluations(db, actor, refIn('user_', query), range, pageIn(call), now);
    return { evaluations: rows.map(presentEvaluation), ...pageMembers(paging, call) };
  },
});
