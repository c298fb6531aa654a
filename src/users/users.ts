import { sql } from 'kysely';
import { forbidden, notFound, refuse, type Problem } from '../core/errors.ts';
import type { Id } from '../core/ids.ts';
import type { Ref } from '../core/names.ts';
import { authorize, mayChangeEmail, rank, type Actor, type WorkspaceActor } from '../core/permissions.ts';
import { localDay, zoneNamed } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { idsIn, list, text, type Selection } from '../db/list.ts';
import { rowNamed } from '../db/names.ts';
import { avatarColumns } from '../files/avatars.ts';
import { enqueue } from '../jobs/queue.ts';
import { checkReferences, joinWorkspace, requireAnotherAccountAdmin, setAbsenceTypes, setAreas, setRole, setTags, type UserReferences } from './references.ts';
import { rankOf, userColumns, userRows, type UserRow, type UserScope } from './rows.ts';

/** The attributes of a user that are plain columns, and go there as they come. */
export interface UserColumns {
  username?: string;
  tablet_pin?: string | null;
  abbreviation?: string | null;
  hour_holidays?: boolean;
  initial_time_account?: number;
  checkin_complete?: boolean | null;
  start_of_accounting?: string;
  saldo_type?: number;
  salary?: number;
  hours_on_vacation_day?: number;
  home_office?: boolean;
  calc_holiday_options?: string;
  custom_holiday_hours?: number;
  calc_vacation_options?: string;
  working_sessions_creator?: boolean;
  staff_number?: string | null;
  external_id?: string | null;
  birthday?: string | null;
  locale?: string | null;
}

/** What can be said about a user: columns, and what needs more than a column. */
export interface UserInput extends UserColumns, UserReferences {
  email?: string | null;
  time_zone?: string | null;
  avatar?: string | null;
  identifier_pin?: string;
  time_tracking_method_id?: Id | null;
  wage_type_ids?: readonly Id[];
  default_break_ids?: readonly Id[];
  public_holiday_ids?: readonly Id[];
}

const plainColumns: readonly (keyof UserColumns)[] = [
  'username', 'tablet_pin', 'abbreviation', 'hour_holidays', 'initial_time_account', 'checkin_complete', 'start_of_accounting',
  'saldo_type', 'salary', 'hours_on_vacation_day', 'home_office', 'calc_holiday_options', 'custom_holiday_hours',
  'calc_vacation_options', 'working_sessions_creator', 'staff_number', 'external_id', 'birthday', 'locale',
]; // prettier-ignore

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
export const factsOf = (row: UserRow) => ({ id: row.id, rank: rankOf(row), highestRole: row.highest_role, area_ids: row.area_ids });

/**
 * The users whom the actor may read in full. Others are left out rather than masked: a filter or a sort by a masked attribute
 * would tell what the mask hides.
 */
export function listUsers(db: Db, actor: Actor, selection: Selection) {
  const { accountId } = actor;
  let visible = db.selectFrom('users').where('users.account_id', '=', accountId).where('users.deleted_at', 'is', null);
  if (actor.workspace !== null) {
    visible = visible.where(sql<boolean>`exists (
      select from memberships member
      where member.account_id = ${accountId} and member.workspace_id = ${actor.workspace.id} and member.user_id = users.id)`);
  }
  if (actor.rank < rank.workspaceAdmin) {
    const areas = actor.rank === rank.areaAdmin ? actor.areaIds : [];
    visible = visible.where(sql<boolean>`(users.id = ${actor.userId} or exists (
      select from area_members member
      where member.account_id = ${accountId} and member.user_id = users.id and member.area_id = any(${areas}::bigint[])))`);
  }
  return list(
    {
      visible,
      rows: ({ condition, order }) => userRows(db, actor).where(condition).orderBy(order).execute(),
      id: 'users.id',
      columns: { ...userColumns, identifier_pin: pinColumn(actor) },
      named: {
        areas: (value) => sql`exists (
          select from area_members member
          where member.account_id = ${accountId} and member.user_id = users.id and member.area_id = any(${idsIn(value)}::bigint[]))`,
        tags: (value) => sql`exists (
          select from user_tags tagging
          where tagging.account_id = ${accountId} and tagging.user_id = users.id and tagging.tag_id = any(${idsIn(value)}::bigint[]))`,
      },
      defaultSort: ['username'],
    },
    selection,
  );
}

const pinColumn = ({ accountId, workspace }: UserScope) =>
  text(sql`(
    select member.identifier_pin from memberships member
    where member.account_id = ${accountId} and member.user_id = users.id and ${workspace === null ? sql`true` : sql`member.workspace_id = ${workspace.id}`}
    order by member.workspace_id limit 1)`);

/** A new user of the actor's workspace. One with an e-mail address is invited by mail. */
export async function createUser(db: Db, actor: WorkspaceActor, input: UserInput & { username: string }, now: Date): Promise<UserRow> {
  refuse([...(await problemsWith(db, actor, input, null)), ...(await checkReferences(db, actor, input))]);
  const id = await insertUser(
    db,
    actor.accountId,
    { ...input, start_of_accounting: input.start_of_accounting ?? localDay(now, actor.workspace.time_zone) },
    { created_in_workspace: true },
    now,
  );
  await joinWorkspace(db, { accountId: actor.accountId, workspaceId: actor.workspace.id, userId: id }, input.identifier_pin, now);
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
export async function updateUser(db: Db, actor: WorkspaceActor, ref: Ref, change: UserInput & { role_ids?: readonly Id[] }, now: Date): Promise<UserRow> {
  const user = await findUser(db, actor, ref);
  authorize(actor, 'update', 'user', factsOf(user));
  if (changesEmail(user, change) && !mayChangeEmail(actor, factsOf(user))) throw forbidden();
  refuse([...(await problemsWith(db, actor, change, user)), ...(await checkReferences(db, actor, change))]);
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
  if (!changesEmail(user, change)) return;
  await forgetEmail(db, user.account_id, user.id);
  if (change.email) await registerEmail(db, user.account_id, user.id, change.email);
}

/**
 * An account admin deletes the user; a workspace admin takes a user of several workspaces out of this one only. Returns the
 * user as he is afterwards.
 */
export async function deleteUser(db: Db, actor: Actor, ref: Ref, now: Date): Promise<UserRow> {
  const user = await findUser(db, actor, ref);
  authorize(actor, 'destroy', 'user', factsOf(user));
  await requireAnotherAccountAdmin(db, actor.accountId, user.id, 'base');
  const isLeaving = actor.rank < rank.accountAdmin && user.workspace_ids.length > 1;
  await leaveWorkspaces(db, actor, user.id, isLeaving ? actor.workspace!.id : null);
  if (!isLeaving) await removeUser(db, actor.accountId, user.id, now);
  const gone = await userRows(db, actor).where('users.id', '=', user.id).executeTakeFirstOrThrow();
  return { ...gone, identifier_pin: user.identifier_pin };
}

/** Ends everything a user could do, and keeps what he did. */
async function removeUser(db: Db, accountId: number, userId: number, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ status: 'inactive', deleted_at: now, updated_at: now, is_account_admin: false })
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .execute();
  await forgetEmail(db, accountId, userId);
  await db.deleteFrom('access_tokens').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
  await db.deleteFrom('reset_tokens').where('account_id', '=', accountId).where('user_id', '=', userId).execute();
}

async function leaveWorkspaces(db: Db, { accountId }: Actor, userId: number, workspaceId: number | null): Promise<void> {
  const inside = (column: string) => (workspaceId === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ${workspaceId}`);
  await db
    .deleteFrom('area_members')
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('area_id', 'in', db.selectFrom('areas').select('areas.id').where('areas.account_id', '=', accountId).where(inside('areas.workspace_id')))
    .execute();
  await db.deleteFrom('memberships').where('account_id', '=', accountId).where('user_id', '=', userId).where(inside('workspace_id')).execute();
}

/** The columns behind an input, with files stored and zones named as IANA names them. */
async function columnsOf(db: Db, accountId: number, input: UserInput, now: Date) {
  const plain: UserColumns = Object.fromEntries(plainColumns.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]));
  const texts = (ids: readonly Id[] | undefined) => (ids === undefined ? undefined : ids.map(String));
  return {
    ...plain,
    email: input.email,
    time_zone: input.time_zone ? zoneNamed(input.time_zone) : input.time_zone,
    time_tracking_method_id:
      input.time_tracking_method_id === undefined || input.time_tracking_method_id === null
        ? input.time_tracking_method_id
        : String(input.time_tracking_method_id),
    wage_type_ids: texts(input.wage_type_ids),
    default_break_ids: texts(input.default_break_ids),
    public_holiday_ids: texts(input.public_holiday_ids),
    ...(await avatarColumns(db, accountId, input.avatar, now)),
  };
}

/** What the data says against an input: constraints hold these too, but one at a time. */
export async function problemsWith(db: Db, actor: Actor, input: UserInput, user: UserRow | null): Promise<Problem[]> {
  const problems: Problem[] = [];
  if (input.time_zone && !zoneNamed(input.time_zone)) {
    problems.push({
      pointer: 'time_zone',
      title: `time_zone must be a city such as Berlin or an IANA name such as Europe/Berlin, but was "${input.time_zone}".`,
    });
  }
  if (input.email && (await isEmailTaken(db, input.email, user?.id))) {
    problems.push({ pointer: 'email', title: `email "${input.email}" is already used by another user.` });
  }
  if (input.external_id && (await isExternalIdTaken(db, actor.accountId, input.external_id, user?.id))) {
    problems.push({ pointer: 'external_id', title: `external_id "${input.external_id}" is already used by another user of this account.` });
  }
  return problems;
}

const isEmailTaken = async (db: Db, email: string, exceptUserId: number | undefined): Promise<boolean> => {
  const owner = await db.selectFrom('directory_emails').select('user_id').where('email', '=', email.toLowerCase()).executeTakeFirst();
  return owner !== undefined && owner.user_id !== exceptUserId;
};

const isExternalIdTaken = async (db: Db, accountId: number, externalId: string, exceptUserId: number | undefined): Promise<boolean> => {
  const owner = await db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('external_id', '=', externalId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return owner !== undefined && owner.id !== exceptUserId;
};

const registerEmail = (db: Db, accountId: number, userId: number, email: string) =>
  db.insertInto('directory_emails').values({ email: email.toLowerCase(), account_id: accountId, user_id: userId }).execute();

const forgetEmail = (db: Db, accountId: number, userId: number) =>
  db.deleteFrom('directory_emails').where('account_id', '=', accountId).where('user_id', '=', userId).execute();

const setPin = (db: Db, { accountId, workspace }: WorkspaceActor, userId: number, pin: string) =>
  db
    .updateTable('memberships')
    .set({ identifier_pin: pin })
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', userId)
    .execute();
