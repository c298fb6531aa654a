import type { operations } from '../../generated/v3.ts';
import type { Config } from '../config.ts';
import { groupable } from '../http/call_groups.ts';
import type { Call } from '../http/contract.ts';
import { included, related, type Loader } from '../http/answers/jsonapi.ts';
import { v3, type Schemas } from '../http/v3.ts';
import { presentUser } from '../users/resource.ts';
import { usersByIds } from '../users/users.ts';
import { presentWorkspace } from '../workspaces/resource.ts';
import { workspacesByIds } from '../workspaces/workspaces.ts';
import { findAction, listActions, type ActionRow } from './actions.ts';
import { createAction, type NewAction } from './create.ts';
import { punchGroups } from './punch_groups.ts';
import { presentAction, presentTagging } from './resource.ts';
import { createActionTagging } from './taggings.ts';

const loaders: Record<string, Loader<ActionRow, Schemas['ActionIncluded'][number]>> = {
  user: related((row) => [row.user_id], usersByIds, presentUser),
  workspace: related((row) => [row.workspace_id], workspacesByIds, presentWorkspace),
};

type CreateAction = Call<operations['createAction']>;

const inputOf = ({ body }: Pick<CreateAction, 'body'>): NewAction => {
  const { taggings_attributes = [], ...punch } = body.data.attributes;
  return { ...punch, tag_ids: taggings_attributes.map(({ tag_id }) => tag_id) };
};

export function actionHandlers({ gatherPunches }: Pick<Config, 'gatherPunches'>) {
  const punchInGroup = gatherPunches ? punchGroups() : async () => undefined;
  return v3.part({
    async listActions(call) {
      const { rows, paging } = await listActions(call.db, call.actor, call.view);
      return { data: rows.map(presentAction), ...(await included(call, rows, loaders)), meta: paging };
    },

    createAction: groupable(
      async (call) => ({ data: presentAction(await createAction(call.db, call.actor, inputOf(call), call.now)) }),
      async (call) => {
        const action = await punchInGroup(call, { actor: call.actor, input: inputOf(call), now: call.now });
        return action && { data: presentAction(action) };
      },
    ),

    async getAction(call) {
      const row = await findAction(call.db, call.actor, call.params.action_id);
      return { data: presentAction(row), ...(await included(call, [row], loaders)) };
    },

    async createActionTagging(call) {
      const { tag_id } = call.body.data.attributes;
      return {
        data: presentTagging(await createActionTagging(call.db, call.actor, call.params.action_id, tag_id, call.now)),
      };
    },
  });
}
