import type { components } from '../../../generated/public.ts';
import { refuse } from '../../platform/core/errors.ts';
import { refIn } from '../../platform/core/names.ts';
import { firstMoment, lastMoment, requireOrder } from '../../platform/core/requested_range.ts';
import { utcForm } from '../../platform/core/time.ts';
import { pageIn, pageMembers } from '../../platform/http/answers/pages.ts';
import { publicApi } from '../../platform/http/public.ts';
import { placeAndUserIn, userIdIn } from '../working_sessions/references.ts';
import { inLocation, type WorkspaceRow } from '../../organisation/workspaces/workspaces.ts';
import { listActions, type ShownAction } from './actions.ts';
import { createAction } from './create.ts';

type Schemas = components['schemas'];

const presentAction = (row: ShownAction, location: Pick<WorkspaceRow, 'id' | 'external_id'>): Schemas['Action'] => ({
  id: row.id,
  action_type: row.action_type as Schemas['ActionType'],
  action_time: utcForm(row.action_time),
  user_id: row.user_id,
  location_id: location.id,
  location_external_id: location.external_id,
});

export const publicActionHandlers = publicApi.part({
  async listPublicActions(call) {
    const { db, actor, query } = call;
    const { range_start, range_end } = query;
    requireOrder(range_start, range_end);
    const local = await inLocation(db, actor, refIn('location_', query));
    const location = local.workspace;
    const userId = await userIdIn(db, actor, query);
    const filter = {
      action_time: [
        `gte:${firstMoment(range_start, location.time_zone).toISOString()}`,
        `lte:${lastMoment(range_end, location.time_zone).toISOString()}`,
      ],
      ...(userId !== undefined && { user_id: String(userId) }),
    };
    const selection = { ...pageIn(call), filter, isStrict: true };
    const { rows, paging } = await listActions(db, local, selection);
    return { actions: rows.map((action) => presentAction(action, location)), ...pageMembers(paging, call) };
  },

  async createPublicAction({ db, actor, body: { working_session_action: punch }, now }) {
    const { location, local, userId, problems } = await placeAndUserIn(db, actor, punch);
    refuse(problems);
    const { action_type, action_time } = punch;
    const action = await createAction(db, local!, { action_type, action_time, user_id: userId!, tag_ids: [] }, now);
    return presentAction(action, location!);
  },
});
