import { sql } from 'kysely';
import type { Db } from '../db/connection.ts';
import { listColumns } from '../db/list/columns.ts';
import { text } from '../db/list/filters.ts';
import { list, type Selection } from '../db/list/list.ts';
import { isInvited } from '../users/users.ts';
import type { Invitation } from './pending.ts';

/**
 * The users that an invitation shows: a personal one its user, a general one all users of its workspace who have a personal
 * one. The general one shows no addresses, because colleagues do not see each other's either.
 */
export function listInvitedUsers(db: Db, invitation: Invitation, selection: Selection) {
  const { account_id: accountId, workspace_id: workspaceId, user_id: userId } = invitation;
  const users = db.selectFrom('users').where('users.account_id', '=', accountId);
  const pending = users
    .where('users.deleted_at', 'is', null)
    .where(isInvited(accountId))
    .where(
      sql<boolean>`exists (
        select from memberships member
        where member.account_id = ${accountId} and member.workspace_id = ${workspaceId} and member.user_id = users.id)`,
    );
  const email = userId === null ? sql<string>`''` : sql<string>`coalesce(users.email, '')`;
  return list(
    db,
    {
      visible: userId === null ? pending : pending.where('users.id', '=', userId),
      rows: users.select(['users.id', 'users.username', email.as('email')]),
      id: 'users.id',
      columns: listColumns('listInvitedUsers', 'users', { email: text(email) }),
      timeZone: invitation.time_zone,
      defaultSort: ['username'],
    },
    selection,
  );
}
