import { areasByIds } from '../areas/areas.ts';
import { presentArea } from '../areas/resource.ts';
import { included, related, type Loader } from '../../platform/http/answers/jsonapi.ts';
import { v3, type Schemas } from '../../platform/http/v3.ts';
import { deleteWorkspace } from '../../lifecycle/workspace_deletion/workspace_deletion.ts';
import { presentWorkspace, presentWrittenWorkspace } from './resource.ts';
import { createWorkspace, findWorkspace, listWorkspaces, updateWorkspace, type WorkspaceRow } from './workspaces.ts';
import { presentRole } from './role_resource.ts';
import { listRoles } from './roles.ts';

const loaders: Record<string, Loader<WorkspaceRow, Schemas['Area']>> = {
  areas: related((row) => row.area_ids, areasByIds, presentArea),
};

export const workspaceHandlers = v3.part({
  async listWorkspaces(call) {
    const { rows, paging } = await listWorkspaces(call.db, call.actor, call.queryOptions);
    return {
      data: rows.map((row) => presentWorkspace(row, call)),
      ...(await included(call, rows, loaders)),
      meta: paging,
    };
  },

  async listRoles(call) {
    const { rows, paging } = await listRoles(call.db, call.queryOptions);
    return { data: rows.map((row) => presentRole(row, call)), meta: paging };
  },

  async createWorkspace(call) {
    const row = await createWorkspace(call.db, call.actor, call.body.data.attributes, call.now);
    return { data: presentWrittenWorkspace(row, call) };
  },

  async getWorkspace(call) {
    const row = await findWorkspace(call.db, call.actor);
    return { data: presentWorkspace(row, call), ...(await included(call, [row], loaders)) };
  },

  async updateWorkspace(call) {
    const row = await updateWorkspace(call.db, call.actor, call.body.data.attributes, call.now);
    return { data: presentWrittenWorkspace(row, call) };
  },

  async deleteWorkspace(call) {
    const row = await deleteWorkspace(call.db, call.actor, call.now);
    return { data: presentWrittenWorkspace(row, call) };
  },
});
