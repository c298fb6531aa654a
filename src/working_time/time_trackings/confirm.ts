import { AppError } from '../../platform/core/errors.ts';
import type { Id } from '../../platform/core/ids.ts';
import { authorize, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { noteOf, recordChanges } from './change_notes.ts';
import { stateOf, timeTrackingEvents } from './events.ts';
import { factsOf, readTimeTracking, type TimeTrackingRow } from './rows.ts';
import { lockTimeTracking } from './time_trackings.ts';

export const stillRunning = 'The time tracking is running and can be confirmed only once it has ended.';

/** Confirms a finished time tracking. A confirmed one stays as it is. A running one is refused with `runningStatus`. */
export async function confirmTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  now: Date,
  runningStatus: 400 | 403,
): Promise<TimeTrackingRow> {
  const row = await lockTimeTracking(tx, actor, ref);
  authorize(actor, 'confirm', 'time_tracking', factsOf(row));
  if (row.ends_at === null)
    throw new AppError(runningStatus, [{ code: 'wrong_state', pointer: 'base', title: stillRunning }]);
  if (row.confirmed) return row;

  await tx
    .updateTable('time_trackings')
    .set({ confirmed: true, last_editor_id: actor.userId, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', row.id)
    .execute();
  await recordChanges(tx, actor, [{ tracking: row, notes: [noteOf.confirmation(actor.username)] }], now);
  const before = stateOf(row);
  timeTrackingEvents.record(tx, actor, 'confirmed', { before, after: { ...before, confirmed: true } }, now);
  return readTimeTracking(tx, actor, row.id);
}
