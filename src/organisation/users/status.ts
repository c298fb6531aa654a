import type { Id } from '../../platform/core/ids.ts';
import type { Ref } from '../../platform/core/names.ts';
import { authorize, type Actor, type WorkspaceActor } from '../../platform/core/permissions.ts';
import { endSessionsOf } from '../access_tokens/access_tokens.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { recordUser } from './events/user_events.ts';
import { requireAnotherAccountAdmin } from './role_changes.ts';
import { factsOfUser, type UserRow } from './rows.ts';
import { findUser } from './users.ts';

/** Activates or deactivates a user of the workspace. Nobody does this to themselves. */
export async function changeStatus(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  status: 'active' | 'inactive',
  now: Date,
): Promise<UserRow> {
  const user = await findUser(tx, actor, ref);
  authorize(actor, 'change_status', 'user', factsOfUser(user));
  await (status === 'active' ? activateUser : deactivateUser)(tx, actor, user.id, now);
  return findUser(tx, actor, user.id);
}

/** Lets the user sign in again. */
export async function activateUser(db: OpenTransaction, actor: Actor, ref: Ref, now: Date): Promise<void> {
  await setStatus(db, actor, ref, 'active', now);
}

/** Signs the user out everywhere, and keeps them from signing in. The last account admin stays active. */
export async function deactivateUser(db: OpenTransaction, actor: Actor, ref: Ref, now: Date): Promise<void> {
  const user = await findUser(db, actor, ref);
  await requireAnotherAccountAdmin(db, actor.accountId, user.id, 'base');
  await setStatus(db, actor, user.id, 'inactive', now);
  await endSessionsOf(db, actor, user.id, now);
}

async function setStatus(
  db: OpenTransaction,
  actor: Actor,
  ref: Ref,
  status: 'active' | 'inactive',
  now: Date,
): Promise<void> {
  const user = await findUser(db, actor, ref);
  authorize(actor, 'update', 'user', factsOfUser(user));
  const changed = await db
    .updateTable('users')
    .set({ status, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', user.id)
    .where('status', '<>', status)
    .returning('id')
    .executeTakeFirst();
  if (!changed) return;
  const [verb, former] =
    status === 'active' ? (['activated', 'inactive'] as const) : (['deactivated', 'active'] as const);
  recordUser(db, actor, verb, { before: { ...user, status: former }, after: { ...user, status } }, now);
}
