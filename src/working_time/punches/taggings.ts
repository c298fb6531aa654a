import { randomUUID } from 'node:crypto';
import { invalid, refuse } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import { authorize, type Actor, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { timeTrackingLock } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { runAtCommit } from '../../platform/db/transactions.ts';
import { eventsOf, recordEvents, type Recorded } from '../../platform/events/record.ts';
import { tagProblems } from '../../organisation/tags/tags.ts';
import { storeChange } from '../time_trackings/store_changes.ts';
import { readTimeTracking, type TimeTrackingRow } from '../time_trackings/rows.ts';
import { findAction } from './actions.ts';

export interface TaggingRow {
  readonly id: string;
  readonly action_id: string;
  readonly tag_id: number;
}

/** Puts a tag on an action and on its time tracking, while that is running. A tag that the action has already changes nothing. */
export async function createActionTagging(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  actionRef: string,
  tagRef: Id,
  now: Date,
): Promise<TaggingRow> {
  const action = await findAction(tx, actor, actionRef);
  authorize(actor, 'tag', 'action', action);
  const tracking = action.time_tracking_id === null ? undefined : await lockRunning(tx, actor, action.time_tracking_id);
  if (!tracking)
    throw invalid(
      'wrong_state',
      'base',
      'The time tracking of this action has ended, and only actions of a running one can be tagged.',
    );
  const existing = await taggingOf(tx, actor, action.id, numericId(tagRef) ?? 0);
  if (existing) return existing;

  refuse(await tagProblems(tx, actor, 'tag_id', [tagRef]));
  const [tagging] = addTaggings(tx, actor, action, [numericId(tagRef)!], now);
  await storeChange(tx, actor, tracking, { tag_ids: [...tracking.tag_ids, tagging!.tag_id] }, now);
  return tagging!;
}

/** A running time tracking of the workspace, locked with its user before it is read. */
async function lockRunning(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  id: number,
): Promise<TimeTrackingRow | undefined> {
  const locked = await timeTrackingLock(
    tx,
    { accountId: actor.accountId, workspaceId: actor.workspace.id },
    { id },
  ).execute();
  const tracking = locked.length > 0 ? await readTimeTracking(tx, actor, id) : undefined;
  return tracking?.ends_at === null ? tracking : undefined;
}

const taggingOf = (db: Db, { accountId }: Actor, actionId: string, tagId: number): Promise<TaggingRow | undefined> =>
  db
    .selectFrom('taggings')
    .select(['id', 'action_id', 'tag_id'])
    .where('account_id', '=', accountId)
    .where('action_id', '=', actionId)
    .where('tag_id', '=', tagId)
    .executeTakeFirst();

/** The attributes of a tagging in events. */
interface TaggingState extends Recorded {
  readonly tag_id: number;
  readonly taggable_id: string;
}

export const taggingEvents = eventsOf<TaggingState>()('tagging', ['tag_id', 'taggable_id']);

/** Puts tags on an action that does not have them yet, at the end of the transaction. */
export function addTaggings(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  action: { readonly id: string; readonly user_id: number },
  tagIds: readonly number[],
  now: Date,
): TaggingRow[] {
  const rows = tagIds.map((tagId) => ({
    account_id: actor.accountId,
    id: randomUUID() as string,
    action_id: action.id,
    tag_id: tagId,
    created_at: now,
  }));
  if (rows.length > 0) runAtCommit(tx, tx.insertInto('taggings').values(rows));
  const owner = { workspace_id: actor.workspace.id, user_id: action.user_id, taggable_id: action.id };
  const events = rows.map(({ id, tag_id }) => taggingEvents.eventOf('created', null, { ...owner, id, tag_id })!);
  recordEvents(tx, actor, events, now);
  return rows;
}
