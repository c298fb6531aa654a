import { sql } from 'kysely';
import { notFound, refuse, type Problem } from '../core/errors.ts';
import type { Id } from '../core/ids.ts';
import type { Ref } from '../core/names.ts';
import { authorize, rankOf, type Actor, type WorkspaceActor } from '../core/permissions.ts';
import { localDay } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { idsIn, text, type NamedFilter } from '../db/filters.ts';
import { list, type Selection } from '../db/list.ts';
import { rowNamed } from '../db/names.ts';
import { readableBy } from '../db/visibility.ts';
import { forgetReplacedAvatar } from '../files/avatars.ts';
import { enqueue } from '../jobs/queue.ts';
import { columnsOf, forgetEmail, problemsWith, registerEmail, type UserInput } from './input.ts';
import { checkReferences, joinWorkspace, setAbsenceTypes, setAreas, setRole, setTags } from './references.ts';
import { userColumns, userRows, type UserRow, type UserScope } from './rows.ts';

const live = (db: Db, scope: UserScope) => {
  const rows = userRows(db, scope).where('users.deleted_at', 'is', null);
  return scope.workspace === null ? rows : rows.where('membership.user_id', 'is not', null);
};

/** One user of the scope, whoever asks; a miss is 404. */
export async function findUser(db: Db, scope: UserScope, ref: Ref): Promise<UserRow> {
  const row = await userNamed(db, scope, ref);
  if (!row) throw notFound('user');
  return row;
}

/** One user of the scope, by either of his names, or undefined. */
export const userNamed = (db: Db, scope: UserScope, ref: Ref): Promise<UserRow | undefined> =>
  rowNamed('users', ref, (condition) => live(db, scope).where(condition).execute());

/** One user whom the actor may read in full. */
export async function showUser(db: Db, actor: Actor, ref: Ref): Promise<UserRow> {
  const row = await findUser(db, actor, ref);
  authorize(actor, 'read', 'user', factsOf(row));
  return row;
}

/** The calling user. An account admin is shown in every workspace of his account, also where he is no member. */
export async function findSelf(db: Db, actor: Actor): Promise<UserRow> {
  const row = await userRows(db, actor).where('users.id', '=', actor.userId).executeTakeFirst();
  if (!row) throw notFound('user');
  return row;
}

/** The users that lists of records refer to, deleted ones too: records outlive their users. */
export const usersByIds = (db: Db, scope: UserScope, ids: readonly number[]): Promise<UserRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : userRows(db, scope)
        .where('users.id', 'in', [...new Set(ids)])
        .orderBy('users.id')
        .execute();

/** What the rules need to know of a user. */
export const factsOf = (row: UserRow) => ({
  id: row.id,
  rank: rankOf(row),
  highestRole: row.highest_role,
  area_ids: row.area_ids,
});

/**
 * The users whom the actor may read in full. Others are left out rather than masked: a filter or a sort by a masked attribute
 * would tell what the mask hides.
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
      defaultSort: ['username'],
    },
    selection,
  );
}

/** The filters of lists of users that take a bare value. */
export const userFilters = (accountId: number): Record<string, NamedFilter> => ({
  areas: (value) => sql`exists (
    select from area_members member
    where member.account_id = ${accountId} and member.user_id = users.id and member.area_id = any(${idsIn(value)}::bigint[]))`,
  tags: (value) => sql`exists (
    select from user_tags tagging
    where tagging.account_id = ${accountId} and tagging.user_id = users.id and tagging.tag_id = any(${idsIn(value)}::bigint[]))`,
});

const pinColumn = ({ accountId, workspace }: UserScope) =>
  text(sql`(
    select member.identifier_pin from memberships member
    where member.account_id = ${accountId} and member.user_id = users.id and ${workspace === null ? sql`true` : sql`member.workspace_id = ${workspace.id}`}
    order by member.workspace_id limit 1)`);

/** A new user of the actor's workspace. One with an e-mail address is invited by mail. */
export async function createUser(
  db: Db,
  actor: WorkspaceActor,
  input: UserInput & { username: string },
  now: Date,
): Promise<UserRow> {
  refuse([
    ...(await problemsWith(db, actor, input, null)),
    ...(await pinProblems(db, actor, input, null)),
    ...(await checkReferences(db, actor, input)),
  ]);
  const id = await insertUser(
    db,
    actor.accountId,
    { ...input, start_of_accounting: input.start_of_accounting ?? localDay(now, actor.workspace.time_zone) },
    { created_in_workspace: true },
    now,
  );
  await joinWorkspace(
    db,
    { accountId: actor.accountId, workspaceId: actor.workspace.id, userId: id },
    input.identifier_pin,
    now,
  );
  await setAreas(db, actor, id, input.area_ids ?? []);
  await setTags(db, actor, id, input.filter_ids ?? []);
  if (input.absence_type_ids) await setAbsenceTypes(db, actor, id, input.absence_type_ids);
  if (input.email) await enqueue(db, 'invitation', { accountId: actor.accountId, userId: id });
  return findUser(db, actor, id);
}

/** The row itself and its entry in the directory of e-mail addresses. */
export async function insertUser(
  db: Db,
  accountId: number,
  input: UserInput & { username: string; start_of_accounting: string },
  own: { created_in_workspace: boolean; is_account_admin?: boolean; password_hash?: string },
  now: Date,
): Promise<number> {
  const { id } = await db
    .insertInto('users')
    .values({
      ...(await columnsOf(db, accountId, input, now)),
      ...own,
      account_id: accountId,
      username: input.username,
      start_of_accounting: input.start_of_accounting,
      recognition_color_variant: sql<number>`1 + floor(random() * 8)`,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (input.email) await registerEmail(db, accountId, id, input.email);
  return id;
}

/** Changes what is given and leaves the rest alone. */
export async function updateUser(
  db: Db,
  actor: WorkspaceActor,
  ref: Ref,
  change: UserInput & { role_ids?: readonly Id[] },
  now: Date,
): Promise<UserRow> {
  const user = await findUser(db, actor, ref);
  authorize(actor, 'update', 'user', factsOf(user));
  if (changesEmail(user, change)) authorize(actor, 'change_email', 'user', factsOf(user));
  refuse([
    ...(await problemsWith(db, actor, change, user)),
    ...(await pinProblems(db, actor, change, user.id)),
    ...(await checkReferences(db, actor, change)),
  ]);
  await changeUser(db, user, change, now);
  if (change.identifier_pin) await setPin(db, actor, user.id, change.identifier_pin);
  if (change.area_ids) await setAreas(db, actor, user.id, change.area_ids);
  if (change.tag_ids ?? change.filter_ids) await setTags(db, actor, user.id, (change.tag_ids ?? change.filter_ids)!);
  if (change.absence_type_ids) await setAbsenceTypes(db, actor, user.id, change.absence_type_ids);
  if (change.role_ids) await setRole(db, actor, user, change.role_ids);
  return findUser(db, actor, user.id);
}

const changesEmail = (user: UserRow, { email }: UserInput): boolean => email !== undefined && email !== user.email;

/** The columns of a user, and his entry in the directory of e-mail addresses. */
export async function changeUser(db: Db, user: UserRow, change: UserInput, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ ...(await columnsOf(db, user.account_id, change, now)), updated_at: now })
    .where('account_id', '=', user.account_id)
    .where('id', '=', user.id)
    .execute();
  await forgetReplacedAvatar(db, user, change);
  if (!changesEmail(user, change)) return;
  await forgetEmail(db, user.account_id, user.id);
  // What was mailed to the old address must not open the account any more.
  await db
    .deleteFrom('reset_tokens')
    .where('account_id', '=', user.account_id)
    .where('user_id', '=', user.id)
    .execute();
  if (change.email) await registerEmail(db, user.account_id, user.id, change.email);
}

/** A PIN names one person at the terminals of a workspace. */
async function pinProblems(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  { identifier_pin: pin }: Pick<UserInput, 'identifier_pin'>,
  userId: number | null,
): Promise<Problem[]> {
  if (pin === undefined) return [];
  const owner = await db
    .selectFrom('memberships')
    .select('user_id')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where('identifier_pin', '=', pin)
    .where('user_id', 'is distinct from', userId)
    .executeTakeFirst();
  return owner
    ? [{ pointer: 'identifier_pin', title: 'identifier_pin is already used by another user of this workspace.' }]
    : [];
}

const setPin = (db: Db, { accountId, workspace }: WorkspaceActor, userId: number, pin: string) =>
  db
    .updateTable('memberships')
    .set({ identifier_pin: pin })
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', userId)
    .execute();
