import { findAccount } from '../organisation/accounts/accounts.ts';
import { publicApi } from '../platform/http/public.ts';

export const pingHandlers = publicApi.part({
  async ping(call) {
    const account = await findAccount(call.db, call.actor);
    return { enterprise_id: account.id, enterprise_name: account.account_name };
  },
});
