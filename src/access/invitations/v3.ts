import * as fields from '../../../generated/fields.ts';
import { callerOf } from '../auth/caller.ts';
import { presentToken } from '../auth/resource.ts';
import { addressHeldBy } from '../auth/proven_addresses.ts';
import type { Config } from '../../platform/config.ts';
import { managesTransaction } from '../../platform/http/handlers.ts';
import { resource } from '../../platform/http/answers/jsonapi.ts';
import { v3 } from '../../platform/http/v3.ts';
import { createInvitation, inviteUsers } from './invitations.ts';
import { listInvitedUsers } from './invited_users.ts';
import { joinWithInvitation } from './join.ts';
import { findInvitation, rivalOf } from './pending.ts';

const invitedUser = resource('invited_user', fields.InvitedUser);
const userInvitation = resource('user_invitation', fields.UserInvitation);

export function invitationHandlers({ appUrl, limits, sessions }: Pick<Config, 'appUrl' | 'limits' | 'sessions'>) {
  return v3.part({
    async createInvitation({ db, actor, body, now }) {
      const message = await createInvitation(db, actor, body?.data.attributes ?? {}, appUrl, now);
      return { meta: { message }, headers: { 'Cache-Control': 'no-store' } };
    },

    async batchInvitations({ db, actor, body, now }) {
      const count = await inviteUsers(db, actor, body.data.attributes, now);
      return { meta: { message: `${count} ${count === 1 ? 'invitation' : 'invitations'} will be sent by mail.` } };
    },

    async getInvitedUser(call) {
      const { invite_token: token } = call.query;
      const found = await findInvitation(call.db, token, 'invite_token', callerOf(call, limits), call.now);
      const { user_id, username, email } = found;
      const id = user_id === null ? token : String(user_id);
      return { data: invitedUser({ id, email: email ?? '', username: username ?? '' }) };
    },

    async getInvitation(call) {
      const { invite_token: token } = call.params;
      const found = await findInvitation(call.db, token, 'invite_token', callerOf(call, limits), call.now);
      const { checkin: user_checkin, welcome_message } = found;
      const address_held_by = addressHeldBy(await rivalOf(call.db, found));
      return { data: userInvitation({ id: token, user_checkin, welcome_message, address_held_by }) };
    },

    async listInvitedUsers(call) {
      const { invite_token: token } = call.query;
      const invitation = await findInvitation(call.db, token, 'invite_token', callerOf(call, limits), call.now);
      const { rows, paging } = await listInvitedUsers(call.db, invitation, call.queryOptions);
      const data = rows.map(({ id, email, username }) => invitedUser({ id, email, username }));
      return { data, meta: paging };
    },

    joinWorkspace: managesTransaction(async (call) =>
      presentToken(
        await joinWithInvitation(call.db, call.body.data.attributes, callerOf(call, limits), call.now),
        sessions,
      ),
    ),
  });
}
