import { invalid, refuse } from '../../platform/core/errors.ts';
import { numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import { authorize, type Actor, type WorkspaceActor } from '../../platform/core/permissions.ts';
import { highestRole, isRole, rankOf, storedRank } from '../../platform/core/ranks.ts';
import { lockAccountAdmins } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { factsOfUser, type UserRow } from './rows.ts';

/** Gives the user the highest of the roles, or the role of an employee where there are none. The last account admin stays one. */
export async function setRole(
  db: OpenTransaction,
  actor: WorkspaceActor,
  user: UserRow,
  roleIds: readonly Id[],
): Promise<void> {
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
  authorize(actor, 'update_role', 'user', factsOfUser(user));
  const { is_account_admin, role } = storedRank(wanted);
  if (is_account_admin !== user.is_account_admin) await setAccountAdmin(db, actor, user, is_account_admin);
  await db
    .updateTable('memberships')
    .set({ role })
    .where('account_id', '=', actor.accountId)
    .where('workspace_id', '=', actor.workspace.id)
    .where('user_id', '=', user.id)
    .execute();
}

async function setAccountAdmin(
  db: OpenTransaction,
  actor: Actor,
  user: UserRow,
  is_account_admin: boolean,
): Promise<void> {
  authorize(actor, 'update_account_admin_role', 'user', factsOfUser(user));
  if (!is_account_admin) await requireAnotherAccountAdmin(db, actor.accountId, user.id, 'role_ids');
  await db
    .updateTable('users')
    .set({ is_account_admin })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', user.id)
    .execute();
}

/** Refuses to take away the last account admin who can sign in. */
export async function requireAnotherAccountAdmin(
  tx: OpenTransaction,
  accountId: number,
  userId: number,
  pointer: string,
): Promise<void> {
  const admins = await lockAccountAdmins(tx, { accountId });
  const isAdmin = admins.some(({ id }) => id === userId);
  const hasAnother = admins.some(({ id, status }) => id !== userId && status === 'active');
  if (isAdmin && !hasAnother)
    throw invalid('protected', pointer, 'This would leave the account without an account admin.');
}
