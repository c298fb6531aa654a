import { findAbsence } from '../../absence/absences/absences.ts';
import { absenceEvents } from '../../absence/absences/events.ts';
import type { AbsenceRow } from '../../absence/absences/rows.ts';
import { spanInWords } from '../../absence/absences/note_texts.ts';
import type { Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { localDay } from '../../platform/core/time.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { addSystemNotes } from '../../platform/notes/notes.ts';
import { notifyFollowers } from '../../platform/notifications/notifications.ts';
import { remeasureAbsences } from '../../days/balance/remeasure_absences.ts';
import { restoreRows } from './restore_rows.ts';

/** Restores a deleted absence, measured by the target hours and holidays that now count. */
export async function restoreAbsence(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  now: Date,
): Promise<AbsenceRow> {
  const { user_id, record_id } = await restoreRows(tx, actor, 'absence', ref);
  const restored = await findAbsence(tx, actor, record_id);
  absenceEvents.record(tx, actor, 'restored', { before: null, after: restored }, now);
  const { starts_at, user_time_zone, title, ...absence } = restored;
  const from = localDay(starts_at, user_time_zone);
  await remeasureAbsences(tx, actor, [user_id], { from, resetsConfirmed: false }, now);
  const owner = { absence_id: record_id };
  await addSystemNotes(tx, actor.accountId, [{ owner, content: `${actor.username} restored the absence.` }], now);
  const what = `"${title}", ${spanInWords({ ...absence, starts_at }, user_time_zone)}`;
  const news = [{ owner, message: `${actor.username} restored the absence ${what}.` }];
  await notifyFollowers(tx, actor, 'An absence was restored', news, now);
  await tx
    .updateTable('absences')
    .set({ updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', record_id)
    .execute();
  return findAbsence(tx, actor, record_id);
}
