import type { Config } from '../config.ts';
import { managesTransaction } from '../http/dispatch.ts';
import { bearerIn } from './credentials.ts';
import { presenter } from '../http/answers/jsonapi.ts';
import { v3, type Schemas } from '../http/v3.ts';
import { requestPasswordReset, signIn, signOut, signUp, updatePassword, type AccessToken } from './auth.ts';

const token = presenter<Schemas['Token']>('token');

/** The token, in the body and in the header in which the client sends it back. */
const presentToken = (issued: AccessToken) => ({
  data: token({ id: issued.id, attributes: { access_token: issued.token, token_type: 'Bearer', expires_in: null } }),
  headers: { Authorization: `Bearer ${issued.token}`, 'Cache-Control': 'no-store' },
});

export function authHandlers(config: Pick<Config, 'signUp' | 'limits'>) {
  const callerOf = ({ address }: { address: string }) => ({ address, limits: config.limits });
  return v3.part({
    signUp: managesTransaction(async (call) => {
      const caller = { ...callerOf(call), isOpen: config.signUp };
      return presentToken(await signUp(call.db, call.body.data.attributes, caller, call.now));
    }),

    signIn: managesTransaction(async (call) =>
      presentToken(await signIn(call.db, call.body.data.attributes, callerOf(call), call.now)),
    ),

    async signOut(call) {
      await signOut(call.db, bearerIn(call.header('Authorization'))!);
    },

    async requestPasswordReset(call) {
      await requestPasswordReset(call.db, call.body.data.attributes.email, callerOf(call), call.now);
      return { meta: { success: 'If the address is known here, instructions to reset the password were sent to it.' } };
    },

    updatePassword: managesTransaction(async (call) =>
      presentToken(await updatePassword(call.db, call.body.data.attributes, callerOf(call), call.now)),
    ),
  });
}
