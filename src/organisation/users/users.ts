import { sql } from 'kysely';
import { notFound } from '../../platform/core/errors.ts';
import type { Ref } from '../../platform/core/names.ts';
import { authorize, type Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { flagIn, idsIn, namedFilter, text, type NamedFilter } from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { rowNamed } from '../../platform/db/names.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { readableBy } from '../../platform/db/visibility.ts';
import { factsOfUser, userColumns, userRows, type UserRow, type UserScope } from './rows.ts';

const existingUsers = (db: Db, scope: UserScope) => {
  const rows = userRows(db, scope).where('users.deleted_at', 'is', null);
  return scope.workspace === null ? rows : rows.where('membership.user_id', 'is not', null);
};

/** One user of the scope; a miss is 404. */
export async function findUser(db: Db, scope: UserScope, ref: Ref): Promise<UserRow> {
  const row = await userNamed(db, scope, ref);
  if (!row) throw notFound('user');
  return row;
}

/** One user of the scope, or undefined. */
export const userNamed = (db: Db, scope: UserScope, ref: Ref): Promise<UserRow | undefined> =>
  rowNamed('users', ref, (condition) => existingUsers(db, scope).where(condition).execute());

/** One user that the actor may read in full; 404 for an unknown user, 403 for any other. */
export async function showUser(db: Db, actor: Actor, ref: Ref): Promise<UserRow> {
  const row = await findUser(db, actor, ref);
  authorize(actor, 'read', 'user', factsOfUser(row));
  return row;
}

/** The calling user. Account admins find themselves in every workspace of the account, as members or not. */
export async function findSelf(db: Db, actor: Actor): Promise<UserRow> {
  const row = await userRows(db, actor).where('users.id', '=', actor.userId).executeTakeFirst();
  if (!row) throw notFound('user');
  return row;
}

/** The users that records refer to, including deleted ones. */
export const usersByIds = (db: Db, scope: UserScope, ids: readonly number[]): Promise<UserRow[]> =>
  rowsByIds(userRows(db, scope), 'users.id', ids);

/**
 * The users that the actor may read in full. The others are left out instead of masked: a filter or a sort by a masked
 * attribute would reveal it.
 */
export function listUsers(db: Db, actor: Actor, selection: Selection) {
  const { accountId } = actor;
  let visible = db
    .selectFrom('users')
    .where('users.account_id', '=', accountId)
    .where('users.deleted_at', 'is', null)
    .where(readableBy(actor, 'user'));
  if (actor.workspace !== null) {
    visible = visible.where(sql<boolean>`exists (
      select from memberships member
      where member.account_id = ${accountId} and member.workspace_id = ${actor.workspace.id} and member.user_id = users.id)`);
  }
  return list(
    db,
    {
      visible,
      rows: userRows(db, actor),
      id: 'users.id',
      columns: { ...userColumns, identifier_pin: pinColumn(actor) },
      named: userFilters(accountId),
      timeZone: actor.workspace?.time_zone ?? 'UTC',
      defaultSort: ['username'],
    },
    selection,
  );
}

/** Whether a user has a personal invitation that they can still use. */
export const isInvited = (accountId: number) =>
  sql<boolean>`(users.password_hash is null and users.status = 'active' and exists (
    select from invitations invitation
    where invitation.account_id = ${accountId} and invitation.user_id = users.id and invitation.used_at is null))`;

/** The filters of lists of users that are no columns. */
export const userFilters = (accountId: number): Record<string, NamedFilter> => ({
  areas: namedFilter(
    idsIn,
    (ids) => sql`exists (
    select from area_members member
    where member.account_id = ${accountId} and member.user_id = users.id and member.area_id = any(${ids}::bigint[]))`,
  ),
  tags: namedFilter(
    idsIn,
    (ids) => sql`exists (
    select from user_tags tagging
    where tagging.account_id = ${accountId} and tagging.user_id = users.id and tagging.tag_id = any(${ids}::bigint[]))`,
  ),
  absence_types_id_in: namedFilter(idsIn, (ids) => sql`${usableTypes(accountId, ids)} > 0`),
  intersecting_absence_types: namedFilter(idsIn, (ids) => sql`${usableTypes(accountId, ids)} = ${new Set(ids).size}`),
  with_pending_invitation: namedFilter(flagIn, (isPending) => sql`${isInvited(accountId)} = ${isPending}`),
});

/** How many of these absence types a user may use. */
const usableTypes = (accountId: number, ids: readonly number[]) => sql<number>`(
  select count(*) from user_absence_types usable
  join absence_types type on type.account_id = ${accountId} and type.id = usable.absence_type_id
  where usable.account_id = ${accountId} and usable.user_id = users.id and type.active and type.id = any(${ids}::bigint[]))`;

const pinColumn = ({ accountId, workspace }: UserScope) =>
  text(sql`(
    select member.identifier_pin from memberships member
    where member.account_id = ${accountId} and member.user_id = users.id and ${workspace === null ? sql`true` : sql`member.workspace_id = ${workspace.id}`}
    order by member.workspace_id limit 1)`);
