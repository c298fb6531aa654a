import { sql } from 'kysely';
import { notFound } from '../../platform/core/errors.ts';
import type { Names } from '../../platform/core/names.ts';
import { may, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { number, text, type Columns } from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { conditionsIn } from '../../platform/db/list/read_filters.ts';
import { userRows, type UserRow, type UserScope } from './rows.ts';
import { userNamed, usersByIds } from './users.ts';

/*
 * Leavers: users who are no members of the workspace any more, but have time trackings or absences in it. Sums over the
 * workspace include their hours, so admins can ask who they are.
 */

const columns: Columns = {
  id: number('users.id'),
  username: text('users.username'),
  status: text(sql`'deleted'::text`),
};

/** Whether the actor asks for leavers, by `filter[status]=eq:deleted`, and may see them. */
export const asksForLeavers = (actor: WorkspaceActor, { filter }: Pick<Selection, 'filter'>): boolean =>
  may(actor, 'see_leavers', 'workspace', actor.workspace) &&
  conditionsIn({ columns: { status: columns['status']! }, timeZone: actor.workspace.time_zone }, filter).some(
    (condition) => condition.matcher === 'eq' && condition.value === 'deleted',
  );

/** The leavers of the actor's workspace. Present them as colleagues: they may still work in another workspace, whose admins alone see the rest. */
export async function listLeavers(db: Db, actor: WorkspaceActor, selection: Selection) {
  const { accountId, workspace } = actor;
  const isOf = (table: string) => sql`
    ${sql.ref(`${table}.account_id`)} = ${accountId} and ${sql.ref(`${table}.workspace_id`)} = ${workspace.id} and ${sql.ref(`${table}.user_id`)} = users.id`;
  const visible = db
    .selectFrom('users')
    .where('users.account_id', '=', accountId)
    .where(sql<boolean>`not exists (select from memberships where ${isOf('memberships')})`)
    .where(
      sql<boolean>`(exists (select from time_trackings where ${isOf('time_trackings')}) or exists (select from absences where ${isOf('absences')}))`,
    );
  const { rows, paging } = await list(
    db,
    {
      visible,
      rows: userRows(db, actor),
      id: 'users.id',
      columns,
      timeZone: workspace.time_zone,
      defaultSort: ['username'],
    },
    selection,
  );
  return { rows: rows.map((row): UserRow => ({ ...row, status: 'inactive' })), paging };
}

/** One user of the scope, also a deleted one who is named by id: leavers are paid out. A miss is 404. */
export async function findUserOrLeaver(db: Db, scope: UserScope, names: Names): Promise<UserRow> {
  const { id, external_id } = names;
  const existing = await userNamed(db, scope, names);
  const [leaver] = existing || id === undefined || external_id !== undefined ? [] : await usersByIds(db, scope, [id]);
  const user = existing ?? leaver;
  if (!user) throw notFound('user');
  return user;
}
