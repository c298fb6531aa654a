import { asksForAddress } from '../../access/auth/address_limits.ts';
import type { Config } from '../../platform/config.ts';
import { included, type LoadContext } from '../../platform/http/answers/jsonapi.ts';
import { surrounded } from '../../platform/http/handlers.ts';
import { v3 } from '../../platform/http/v3.ts';
import { deleteUser } from '../../lifecycle/user_deletion/user_deletion.ts';
import { listedUserLoaders, userLoaders } from './includes.ts';
import { asksForLeavers, listLeavers } from './leavers.ts';
import { presentColleague, presentInFull, presentUser } from './resource.ts';
import type { UserRow } from './rows.ts';
import { changeStatus } from './status.ts';
import { createUser, updateUser } from './user_changes.ts';
import { listUsers, showUser } from './users.ts';

const shown = async (row: UserRow, call: LoadContext) => ({
  data: presentUser(row, call),
  ...(await included(call, [row], userLoaders)),
});

export const userHandlers = ({ limits }: Pick<Config, 'limits'>) =>
  v3.part({
    async listUsers(call) {
      if (asksForLeavers(call.actor, call.queryOptions)) {
        const { rows, paging } = await listLeavers(call.db, call.actor, call.queryOptions);
        const data = rows.map((row) => presentColleague(row, call));
        return { data, ...(await included(call, [], userLoaders)), meta: paging };
      }
      const { rows, paging } = await listUsers(call.db, call.actor, call.queryOptions);
      const data = rows.map((row) => presentUser(row, call));
      return { data, ...(await included(call, rows, listedUserLoaders)), meta: paging };
    },

    createUser: surrounded(asksForAddress(limits), async (call) => ({
      data: presentUser(await createUser(call.db, call.actor, call.body.data.attributes, call.now), call),
    })),

    async getUser(call) {
      return shown(await showUser(call.db, call.actor, call.params.user_id), call);
    },

    updateUser: surrounded(asksForAddress(limits), async (call) => {
      const row = await updateUser(call.db, call.actor, call.params.user_id, call.body.data.attributes, call.now);
      return { data: presentUser(row, call) };
    }),

    async updateUserStatus(call) {
      const { status } = call.body.data.attributes;
      return {
        data: presentUser(await changeStatus(call.db, call.actor, call.params.user_id, status, call.now), call),
      };
    },

    async deleteUser(call) {
      return { data: presentInFull(await deleteUser(call.db, call.actor, call.params.user_id, call.now), call) };
    },
  });
