import { included, type Loader } from '../http/jsonapi.ts';
import { v3, type Schemas } from '../http/v3.ts';
import { presentUser } from '../users/resource.ts';
import { usersByIds } from '../users/users.ts';
import { presentWorkspace } from '../workspaces/resource.ts';
import { workspacesByIds } from '../workspaces/workspaces.ts';
import { presentTag } from './resource.ts';
import { createTag, deleteTag, findTag, listTags, updateTag, type TagRow } from './tags.ts';

/** What `include` can name wherever tags are shown. */
export const tagLoaders: Record<string, Loader<TagRow, Schemas['TagIncluded'][number]>> = {
  workspace: async (rows, loading) => {
    const workspaces = await workspacesByIds(
      loading.db,
      loading.actor,
      rows.map((row) => row.workspace_id),
    );
    return workspaces.map((workspace) => presentWorkspace(workspace, loading, true));
  },
  users: async (rows, loading) => {
    const users = await usersByIds(
      loading.db,
      loading.actor,
      rows.flatMap((row) => row.user_ids),
    );
    return users.map((user) => presentUser(user, loading));
  },
};

export const tagHandlers = v3.part({
  async listTags(call) {
    const { rows, paging } = await listTags(call.db, call.actor, call.view);
    return { data: rows.map(presentTag), ...(await included(call, rows, tagLoaders)), meta: paging };
  },

  async createTag(call) {
    const { title, active, external_id, color } = call.body.data.attributes;
    return { data: presentTag(await createTag(call.db, call.actor, { title, active, external_id, color }, call.now)) };
  },

  async getTag(call) {
    const row = await findTag(call.db, call.actor, call.params.tag_id);
    return { data: presentTag(row), ...(await included(call, [row], tagLoaders)) };
  },

  async updateTag(call) {
    const { title, active, external_id, color } = call.body.data.attributes;
    return { data: presentTag(await updateTag(call.db, call.actor, call.params.tag_id, { title, active, external_id, color }, call.now)) };
  },

  async deleteTag(call) {
    return { data: presentTag(await deleteTag(call.db, call.actor, call.params.tag_id)) };
  },
});
