import { authorize, type WorkspaceActor } from '../../platform/core/permissions.ts';
import { rank } from '../../platform/core/ranks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf } from '../../platform/events/record.ts';

interface AssumedRole {
  readonly user_id: number;
  readonly workspace_id: number;
}

const assumedRoleEvents = eventsOf<AssumedRole>()('assumed_role', ['workspace_id', 'user_id'], {
  recorded: (row) => ({ ...row, id: row.user_id }),
});

/** Makes an admin an employee of the workspace, in what they see and may do, or ends that. Returns the actor that they are then. */
export async function assumeRole(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  role: 'admin' | 'employee',
  now: Date,
): Promise<WorkspaceActor> {
  authorize(actor, 'switch_role', 'workspace', actor.workspace);
  await (role === 'admin' ? endAssumedRole : beginAssumedRole)(tx, actor, now);
  return { ...actor, rank: role === 'admin' ? actor.heldRank! : rank.employee };
}

/** Does one or the other, for clients that do not say which. */
export async function switchRole(tx: OpenTransaction, actor: WorkspaceActor, now: Date): Promise<void> {
  authorize(actor, 'switch_role', 'workspace', actor.workspace);
  if (!(await endAssumedRole(tx, actor, now))) await beginAssumedRole(tx, actor, now);
}

const assumedBy = ({ accountId, userId, workspace }: WorkspaceActor) => ({
  account_id: accountId,
  user_id: userId!,
  workspace_id: workspace.id,
});

/** Returns whether there was something to end. */
async function endAssumedRole(tx: OpenTransaction, actor: WorkspaceActor, now: Date): Promise<boolean> {
  const assumed = assumedBy(actor);
  const ended = await tx
    .deleteFrom('assumed_roles')
    .where('account_id', '=', assumed.account_id)
    .where('user_id', '=', assumed.user_id)
    .where('workspace_id', '=', assumed.workspace_id)
    .returning('user_id')
    .executeTakeFirst();
  if (ended) assumedRoleEvents.record(tx, actor, 'deleted', { before: assumed, after: null }, now);
  return ended !== undefined;
}

async function beginAssumedRole(tx: OpenTransaction, actor: WorkspaceActor, now: Date): Promise<void> {
  const assumed = assumedBy(actor);
  const begun = await tx
    .insertInto('assumed_roles')
    .values(assumed)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (begun) assumedRoleEvents.record(tx, actor, 'created', { before: null, after: assumed }, now);
}
