import type { Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { noteOf, recordChanges } from '../../working_time/time_trackings/change_notes.ts';
import { stateOf, timeTrackingEvents } from '../../working_time/time_trackings/events.ts';
import { readTimeTracking, type TimeTrackingRow } from '../../working_time/time_trackings/rows.ts';
import { refreshWarnings } from '../../working_time/working_time_rules/warnings.ts';
import { restoreRows } from './restore_rows.ts';

/** Restores a deleted time tracking. An area that is no longer active is left out, as in every other time tracking. */
export async function restoreTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  now: Date,
): Promise<TimeTrackingRow> {
  const { record_id } = await restoreRows(tx, actor, 'time_tracking', ref);
  const { area_id, ...tracking } = await readTimeTracking(tx, actor, record_id);
  await tx
    .updateTable('time_trackings')
    .set({ area_id: await activeArea(tx, actor, area_id), last_editor_id: actor.userId, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', tracking.id)
    .execute();
  await recordChanges(tx, actor, [{ tracking, notes: [noteOf.restoration(actor.username)] }], now);
  await refreshWarnings(tx, actor, [tracking], now);
  const restored = await readTimeTracking(tx, actor, tracking.id);
  timeTrackingEvents.record(tx, actor, 'restored', { before: null, after: stateOf(restored) }, now);
  return restored;
}

async function activeArea(
  tx: OpenTransaction,
  { accountId }: WorkspaceActor,
  id: number | null,
): Promise<number | null> {
  const area = await tx
    .selectFrom('areas')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('status', '=', 'active')
    .executeTakeFirst();
  return area?.id ?? null;
}
