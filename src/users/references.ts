import { sql } from 'kysely';
import { invalid, refuse, type Problem } from '../core/errors.ts';
import { numericIds, unknownIds, type Id } from '../core/ids.ts';
import {
  authorize,
  highestRole,
  isAccountAdmin,
  isRole,
  membershipRole,
  rankOf,
  type Actor,
  type WorkspaceActor,
} from '../core/permissions.ts';
import { newPin } from '../core/secrets.ts';
import type { Db } from '../db/connection.ts';
import type { UserRow, UserScope } from './rows.ts';

/** The records a user can be tied to, by their ids. All must belong to the workspace at hand. */
export interface UserReferences {
  area_ids?: readonly Id[];
  filter_ids?: readonly Id[];
  tag_ids?: readonly Id[];
  absence_type_ids?: readonly Id[];
}

/** Every id that leads nowhere, in one go. */
export async function checkReferences(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  input: UserReferences,
): Promise<Problem[]> {
  const known = {
    areas: (ids: number[]) =>
      db
        .selectFrom('areas')
        .select('id')
        .where('account_id', '=', accountId)
        .where('workspace_id', '=', workspace.id)
        .where('status', '=', 'active')
        .where('id', 'in', ids)
        .execute(),
    tags: (ids: number[]) =>
      db
        .selectFrom('tags')
        .select('id')
        .where('account_id', '=', accountId)
        .where('workspace_id', '=', workspace.id)
        .where('id', 'in', ids)
        .execute(),
    types: (ids: number[]) =>
      db
        .selectFrom('absence_types')
        .select('id')
        .where('account_id', '=', accountId)
        .where('workspace_id', '=', workspace.id)
        .where('active', '=', true)
        .where('id', 'in', ids)
        .execute(),
  };
  const check = async (
    pointer: keyof UserReferences,
    find: (ids: number[]) => Promise<{ id: number }[]>,
    what: string,
  ): Promise<Problem[]> => {
    const { numbers, impossible } = numericIds(input[pointer] ?? []);
    const found = new Set(numbers.length === 0 ? [] : (await find(numbers)).map(({ id }) => id));
    return unknownIds(pointer, [...impossible, ...numbers.filter((id) => !found.has(id))], what);
  };
  return [
    ...(await check('area_ids', known.areas, 'active area of this workspace')),
    ...(await check('filter_ids', known.tags, 'tag of this workspace')),
    ...(await check('tag_ids', known.tags, 'tag of this workspace')),
    ...(await check('absence_type_ids', known.types, 'absence type of this workspace')),
  ];
}

/** Every id that is no user of the workspace, in one problem. */
export async function memberProblems(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  pointer: string,
  ids: readonly Id[],
): Promise<Problem[]> {
  const { numbers, impossible } = numericIds(ids);
  const members =
    numbers.length === 0
      ? []
      : await db
          .selectFrom('memberships')
          .select('user_id')
          .where('account_id', '=', accountId)
          .where('workspace_id', '=', workspace.id)
          .where('user_id', 'in', numbers)
          .execute();
  const known = new Set(members.map((member) => member.user_id));
  return unknownIds(pointer, [...impossible, ...numbers.filter((id) => !known.has(id))], 'user of this workspace');
}

/** Makes a user a member of a workspace, with a PIN there and all of its absence types. */
export async function joinWorkspace(
  db: Db,
  place: { accountId: number; workspaceId: number; userId: number },
  pin: string | undefined,
  now: Date,
): Promise<void> {
  const { accountId, workspaceId, userId } = place;
  await db
    .insertInto('memberships')
    .values({
      account_id: accountId,
      workspace_id: workspaceId,
      user_id: userId,
      identifier_pin: pin ?? (await freePin(db, accountId, workspaceId)),
      created_at: now,
    })
    .execute();
  await db
    .insertInto('user_absence_types')
    .columns(['account_id', 'user_id', 'absence_type_id'])
    .expression((from) =>
      from
        .selectFrom('absence_types')
        .select((eb) => [eb.val(accountId).as('account_id'), eb.val(userId).as('user_id'), 'absence_types.id'])
        .where('absence_types.account_id', '=', accountId)
        .where('absence_types.workspace_id', '=', workspaceId)
        .where('absence_types.active', '=', true),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A PIN nobody has here. Two who join at the same moment may draw the same; the constraint then refuses one of them. */
async function freePin(db: Db, accountId: number, workspaceId: number): Promise<string> {
  for (;;) {
    const pins = Array.from({ length: 20 }, newPin);
    const taken = await db
      .selectFrom('memberships')
      .select('identifier_pin')
      .where('account_id', '=', accountId)
      .where('workspace_id', '=', workspaceId)
      .where('identifier_pin', 'in', pins)
      .execute();
    const free = pins.find((pin) => !taken.some((row) => row.identifier_pin === pin));
    if (free) return free;
  }
}

/** The tables that tie a user to records of a workspace, with the column that names the record. */
const ties = {
  area_members: { column: 'area_id', records: 'areas' },
  user_tags: { column: 'tag_id', records: 'tags' },
  user_absence_types: { column: 'absence_type_id', records: 'absence_types' },
} as const;

/**
 * Ties the user to exactly these records of the workspace, or of the whole account. Only what changes is written, so that
 * those who write the same at the same moment, from either side of a tie, do not wait for each other.
 */
const tieTo =
  (table: keyof typeof ties) =>
  async (db: Db, { accountId, workspace }: UserScope, userId: number, ids: readonly Id[]) => {
    const { numbers } = numericIds(ids);
    const column = sql.ref(ties[table].column);
    const here = workspace === null ? sql`true` : sql`workspace_id = ${workspace.id}`;
    await sql`
    delete from ${sql.table(table)}
    where account_id = ${accountId} and user_id = ${userId} and ${column} <> all(${numbers}::bigint[])
      and ${column} in (select id from ${sql.table(ties[table].records)} where account_id = ${accountId} and ${here})`.execute(
      db,
    );
    await sql`
    insert into ${sql.table(table)} (account_id, user_id, ${column})
    select ${accountId}::bigint, ${userId}::bigint, unnest(${numbers}::bigint[])
    on conflict do nothing`.execute(db);
  };

/** Replaces the user's areas in this workspace, or in the whole account. */
export const setAreas = tieTo('area_members');

/** Replaces the user's tags of this workspace, or of the whole account. */
export const setTags = tieTo('user_tags');

/** Replaces the absence types that the user may take, of this workspace or of the whole account. */
export const setAbsenceTypes = tieTo('user_absence_types');

/**
 * Gives the user the highest of the roles named, or that of an employee where none is. Nobody changes his own roles, account
 * admins alone give and take the highest one, and the last of them stays.
 */
export async function setRole(db: Db, actor: WorkspaceActor, user: UserRow, roleIds: readonly Id[]): Promise<void> {
  const { numbers, impossible } = numericIds(roleIds);
  const unknown = [...impossible, ...numbers.filter((id) => !isRole(id))];
  refuse(
    unknownIds(
      'role_ids',
      unknown,
      'role. The roles are 1 employee, 2 working_area_admin, 3 workspace_admin and 4 account_admin',
    ),
  );
  const wanted = highestRole(numbers.filter(isRole));
  if (wanted === rankOf(user)) return;
  authorize(actor, 'update_role', 'user', user);
  const becomesAccountAdmin = isAccountAdmin({ rank: wanted });
  if (becomesAccountAdmin !== user.is_account_admin) await setAccountAdmin(db, actor, user, becomesAccountAdmin);
  await db
    .updateTable('memberships')
    .set({ role: membershipRole(wanted) })
    .where('account_id', '=', actor.accountId)
    .where('workspace_id', '=', actor.workspace.id)
    .where('user_id', '=', user.id)
    .execute();
}

async function setAccountAdmin(db: Db, actor: Actor, user: UserRow, isAccountAdmin: boolean): Promise<void> {
  authorize(actor, 'update_account_admin_role', 'user', user);
  if (!isAccountAdmin) await requireAnotherAccountAdmin(db, actor.accountId, user.id, 'role_ids');
  await db
    .updateTable('users')
    .set({ is_account_admin: isAccountAdmin })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', user.id)
    .execute();
}

/** The last account admin of an account who can sign in stays. */
export async function requireAnotherAccountAdmin(
  db: Db,
  accountId: number,
  userId: number,
  pointer: string,
): Promise<void> {
  // Locks every account admin, so that two of them cannot go at the same moment.
  const admins = await db
    .selectFrom('users')
    .select(['id', 'status'])
    .where('account_id', '=', accountId)
    .where('is_account_admin', '=', true)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  if (
    admins.some(({ id }) => id === userId) &&
    !admins.some(({ id, status }) => id !== userId && status === 'active')
  ) {
    throw invalid(pointer, 'This would leave the account without an account admin.');
  }
}
