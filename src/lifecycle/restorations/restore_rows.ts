import { refuse } from '../../platform/core/errors.ts';
import type { Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { takenProblems } from '../../platform/db/unique_values.ts';
import { lockDeletedRecord, type DeletedRecordRow } from '../deleted_records/deleted_records.ts';
import { putBack } from '../deleted_records/put_back.ts';
import { storedRecords, type RecordType } from '../../platform/deleted_records/stored_rows.ts';

type StoredRows = Readonly<Record<string, [{ readonly external_id: string | null }]>>;

/** Puts a deleted record that the actor may restore back; 400 where another one has its external id by now. */
export async function restoreRows(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  type: RecordType,
  ref: Id,
): Promise<DeletedRecordRow> {
  const kept = await lockDeletedRecord(tx, actor, type, ref);
  const { table, noun } = storedRecords[type];
  const [{ external_id }] = (kept.stored_rows as StoredRows)[table]!;
  const others = tx.selectFrom(table as 'absences').where('account_id', '=', actor.accountId);
  refuse(await takenProblems(others, 'external_id', external_id, `${noun} of this account`));
  await putBack(tx, kept);
  return kept;
}
