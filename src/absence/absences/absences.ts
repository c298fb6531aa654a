import { notFound } from '../../platform/core/errors.ts';
import type { Ref } from '../../platform/core/names.ts';
import { authorize, type Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { absenceLock } from '../../platform/db/locks.ts';
import { rowNamed } from '../../platform/db/names.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { lookUp } from '../../platform/db/transactions.ts';
import { keepDeleted } from '../../platform/deleted_records/keep.ts';
import { notifyFollowersOfDeletion } from '../../platform/notifications/notifications.ts';
import { absenceEvents } from './events.ts';
import { spanInWords } from './note_texts.ts';
import { notifyOwner } from './protection/owner_notices.ts';
import { absenceRows, existingWorkspaces, type AbsenceRow } from './rows.ts';

/** One absence that the actor may read; 404 and 403 otherwise. */
export async function findAbsence(db: Db, actor: Actor, ref: Ref): Promise<AbsenceRow> {
  const rows = rowsInScope(db, actor);
  return readable(actor, await rowNamed('absences', ref, (condition) => rows.where(condition).execute()));
}

/** Finds an absence like `findAbsence`, and locks its row until the transaction ends. */
export async function lockAbsence(tx: OpenTransaction, actor: Actor, ref: Ref): Promise<AbsenceRow> {
  const row = await rowNamed('absences', ref, async (condition) => {
    // The row is read after the lock, because another transaction may change it until then.
    const queries = [absenceLock(tx, actor, condition), rowsInScope(tx, actor).where(condition)] as const;
    return (await lookUp(tx, queries))[1];
  });
  return readable(actor, row);
}

/** The absences of the actor's workspace, or of all workspaces of the account. */
function rowsInScope(db: Db, { accountId, workspace }: Actor) {
  const existing = absenceRows(db, accountId).where('absences.workspace_id', 'in', existingWorkspaces(db, accountId));
  return workspace === null ? existing : existing.where('absences.workspace_id', '=', workspace.id);
}

function readable(actor: Actor, row: AbsenceRow | undefined): AbsenceRow {
  if (!row) throw notFound('absence');
  authorize(actor, 'read', 'absence', row);
  return row;
}

export const absencesByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<AbsenceRow[]> =>
  rowsByIds(absenceRows(db, accountId), 'absences.id', ids);

/** Deletes the absence with its notes and attachments, and notifies its followers and its user. Returns it as it was, without them. It can be restored. */
export async function deleteAbsence(db: OpenTransaction, actor: Actor, ref: Ref, now: Date): Promise<AbsenceRow> {
  const absence = await lockAbsence(db, actor, ref);
  authorize(actor, 'destroy', 'absence', absence);
  const message = `${actor.username} deleted "${absence.title}", ${spanInWords(absence, absence.user_time_zone)}.`;
  const news = [{ owner: { absence_id: absence.id }, message }];
  await notifyFollowersOfDeletion(db, actor, 'An absence you follow was deleted', news, now);
  await notifyOwner(db, actor, absence, { title: 'Your absence was deleted', message, owner: null }, now);
  absenceEvents.record(db, actor, 'deleted', { before: absence, after: null }, now);
  await keepDeleted(db, actor, 'absence', [absence.id], now);
  await db.deleteFrom('absences').where('account_id', '=', actor.accountId).where('id', '=', absence.id).execute();
  return { ...absence, note_ids: [], system_notes_count: 0, attachment_ids: [] };
}
