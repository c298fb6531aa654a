import type { operations } from '../../../generated/public.ts';
import { invalid, notFound } from '../../platform/core/errors.ts';
import { refuseOtherExternalId } from '../../platform/core/external_ids.ts';
import type { Names } from '../../platform/core/names.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { createWorkspace, inWorkspace, updateWorkspace, workspaceNamed, type WorkspaceRow } from './workspaces.ts';

/* The public API calls a workspace a location. */

type Body<Id extends 'createLocation' | 'updateLocation'> =
  operations[Id]['requestBody']['content']['application/json']['location'];

/** Creates a location, which the named account admin joins. Without one, it has no members. */
export async function createLocation(
  tx: OpenTransaction,
  actor: Actor,
  { user_id, ...attributes }: Body<'createLocation'>,
  now: Date,
): Promise<WorkspaceRow> {
  const userId = user_id ?? null;
  if (userId !== null) await requireAccountAdmin(tx, actor.accountId, userId);
  const input = { ...attributes, external_id: attributes.external_id ?? undefined };
  return createWorkspace(tx, actor, input, now, userId);
}

async function requireAccountAdmin(tx: OpenTransaction, accountId: number, userId: number): Promise<void> {
  await lockUsers(tx, { accountId, ids: [userId] });
  const admin = await tx
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .where('is_account_admin', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!admin)
    throw invalid('unknown_reference', 'user_id', `user_id ${userId} is no account admin of this enterprise.`);
}

/** Changes a location. One that is named by its id and has no external id yet gets the one that is sent. */
export async function updateLocation(
  tx: OpenTransaction,
  actor: Actor,
  names: Names,
  change: Pick<Body<'updateLocation'>, 'name' | 'active'>,
  now: Date,
): Promise<WorkspaceRow> {
  const { id, external_id } = names;
  const row = await workspaceNamed(tx, actor, id ?? names);
  if (!row) throw notFound('location');
  refuseOtherExternalId(names, row, 'location');
  return updateWorkspace(tx, inWorkspace(actor, row), { ...change, external_id }, now);
}
