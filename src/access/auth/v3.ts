import type { Config } from '../../platform/config.ts';
import { managesTransaction } from '../../platform/http/handlers.ts';
import { callerOf } from './caller.ts';
import { v3 } from '../../platform/http/v3.ts';
import { addressHeldBy } from './proven_addresses.ts';
import {
  checkResetToken,
  confirmEmail,
  requestPasswordReset,
  signIn,
  signOut,
  signUp,
  updatePassword,
} from './auth.ts';
import { presentToken } from './resource.ts';

export function authHandlers({ signUp: isOpen, limits, sessions }: Pick<Config, 'signUp' | 'limits' | 'sessions'>) {
  return v3.part({
    signUp: managesTransaction(async (call) => {
      const caller = { ...callerOf(call, limits), isOpen };
      return presentToken(await signUp(call.db, call.body.data.attributes, caller, call.now), sessions);
    }),

    signIn: managesTransaction(async (call) =>
      presentToken(await signIn(call.db, call.body.data.attributes, callerOf(call, limits), call.now), sessions),
    ),

    async signOut(call) {
      await signOut(call.db, call.actor, call.now);
    },

    async requestPasswordReset(call) {
      await requestPasswordReset(call.db, call.body.data.attributes.email, callerOf(call, limits), call.now);
      return { meta: { success: 'If the address is known here, instructions to reset the password were sent to it.' } };
    },

    checkPasswordToken: managesTransaction(async (call) => {
      const { reset_password_token } = call.body.data.attributes;
      const { rival } = await checkResetToken(call.db, reset_password_token, callerOf(call, limits), call.now);
      const success = 'The token is valid. It can be used to set a new password.';
      return { meta: { success, address_held_by: addressHeldBy(rival) } };
    }),

    confirmEmail: managesTransaction(async (call) => {
      await confirmEmail(call.db, call.body.data.attributes.confirmation_token, callerOf(call, limits), call.now);
      return { meta: { success: 'The e-mail address is confirmed.' } };
    }),

    updatePassword: managesTransaction(async (call) =>
      presentToken(
        await updatePassword(call.db, call.body.data.attributes, callerOf(call, limits), call.now),
        sessions,
      ),
    ),
  });
}
