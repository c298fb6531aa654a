import { forbidden } from '../../platform/core/errors.ts';
import { included } from '../../platform/http/answers/jsonapi.ts';
import { v3 } from '../../platform/http/v3.ts';
import { userLoaders } from '../users/includes.ts';
import { presentUser } from '../users/resource.ts';
import { listUsers, showUser } from '../users/users.ts';
import { findAccount, updateAccount } from './accounts.ts';
import { presentAccount } from './resource.ts';

export const accountHandlers = v3.part({
  async getAccount(call) {
    return { data: presentAccount(await findAccount(call.db, call.actor)) };
  },

  async updateAccount(call) {
    return { data: presentAccount(await updateAccount(call.db, call.actor, call.body.data.attributes, call.now)) };
  },

  async listAccountUsers(call) {
    const account = await findAccount(call.db, call.actor);
    if (!account.modules.includes('accounts')) throw forbidden();
    const { rows, paging } = await listUsers(call.db, call.actor, call.queryOptions);
    return {
      data: rows.map((row) => presentUser(row, call)),
      ...(await included(call, rows, userLoaders)),
      meta: paging,
    };
  },

  async getAccountUser(call) {
    const row = await showUser(call.db, call.actor, call.params.user_id);
    return { data: presentUser(row, call), ...(await included(call, [row], userLoaders)) };
  },
});
