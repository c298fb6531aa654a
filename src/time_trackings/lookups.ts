import type { CompiledQuery } from 'kysely';
import { alreadyUsed, type Problem } from '../core/errors.ts';
import { numericId, unknownIds, type Id } from '../core/ids.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import { lockArea, lockMembers, type Member } from '../db/locks.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';

/*
 * What the input of a time tracking refers to: a query for each reference, and the problems that its rows show. A query is
 * undefined where there is nothing to look up.
 */

/** The query for the user whose time is recorded. It locks the user and their membership. */
export function memberQuery(
  tx: OpenTransaction,
  { accountId, workspace }: WorkspaceActor,
  ref: Id | undefined,
): CompiledQuery<Member> | undefined {
  const id = ref === undefined ? undefined : numericId(ref);
  return id === undefined
    ? undefined
    : lockMembers.query(tx, { accountId, userIds: [id], workspaceIds: [workspace.id] });
}

export const unknownUser = (ref: Id, pointer: string): Problem[] =>
  unknownIds(pointer, [ref], 'user of this workspace');

/** The query for the area in which time is recorded. It locks the area. */
export function areaQuery(
  tx: OpenTransaction,
  { accountId, workspace }: WorkspaceActor,
  ref: Id | null | undefined,
): CompiledQuery<{ id: number }> | undefined {
  const id = ref === undefined || ref === null ? undefined : numericId(ref);
  return id === undefined ? undefined : lockArea.query(tx, { accountId, workspaceId: workspace.id, id });
}

export const areaProblems = (ref: Id | null | undefined, found: readonly object[]): Problem[] =>
  ref === undefined || ref === null || found.length > 0
    ? []
    : unknownIds('area', [ref], 'active area of this workspace');

/** The query for the running time tracking of a user, other than the one with `exceptId`. */
export const runningQuery = (
  tx: OpenTransaction,
  { accountId, workspace }: WorkspaceActor,
  userId: number,
  exceptId: number | null,
) =>
  tx
    .selectFrom('time_trackings')
    .select('starts_at')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', userId)
    .where('ends_at', 'is', null)
    .where('id', 'is distinct from', exceptId);

/** A user has at most one running time tracking in a workspace. */
export const runningProblems = (
  running: readonly { readonly starts_at: Date }[],
  show: (time: Date) => string,
): Problem[] =>
  running.slice(0, 1).map(({ starts_at }) => ({
    pointer: 'ends_at',
    title: `ends_at is needed, because a time tracking of this user is already running since ${show(starts_at)}. End that one first, or give this one an end.`,
  }));

/** The query for the time tracking that has this external id. */
export const externalIdQuery = (tx: OpenTransaction, { accountId }: WorkspaceActor, externalId: string | undefined) =>
  externalId
    ? tx
        .selectFrom('time_trackings')
        .select('id')
        .where('account_id', '=', accountId)
        .where('external_id', '=', externalId)
    : undefined;

export const externalIdProblems = (externalId: string | undefined, found: readonly object[]): Problem[] =>
  found.map(() => alreadyUsed('external_id', externalId!, 'time tracking of this account'));
