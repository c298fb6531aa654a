import { sql } from 'kysely';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { text } from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { isInvited } from '../../organisation/users/users.ts';
import type { Invitation } from './pending.ts';

/**
 * The users that an invitation shows: a personal one its user, a general one all users of its workspace who have a personal
 * one or no address. The general one shows no addresses, because colleagues do not see each other's either.
 */
export function listInvitedUsers(db: Db, invitation: Invitation, selection: Selection) {
  const { account_id: accountId, workspace_id: workspaceId, user_id: userId } = invitation;
  const users = db.selectFrom('users').where('users.account_id', '=', accountId);
  const members = users.where('users.deleted_at', 'is', null).where(
    sql<boolean>`exists (
        select from memberships member
        where member.account_id = ${accountId} and member.workspace_id = ${workspaceId} and member.user_id = users.id)`,
  );
  const withoutAddress = sql<boolean>`(users.email is null and users.status = 'active')`;
  const visible =
    userId === null
      ? members.where(({ or }) => or([isInvited(accountId), withoutAddress]))
      : members.where(isInvited(accountId)).where('users.id', '=', userId);
  const email = userId === null ? sql<string>`''` : sql<string>`coalesce(users.email, '')`;
  // A general invitation tells whether there is an address, by a text that none contains.
  const filtered = userId === null ? sql`case when users.email is null then '' else ' ' end` : email;
  return list(
    db,
    {
      visible,
      rows: users.select(['users.id', 'users.username', email.as('email')]),
      id: 'users.id',
      columns: listColumns('listInvitedUsers', 'users', { email: text(filtered) }),
      timeZone: invitation.time_zone,
      defaultSort: ['username'],
    },
    selection,
  );
}
