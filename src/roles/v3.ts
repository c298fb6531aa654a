import { v3 } from '../http/v3.ts';
import { presentRole } from './resource.ts';
import { listRoles } from './roles.ts';

export const roleHandlers = v3.part({
  async listRoles(call) {
    const { rows, paging } = await listRoles(call.db, call.view);
    return { data: rows.map((row) => presentRole(row, call)), meta: paging };
  },
});
