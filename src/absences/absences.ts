import { notFound } from '../core/errors.ts';
import type { Ref } from '../core/names.ts';
import { authorize, type Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { lockAbsenceRow } from '../db/locks.ts';
import { rowNamed } from '../db/names.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { rowsByIds } from '../db/rows_by_ids.ts';
import { keepDeleted } from '../deleted_records/keep.ts';
import { notifyFollowersOfDeletion } from '../notifications/notifications.ts';
import { absenceEvents } from './events.ts';
import { spanInWords } from './note_texts.ts';
import { notifyOwner } from './protection/owner_notices.ts';
import { absenceRows, existingWorkspaces, type AbsenceRow } from './rows.ts';

/** One absence that the actor may read; 404 and 403 otherwise. */
export async function findAbsence(db: Db, actor: Actor, ref: Ref): Promise<AbsenceRow> {
  const { accountId, workspace } = actor;
  const existing = absenceRows(db, accountId).where('absences.workspace_id', 'in', existingWorkspaces(db, accountId));
  const inScope = workspace === null ? existing : existing.where('absences.workspace_id', '=', workspace.id);
  const row = await rowNamed('absences', ref, (condition) => inScope.where(condition).execute());
  if (!row) throw notFound('absence');
  authorize(actor, 'read', 'absence', row);
  return row;
}

/** Finds an absence like `findAbsence`, and locks its row until the transaction ends. */
export async function lockAbsence(tx: OpenTransaction, actor: Actor, ref: Ref): Promise<AbsenceRow> {
  const { id } = await findAbsence(tx, actor, ref);
  await lockAbsenceRow(tx, { accountId: actor.accountId, id });
  // Another transaction may have changed the absence or its notes before this one got the lock.
  return findAbsence(tx, actor, id);
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
