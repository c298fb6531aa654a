import { deleteAbsence } from '../../absence/absences/absences.ts';
import { createAbsence } from '../../absence/absences/create.ts';
import { decideAbsence } from '../../absence/absences/decide.ts';
import { addDays } from '../../days/calendar/dates.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { startOfLocalDay } from '../../platform/core/time.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { createAttachments } from '../../platform/files/attachments.ts';
import { createNote } from '../../platform/notes/notes.ts';
import { createUpload } from '../../integration/uploads/uploads.ts';
import { createEntitlement } from '../../absence/vacation_entitlements/vacation_entitlements.ts';
import { mondayOf } from './dates.ts';

/** Creates entitlements, absences in every state, one that was deleted, and documents of an employee. */
export async function createAbsences(
  db: OpenTransaction,
  actor: WorkspaceActor,
  staff: readonly number[],
  now: Date,
): Promise<void> {
  const [erin, robin, sam] = staff as [number, number, number];
  for (const userId of staff) await createEntitlement(db, actor, userId, { title: 'Vacation', planned_days: 28 }, now);

  const monday = mondayOf(now, actor.workspace.time_zone);
  const request = (userId: number, kind: string, from: number, days: number, external_id: string) =>
    requestAbsence(db, actor, { userId, kind, from: addDays(monday, from), days, external_id }, now);
  const vacation = await request(erin, 'vacation', 14, 4, 'erin-vacation');
  await decideAbsence(db, actor, vacation, 'confirmed', now);
  const sickness = await request(robin, 'sickness', -11, 1, 'robin-sickness');
  await createAttachments(
    db,
    actor,
    { absence_id: sickness },
    [{ name: 'sick-note.txt', bytes: Buffer.from('Unfit for work for two days.\n') }],
    now,
  );
  const refused = await request(sam, 'unpaid', 30, 1, 'sam-unpaid');
  await decideAbsence(db, actor, refused, 'rejected', now);
  const move = await request(robin, 'special', 37, 0, 'robin-moves');
  await createNote(db, actor, { absence_id: move }, 'Moves to another flat.', now);
  const mistake = await request(robin, 'vacation', 70, 1, 'robin-mistake');
  await deleteAbsence(db, actor, mistake, now);

  const documents = { 'Employment contract': 'contract.txt', 'Certificate of training': 'certificate.txt' };
  for (const [title, name] of Object.entries(documents)) {
    await createUpload(
      db,
      actor,
      { id: erin, prefix: 'user_' },
      { title, description: 'As signed.', file: { name, bytes: Buffer.from(`${title}\n`) } },
      now,
    );
  }
}

/** Requests an absence of full days. It takes some days beside the first. */
export async function requestAbsence(
  db: OpenTransaction,
  actor: WorkspaceActor,
  of: { userId: number; kind: string; from: string; days: number; external_id?: string },
  now: Date,
): Promise<number> {
  const zone = actor.workspace.time_zone;
  const type = await db
    .selectFrom('absence_types')
    .select('id')
    .where('account_id', '=', actor.accountId)
    .where('workspace_id', '=', actor.workspace.id)
    .where('kind', '=', of.kind)
    .executeTakeFirstOrThrow();
  const day = (offset: number): string => startOfLocalDay(addDays(of.from, offset), zone).toISOString();
  const times = { starts_at: day(0), ends_at: day(of.days), full_day: true };
  const { id } = await createAbsence(
    db,
    actor,
    { ...times, absence_type: type.id, user: of.userId, external_id: of.external_id },
    now,
  );
  return id;
}
