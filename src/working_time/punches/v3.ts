import { included, related, type Loader } from '../../platform/http/answers/jsonapi.ts';
import { v3, type Schemas } from '../../platform/http/v3.ts';
import { presentUser } from '../../organisation/users/resource.ts';
import { usersByIds } from '../../organisation/users/users.ts';
import { presentWorkspace } from '../../organisation/workspaces/resource.ts';
import { workspacesByIds } from '../../organisation/workspaces/workspaces.ts';
import { findAction, listActions, type ActionRow } from './actions.ts';
import { createAction } from './create.ts';
import { presentAction, presentTagging } from './resource.ts';
import { createActionTagging } from './taggings.ts';

const loaders: Record<string, Loader<ActionRow, Schemas['ActionIncluded'][number]>> = {
  user: related((row) => [row.user_id], usersByIds, presentUser),
  workspace: related((row) => [row.workspace_id], workspacesByIds, presentWorkspace),
};

export const actionHandlers = v3.part({
  async listActions(call) {
    const { rows, paging } = await listActions(call.db, call.actor, call.queryOptions);
    return { data: rows.map(presentAction), ...(await included(call, rows, loaders)), meta: paging };
  },

  async createAction({ db, actor, body, now }) {
    const { taggings_attributes = [], ...punch } = body.data.attributes;
    const tag_ids = taggings_attributes.map(({ tag_id }) => tag_id);
    return { data: presentAction(await createAction(db, actor, { ...punch, tag_ids }, now)) };
  },

  async getAction(call) {
    const row = await findAction(call.db, call.actor, call.params.action_id);
    return { data: presentAction(row), ...(await included(call, [row], loaders)) };
  },

  async createActionTagging({ db, actor, params, body, now }) {
    const { tag_id } = body.data.attributes;
    return { data: presentTagging(await createActionTagging(db, actor, params.action_id, tag_id, now)) };
  },
});
