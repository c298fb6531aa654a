import type { OpenTransaction } from '../db/open_transaction.ts';
import { recordEvents, type EventActor } from '../events/record.ts';
import { ownerColumn, ownerId, type Owner } from '../notes/owner.ts';
import type { StoredFile } from './files.ts';

/** The record that a file belongs to, by the name of its reference, with its user and workspace. */
export interface FileOwner {
  readonly reference: Readonly<Record<string, number>>;
  readonly userId: number | null;
  readonly workspaceId: number | null;
}

/** Records a new file, without its contents. */
export const recordFile = (
  tx: OpenTransaction,
  actor: EventActor,
  { id, name, content_type, size_bytes }: StoredFile,
  { reference, userId, workspaceId }: FileOwner,
  now: Date,
): void => {
  const attributes = { ...reference, name, content_type, size_bytes };
  const changes = Object.fromEntries(
    Object.entries(attributes).map(([attribute, value]) => [attribute, [null, value] as const]),
  );
  const none = { recordUuid: null, externalId: null };
  recordEvents(tx, actor, [{ name: 'file.created', recordId: id, userId, workspaceId, changes, ...none }], now);
};

/** The owner of a file that belongs to a time tracking or an absence. */
export async function ownerOfFile(tx: OpenTransaction, accountId: number, owner: Owner): Promise<FileOwner> {
  const { user_id, workspace_id } = await tx
    .selectFrom(('absence_id' in owner ? 'absences' : 'time_trackings') as 'absences')
    .select(['user_id', 'workspace_id'])
    .where('account_id', '=', accountId)
    .where('id', '=', ownerId(owner))
    .executeTakeFirstOrThrow();
  return { reference: { [ownerColumn(owner)]: ownerId(owner) }, userId: user_id, workspaceId: workspace_id };
}
