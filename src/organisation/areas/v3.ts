import { may } from '../../platform/core/permissions.ts';
import { included, related, type Loader } from '../../platform/http/answers/jsonapi.ts';
import { v3, type Schemas } from '../../platform/http/v3.ts';
import { presentUser } from '../users/resource.ts';
import { usersByIds } from '../users/users.ts';
import { presentWorkspace } from '../workspaces/resource.ts';
import { workspacesByIds } from '../workspaces/workspaces.ts';
import { createArea, deleteArea, findArea, listAreas, updateArea, type AreaRow } from './areas.ts';
import { presentArea } from './resource.ts';

const loaders: Record<string, Loader<AreaRow, Schemas['User'] | Schemas['Workspace']>> = {
  users: related((row) => row.user_ids, usersByIds, presentUser),
  areas: async () => [],
  workspace: related((row) => [row.workspace_id], workspacesByIds, presentWorkspace),
};

export const areaHandlers = v3.part({
  async listAreas(call) {
    const { rows, paging } = await listAreas(call.db, call.actor, call.queryOptions);
    const meta = {
      ...paging,
      can_create_working_areas: may(call.actor, 'create_area', 'workspace', call.actor.workspace),
    };
    return { data: rows.map((row) => presentArea(row, call)), ...(await included(call, rows, loaders)), meta };
  },

  async createArea(call) {
    const row = await createArea(call.db, call.actor, call.body.data.attributes, call.now);
    return { data: presentArea(row, call) };
  },

  async getArea(call) {
    const row = await findArea(call.db, call.actor, call.params.area_id);
    return { data: presentArea(row, call), ...(await included(call, [row], loaders)) };
  },

  async updateArea(call) {
    const row = await updateArea(call.db, call.actor, call.params.area_id, call.body.data.attributes, call.now);
    return { data: presentArea(row, call) };
  },

  async deleteArea(call) {
    return { data: presentArea(await deleteArea(call.db, call.actor, call.params.area_id, call.now), call) };
  },
});
