import { sql } from 'kysely';
import { refuse } from '../core/errors.ts';
import { isUuid, numericId, numericIds, unknownIds, type Id } from '../core/ids.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import { idsInBatch, startBatch } from '../batch_actions/batches.ts';
import type { Db } from '../db/connection.ts';
import { administeredBy } from '../db/visibility.ts';
import { memberProblems } from '../users/memberships.ts';
import { tagProblems } from '../tags/tags.ts';

/** One action on many trackings. What each action needs is said, and checked, by the contract. */
export interface TimeTrackingBatch {
  action: 'tag' | 'follower' | 'note' | 'confirm' | 'destroy';
  ids?: readonly Id[] | Readonly<Record<string, Id>>;
  tag_ids?: readonly Id[];
  override_tags?: boolean;
  follower_ids?: readonly Id[];
  note?: { content: string };
  all?: boolean;
}

/** Checks a batch and starts it; the steps do it. */
export async function batchTimeTrackings(db: Db, actor: WorkspaceActor, batch: TimeTrackingBatch, now: Date) {
  const { action, tag_ids = [], follower_ids = [] } = batch;
  const isEverything = action === 'confirm' && batch.all === true;
  const named = isEverything ? [] : idsInBatch('ids', batch.ids!);
  const { numbers, refused } = await administered(db, actor, named, action === 'destroy');
  refuse([
    ...unknownIds('ids', refused, 'time tracking of this workspace that you administer'),
    ...(action === 'tag' ? await tagProblems(db, actor, 'tag_ids', tag_ids) : []),
    ...(action === 'follower' ? await memberProblems(db, actor, 'follower_ids', follower_ids) : []),
  ]);
  const input = {
    tag: { tag_ids: numericIds(tag_ids).numbers, override_tags: batch.override_tags === true },
    follower: { follower_ids: numericIds(follower_ids).numbers },
    note: { content: batch.note?.content },
    confirm: {},
    destroy: {},
  }[action];
  const ids = isEverything ? await everythingToConfirm(db, actor) : numbers;
  return startBatch(db, actor, { action: `time_trackings.${action}`, itemType: 'time_tracking', ids, input }, now);
}

/** The trackings behind ids of either form, and the ids that name none which the actor administers. */
async function administered(
  db: Db,
  actor: WorkspaceActor,
  ids: readonly Id[],
  mayBeGone: boolean,
): Promise<{ numbers: number[]; refused: Id[] }> {
  const uuids = ids.map(String).filter(isUuid);
  const named = uuids.length === 0 ? new Map<string, number>() : await numbersBehind(db, actor, uuids);
  const numberOf = (id: Id): number | undefined => numericId(id) ?? named.get(String(id).toLowerCase());
  // One that is gone already stays in the batch, and counts as done.
  const numbers = ids.map(numberOf).filter((id) => id !== undefined);
  const there = db
    .selectFrom('time_trackings')
    .where('time_trackings.account_id', '=', actor.accountId)
    .where('time_trackings.workspace_id', '=', actor.workspace.id)
    .where(sql<boolean>`time_trackings.id = any(${numbers}::bigint[])`);
  const { count } = await there
    .where(administeredBy(actor, 'time_tracking'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  // Mostly it is all of them; only otherwise it matters which.
  if (count === new Set(ids.map(numberOf)).size) return { refused: [], numbers };
  const rows = await there
    .select(['time_trackings.id', administeredBy(actor, 'time_tracking').as('is_administered')])
    .execute();
  const known = new Map(rows.map(({ id, is_administered }) => [id, is_administered]));
  const isAdministered = (id: Id): boolean => {
    const number = numberOf(id);
    const isGone = mayBeGone && (number !== undefined || isUuid(String(id)));
    return known.get(number ?? 0) ?? isGone;
  };
  return { refused: ids.filter((id) => !isAdministered(id)), numbers };
}

/** The numbers of punched trackings of the workspace, by their UUIDs. */
async function numbersBehind(db: Db, actor: WorkspaceActor, uuids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('time_trackings')
    .select(['id', 'uuid'])
    .where('account_id', '=', actor.accountId)
    .where('workspace_id', '=', actor.workspace.id)
    .where(sql<boolean>`uuid = any(${uuids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, uuid }) => [uuid!, id]));
}

/** Every finished, unconfirmed tracking that the actor administers. */
async function everythingToConfirm(db: Db, actor: WorkspaceActor): Promise<number[]> {
  const rows = await db
    .selectFrom('time_trackings')
    .select('time_trackings.id')
    .where('time_trackings.account_id', '=', actor.accountId)
    .where('time_trackings.workspace_id', '=', actor.workspace.id)
    .where('time_trackings.confirmed', '=', false)
    .where('time_trackings.ends_at', 'is not', null)
    .where(administeredBy(actor, 'time_tracking'))
    .orderBy('time_trackings.starts_at')
    .orderBy('time_trackings.id')
    .execute();
  return rows.map(({ id }) => id);
}
