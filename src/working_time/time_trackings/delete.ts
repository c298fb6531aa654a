import { sql } from 'kysely';
import type { Id } from '../../platform/core/ids.ts';
import { authorize, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { pipeline } from '../../platform/db/pipeline.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { keepDeleted } from '../../platform/deleted_records/keep.ts';
import { recordEvents } from '../../platform/events/record.ts';
import { notifyFollowersOfDeletion } from '../../platform/notifications/notifications.ts';
import { refreshWarnings } from '../working_time_rules/warnings.ts';
import { noteOf } from './change_notes.ts';
import { stateOf, timeTrackingEvents } from './events.ts';
import { notifyOfDeletedTime } from './protection/notices.ts';
import { factsOf, timeTrackingRows, type TimeTrackingRow } from './rows.ts';
import { lockTimeTracking } from './time_trackings.ts';

/** Deletes a time tracking with its breaks, notes and files, and returns it as it was, without the notes. It can be restored. */
export async function deleteTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  now: Date,
): Promise<TimeTrackingRow> {
  const row = await lockTimeTracking(tx, actor, ref);
  authorize(actor, 'destroy', 'time_tracking', factsOf(row));
  await removeTimeTrackings(tx, actor, [row.id], now);
  return { ...row, note_ids: [], system_notes_count: 0 };
}

/** Removes time trackings that the caller has locked, and keeps them for a restoration. */
export async function removeTimeTrackings(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  const { accountId } = actor;
  if (ids.length === 0) return;
  const scope = { accountId, workspaceId: actor.workspace.id };
  const rows = await rowsByIds(timeTrackingRows(tx, scope, { withRights: false }), 'time_trackings.id', ids);
  const events = rows.map((row) => timeTrackingEvents.eventOf('deleted', stateOf(row), null)!);
  recordEvents(tx, actor, events, now);
  await keepDeleted(tx, actor, 'time_tracking', ids, now);
  await notifyOfDeletion(tx, actor, ids, now);
  const [, , removed] = await pipeline(tx, [
    withoutTimeTrackings(tx, 'actions', accountId, ids),
    withoutTimeTrackings(tx, 'working_time_violations', accountId, ids),
    tx
      .deleteFrom('time_trackings')
      .where('account_id', '=', accountId)
      .where(sql<boolean>`id = any(${ids}::bigint[])`)
      .returning(['user_id', 'starts_at', 'ends_at']),
  ]);
  await notifyOfDeletedTime(tx, actor, removed, now);
  await refreshWarnings(tx, actor, removed, now);
}

/** Punches and violations outlive the time tracking that they refer to. */
const withoutTimeTrackings = (
  tx: OpenTransaction,
  table: 'actions' | 'working_time_violations',
  accountId: number,
  ids: readonly number[],
) =>
  tx
    .updateTable(table)
    .set({ time_tracking_id: null })
    .where('account_id', '=', accountId)
    .where(sql<boolean>`time_tracking_id = any(${ids}::bigint[])`);

async function notifyOfDeletion(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  const followed = await tx
    .selectFrom('time_trackings')
    .select(['id', 'starts_at', 'ends_at'])
    .where('account_id', '=', actor.accountId)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where(
      sql<boolean>`exists (
        select from time_tracking_followers follower
        where follower.account_id = ${actor.accountId} and follower.time_tracking_id = time_trackings.id)`,
    )
    .execute();
  const news = followed.map(({ id, ...span }) => ({
    owner: { time_tracking_id: id },
    message: noteOf.deletion(actor.username, span, actor.workspace.time_zone),
  }));
  await notifyFollowersOfDeletion(tx, actor, 'A time tracking you follow was deleted', news, now);
}
