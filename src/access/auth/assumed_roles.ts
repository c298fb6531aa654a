import { authorize, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf } from '../../platform/events/record.ts';

interface AssumedRole {
  readonly user_id: number;
  readonly workspace_id: number;
}

const assumedRoleEvents = eventsOf<AssumedRole>()('assumed_role', ['workspace_id', 'user_id'], {
  recorded: (row) => ({ ...row, id: row.user_id }),
});

/** Makes an admin an employee of the workspace, in what they see and may do, or ends that. */
export async function switchRole(tx: OpenTransaction, actor: WorkspaceActor, now: Date): Promise<void> {
  authorize(actor, 'switch_role', 'workspace', actor.workspace);
  const assumed = { account_id: actor.accountId, user_id: actor.userId!, workspace_id: actor.workspace.id };
  const ended = await tx
    .deleteFrom('assumed_roles')
    .where('account_id', '=', assumed.account_id)
    .where('user_id', '=', assumed.user_id)
    .where('workspace_id', '=', assumed.workspace_id)
    .returning('user_id')
    .executeTakeFirst();
  if (ended) return assumedRoleEvents.record(tx, actor, 'deleted', { before: assumed, after: null }, now);
  const begun = await tx
    .insertInto('assumed_roles')
    .values(assumed)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  if (begun) assumedRoleEvents.record(tx, actor, 'created', { before: null, after: assumed }, now);
}
