import type { operations } from '../../generated/v3.ts';
import type { Call } from '../http/contract.ts';
import { gathered } from '../http/gathering.ts';
import { included, related, type Loader } from '../http/answers/jsonapi.ts';
import { v3, type Schemas } from '../http/v3.ts';
import { presentUser } from '../users/resource.ts';
import { usersByIds } from '../users/users.ts';
import { presentWorkspace } from '../workspaces/resource.ts';
import { workspacesByIds } from '../workspaces/workspaces.ts';
import { findAction, listActions, type ActionRow, type ShownAction } from './actions.ts';
import { createAction, createActions, type NewAction } from './punches.ts';
import { presentAction, presentTagging } from './resource.ts';
import { createActionTagging } from './taggings.ts';

const loaders: Record<string, Loader<ActionRow, Schemas['ActionIncluded'][number]>> = {
  user: related((row) => [row.user_id], usersByIds, presentUser),
  workspace: related((row) => [row.workspace_id], workspacesByIds, presentWorkspace),
};

const punchIn = ({ body }: Call<operations['createAction']>): NewAction => {
  const { taggings_attributes = [], ...punch } = body.data.attributes;
  return { ...punch, tag_ids: taggings_attributes.map(({ tag_id }) => tag_id) };
};

const replyTo = (action: ShownAction) => ({ data: presentAction(action) });

export const actionHandlers = v3.part({
  async listActions(call) {
    const { rows, paging } = await listActions(call.db, call.actor, call.view);
    return { data: rows.map(presentAction), ...(await included(call, rows, loaders)), meta: paging };
  },

  createAction: gathered(
    async (call) => replyTo(await createAction(call.db, call.actor, punchIn(call), call.now)),
    async (calls) => {
      const asked = calls.map((call) => ({ actor: call.actor, input: punchIn(call), now: call.now }));
      const outcomes = await createActions(calls[0]!.db, asked, 'skip');
      return outcomes.map((outcome) =>
        outcome !== 'busy' && 'done' in outcome ? { done: replyTo(outcome.done) } : outcome,
      );
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
