import { randomUUID } from 'node:crypto';
import { invalid, refuse } from '../core/errors.ts';
import { numericId, type Id } from '../core/ids.ts';
import { authorize, type Actor, type WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { tagProblems } from '../tags/tags.ts';
import { storeTimeTracking } from '../time_trackings/store_changes.ts';
import { findAction } from './actions.ts';
import { lockRunning } from './running.ts';

export interface TaggingRow {
  readonly id: string;
  readonly action_id: string;
  readonly tag_id: number;
}

/** Puts a tag on an action and on its tracking, while that runs. One that the action carries already changes nothing. */
export async function createActionTagging(
  db: Db,
  actor: WorkspaceActor,
  actionRef: string,
  tagRef: Id,
  now: Date,
): Promise<TaggingRow> {
  const action = await findAction(db, actor, actionRef);
  authorize(actor, 'tag', 'action', action);
  const tracking = action.time_tracking_id === null ? undefined : await lockRunning(db, actor, action.time_tracking_id);
  if (!tracking)
    throw invalid(
      'base',
      'The time tracking of this action has ended, and only actions of a running one can be tagged.',
    );
  const carried = await taggingOf(db, actor, action.id, numericId(tagRef) ?? 0);
  if (carried) return carried;

  refuse(await tagProblems(db, actor, 'tag_id', [tagRef]));
  const [tagging] = await addTaggings(db, actor, action.id, [numericId(tagRef)!], now);
  await storeTimeTracking(db, actor, tracking, { tag_ids: [...tracking.tag_ids, tagging!.tag_id] }, now);
  return tagging!;
}

const taggingOf = (db: Db, { accountId }: Actor, actionId: string, tagId: number): Promise<TaggingRow | undefined> =>
  db
    .selectFrom('taggings')
    .select(['id', 'action_id', 'tag_id'])
    .where('account_id', '=', accountId)
    .where('action_id', '=', actionId)
    .where('tag_id', '=', tagId)
    .executeTakeFirst();

/** Puts tags on an action that does not carry them yet. */
export async function addTaggings(
  db: Db,
  { accountId }: Actor,
  actionId: string,
  tagIds: readonly number[],
  now: Date,
): Promise<TaggingRow[]> {
  const rows = tagIds.map((tagId) => ({
    account_id: accountId,
    id: randomUUID() as string,
    action_id: actionId,
    tag_id: tagId,
    created_at: now,
  }));
  if (rows.length > 0) await db.insertInto('taggings').values(rows).execute();
  return rows;
}
