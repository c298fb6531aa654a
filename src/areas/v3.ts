import { may } from '../core/permissions.ts';
import { included, type Loader } from '../http/answers/jsonapi.ts';
import { v3, type Schemas } from '../http/v3.ts';
import { presentUser } from '../users/resource.ts';
import { usersByIds } from '../users/users.ts';
import { presentWorkspace } from '../workspaces/resource.ts';
import { workspacesByIds } from '../workspaces/workspaces.ts';
import { createArea, deleteArea, findArea, listAreas, updateArea, type AreaRow } from './areas.ts';
import { presentArea } from './resource.ts';

const loaders: Record<string, Loader<AreaRow, Schemas['User'] | Schemas['Workspace']>> = {
  users: async (rows, loading) => {
    const users = await usersByIds(
      loading.db,
      loading.actor,
      rows.flatMap((row) => row.user_ids),
    );
    return users.map((user) => presentUser(user, loading));
  },
  areas: async () => [],
  workspace: async (rows, loading) => {
    const workspaces = await workspacesByIds(
      loading.db,
      loading.actor,
      rows.map((row) => row.workspace_id),
    );
    return workspaces.map((workspace) => presentWorkspace(workspace, loading, true));
  },
};

export const areaHandlers = v3.part({
  async listAreas(call) {
    const { rows, paging } = await listAreas(call.db, call.actor, call.view);
    const meta = {
      ...paging,
      can_create_working_areas: may(call.actor, 'create_area', 'workspace', call.actor.workspace),
    };
    return { data: rows.map((row) => presentArea(row, call)), ...(await included(call, rows, loaders)), meta };
  },

  async createArea(call) {
    const { name, color, external_id } = call.body.data.attributes;
    return { data: presentArea(await createArea(call.db, call.actor, { name, color, external_id }, call.now), call) };
  },

  async getArea(call) {
    const row = await findArea(call.db, call.actor, call.params.area_id);
    return { data: presentArea(row, call), ...(await included(call, [row], loaders)) };
  },

  async updateArea(call) {
    const { name, color, external_id, user_ids } = call.body.data.attributes;
    return {
      data: presentArea(
        await updateArea(call.db, call.actor, call.params.area_id, { name, color, external_id, user_ids }, call.now),
        call,
      ),
    };
  },

  async deleteArea(call) {
    return { data: presentArea(await deleteArea(call.db, call.actor, call.params.area_id, call.now), call) };
  },
});
