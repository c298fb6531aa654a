import type { Problem } from '../../platform/core/errors.ts';
import { numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { newPin } from '../../platform/core/secrets.ts';
import type { Db } from '../../platform/db/connection.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';

/** One problem that lists every id that is no user of the workspace. */
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
          .where(isAnyOf('user_id', numbers))
          .execute();
  const known = new Set(members.map((member) => member.user_id));
  return unknownIds(pointer, [...impossible, ...numbers.filter((id) => !known.has(id))], 'user of this workspace');
}

/** Makes a user a member of a workspace, with a PIN and all absence types of the workspace. */
export async function joinWorkspace(
  db: Db,
  { accountId, workspaceId, userId }: { accountId: number; workspaceId: number; userId: number },
  pin: string | undefined,
  now: Date,
): Promise<void> {
  await db
    .insertInto('memberships')
    .values({
      account_id: accountId,
      workspace_id: workspaceId,
      user_id: userId,
      identifier_pin: pin ?? (await unusedPin(db, accountId, workspaceId)),
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
    .returning('account_id')
    .execute();
}

/** A PIN that no user has in the workspace. If two users draw the same PIN at the same time, the unique index refuses one. */
async function unusedPin(db: Db, accountId: number, workspaceId: number): Promise<string> {
  for (;;) {
    const pins = Array.from({ length: 20 }, newPin);
    const taken = await db
      .selectFrom('memberships')
      .select('identifier_pin')
      .where('account_id', '=', accountId)
      .where('workspace_id', '=', workspaceId)
      .where(isAnyOf('identifier_pin', pins))
      .execute();
    const unused = pins.find((pin) => !taken.some((row) => row.identifier_pin === pin));
    if (unused) return unused;
  }
}

/** The problem of a PIN that another user of the workspace has: a PIN identifies one person at its terminals. */
export async function pinProblems(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  pin: string | undefined,
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
  // The title does not repeat the PIN, which is a secret of another user.
  return owner
    ? [
        {
          code: 'taken',
          pointer: 'identifier_pin',
          title: 'identifier_pin is already used by another user of this workspace.',
        },
      ]
    : [];
}

/** Changes the user's PIN in the workspace. */
export const setPin = (db: Db, { accountId, workspace }: WorkspaceActor, userId: number, pin: string) =>
  db
    .updateTable('memberships')
    .set({ identifier_pin: pin })
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', userId)
    .execute();
