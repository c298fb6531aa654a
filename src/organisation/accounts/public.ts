import { publicApi } from '../../platform/http/public.ts';
import { findAccount } from './accounts.ts';

export const publicAccountHandlers = publicApi.part({
  async getPublicAccount(call) {
    const account = await findAccount(call.db, call.actor);
    return { id: account.id, name: account.account_name };
  },
});
