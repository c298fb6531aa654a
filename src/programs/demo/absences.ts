import { createAbsence } from '../../absence/absences/create.ts';
import { decideAbsence } from '../../absence/absences/decide.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { localDay, startOfLocalDay } from '../../platform/core/time.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { createAttachments } from '../../platform/files/attachments.ts';
import { createUpload } from '../../integration/uploads/uploads.ts';
import { createEntitlement } from '../../absence/vacation_entitlements/vacation_entitlements.ts';

const dayMs = 24 * 3600 * 1000;

/** Creates entitlements, absences in every state, and documents of an employee. */
export async function createAbsences(
  db: OpenTransaction,
  actor: WorkspaceActor,
  staff: readonly number[],
  now: Date,
): Promise<void> {
  const [erin, robin, sam] = staff as [number, number, number];
  for (const userId of staff) await createEntitlement(db, actor, userId, { title: 'Vacation', planned_days: 28 }, now);

  const vacation = await requestAbsence(
    db,
    actor,
    { userId: erin, kind: 'vacation', from: 14, days: 4, external_id: 'erin-vacation' },
    now,
  );
  await decideAbsence(db, actor, vacation, 'confirmed', now);
  const sickness = await requestAbsence(db, actor, { userId: robin, kind: 'sickness', from: -10, days: 2 }, now);
  await createAttachments(
    db,
    actor,
    { absence_id: sickness },
    [{ name: 'sick-note.txt', bytes: Buffer.from('Unfit for work for two days.\n') }],
    now,
  );
  const refused = await requestAbsence(db, actor, { userId: sam, kind: 'unpaid', from: 30, days: 1 }, now);
  await decideAbsence(db, actor, refused, 'rejected', now);
  await requestAbsence(db, actor, { userId: erin, kind: 'special', from: 40, days: 1 }, now);

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

/** Requests an absence of full days, from some days after today on. */
export async function requestAbsence(
  db: OpenTransaction,
  actor: WorkspaceActor,
  of: { userId: number; kind: string; from: number; days: number; external_id?: string },
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
  const day = (offset: number): string =>
    startOfLocalDay(localDay(new Date(now.getTime() + offset * dayMs), zone), zone).toISOString();
  const times = { starts_at: day(of.from), ends_at: day(of.from + of.days), full_day: true };
  const { id } = await createAbsence(
    db,
    actor,
    { ...times, absence_type: type.id, user: of.userId, external_id: of.external_id },
    now,
  );
  return id;
}
