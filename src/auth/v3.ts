import type { Config } from '../config.ts';
import { managesTransaction } from '../http/handlers.ts';
import { bearerIn } from './credentials.ts';
import { v3 } from '../http/v3.ts';
import { checkResetToken, requestPasswordReset, signIn, signOut, signUp, updatePassword } from './auth.ts';
import { presentToken } from './resource.ts';

export function authHandlers(config: Pick<Config, 'signUp' | 'limits'>) {
  const callerOf = ({ address, requestId }: { address: string; requestId: string }) => ({
    address,
    requestId,
    limits: config.limits,
  });
  return v3.part({
    signUp: managesTransaction(async (call) => {
      const caller = { ...callerOf(call), isOpen: config.signUp };
      return presentToken(await signUp(call.db, call.body.data.attributes, caller, call.now));
    }),

    signIn: managesTransaction(async (call) =>
      presentToken(await signIn(call.db, call.body.data.attributes, callerOf(call), call.now)),
    ),

    async signOut(call) {
      await signOut(call.db, call.actor, bearerIn(call.header('Authorization'))!, call.now);
    },

    async requestPasswordReset(call) {
      await requestPasswordReset(call.db, call.body.data.attributes.email, callerOf(call), call.now);
      return { meta: { success: 'If the address is known here, instructions to reset the password were sent to it.' } };
    },

    checkPasswordToken: managesTransaction(async (call) => {
      await checkResetToken(call.db, call.body.data.attributes.reset_password_token, callerOf(call), call.now);
      return { meta: { success: 'The token is valid. It can be used to set a new password.' } };
    }),

    updatePassword: managesTransaction(async (call) =>
      presentToken(await updatePassword(call.db, call.body.data.attributes, callerOf(call), call.now)),
    ),
  });
}
