import { forbidden, notFound } from '../../core/errors.ts';
import type { Actor } from '../../core/permissions.ts';
import { leastRank } from '../../core/ranks.ts';

/** The account and the workspace that a path names. */
export interface PathScope {
  readonly account_id?: string;
  readonly workspace_id?: string;
}

/**
 * Requires that the actor belongs to the account and the workspace in the path (404), and has the operation's least role (403).
 * In this order, so that the existence of other accounts and workspaces stays hidden.
 */
export function requireAccess(actor: Actor, path: PathScope, leastRole: string): void {
  if (path.account_id !== undefined && path.account_id !== String(actor.accountId)) throw notFound('account');
  if (path.workspace_id !== undefined && (actor.workspace === null || path.workspace_id !== String(actor.workspace.id)))
    throw notFound('workspace');
  const least = leastRank[leastRole];
  if (least === undefined) throw new Error(`The contract names a role that does not exist: ${leastRole}`);
  if (actor.rank < least) throw forbidden();
}
