import { sql } from 'kysely';
import type { WorkspaceActor } from '../../../platform/core/permissions.ts';
import type { Db } from '../../../platform/db/connection.ts';
import { listColumns } from '../../../platform/db/list/columns.ts';
import { list, type Selection } from '../../../platform/db/list/list.ts';

const columns = listColumns('listSuggestedFollowers', 'users');

/** The active users of the actor's workspace, with their names only. */
export function listSuggestedFollowers(db: Db, { accountId, workspace }: WorkspaceActor, selection: Selection) {
  const users = db.selectFrom('users').where('users.account_id', '=', accountId);
  const visible = users
    .where('users.deleted_at', 'is', null)
    .where('users.status', '=', 'active')
    .where(
      sql<boolean>`exists (
        select from memberships member
        where member.account_id = ${accountId} and member.workspace_id = ${workspace.id} and member.user_id = users.id)`,
    );
  return list(
    db,
    {
      visible,
      rows: users.select(['users.id', 'users.username']),
      id: 'users.id',
      columns,
      timeZone: workspace.time_zone,
      defaultSort: ['username'],
    },
    selection,
  );
}
