import { included } from '../http/answers/jsonapi.ts';
import { v3 } from '../http/v3.ts';
import { deleteUser } from '../user_deletion/user_deletion.ts';
import { userLoaders } from './includes.ts';
import { presentUser } from './resource.ts';
import { createUser, updateUser } from './user_changes.ts';
import { findSelf, listUsers, showUser } from './users.ts';

export const userHandlers = v3.part({
  async getCurrentUser(call) {
    const row = await findSelf(call.db, call.actor);
    return { data: presentUser(row, call), ...(await included(call, [row], userLoaders)) };
  },

  async getCurrentWorkspaceUser(call) {
    const row = await findSelf(call.db, call.actor);
    return { data: presentUser(row, call), ...(await included(call, [row], userLoaders)) };
  },

  async listUsers(call) {
    const { rows, paging } = await listUsers(call.db, call.actor, call.view);
    return {
      data: rows.map((row) => presentUser(row, call)),
      ...(await included(call, rows, userLoaders)),
      meta: paging,
    };
  },

  async createUser(call) {
    return { data: presentUser(await createUser(call.db, call.actor, call.body.data.attributes, call.now), call) };
  },

  async getUser(call) {
    const row = await showUser(call.db, call.actor, call.params.user_id);
    return { data: presentUser(row, call), ...(await included(call, [row], userLoaders)) };
  },

  async updateUser(call) {
    return {
      data: presentUser(
        await updateUser(call.db, call.actor, call.params.user_id, call.body.data.attributes, call.now),
        call,
      ),
    };
  },

  async deleteUser(call) {
    return { data: presentUser(await deleteUser(call.db, call.actor, call.params.user_id, call.now), call) };
  },
});
