import { sql } from 'kysely';
import { refuse } from '../core/errors.ts';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { number, text, time, type Columns } from '../db/filters.ts';
import { list, type Selection } from '../db/list.ts';
import { ownerColumn, ownerColumns, ownerId, type Owner } from '../notes/owner.ts';
import { fileNameProblems, removeFiles, storeFile, type NewFile } from './files.ts';

const columns: Columns = {
  id: number('attachments.id'),
  author: text('attachments.author'),
  file_name: text('files.name'),
  file_content_type: text('files.content_type'),
  created_at: time('attachments.created_at'),
  updated_at: time('attachments.updated_at'),
};

const attachments = (db: Db, accountId: number) =>
  db
    .selectFrom('attachments')
    .innerJoin('files', (join) =>
      join.on('files.account_id', '=', accountId).onRef('files.id', '=', 'attachments.file_id'),
    )
    .where('attachments.account_id', '=', accountId);

const attachmentRows = (db: Db, accountId: number) =>
  attachments(db, accountId)
    .selectAll('attachments')
    .select(['files.name as file_name', 'files.content_type as file_content_type']);

export type AttachmentRow = Awaited<ReturnType<ReturnType<typeof attachmentRows>['executeTakeFirstOrThrow']>>;

export const attachmentsByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<AttachmentRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : attachmentRows(db, accountId)
        .where('attachments.id', 'in', [...new Set(ids)])
        .orderBy('attachments.id')
        .execute();

/** The attachments of one owner. */
export function listAttachments(db: Db, { accountId }: Actor, owner: Owner, selection: Selection) {
  const visible = attachments(db, accountId).where(`attachments.${ownerColumn(owner)}`, '=', ownerId(owner));
  const rows = attachmentRows(db, accountId);
  return list(db, { visible, rows, id: 'attachments.id', columns }, selection);
}

/** Stores files of any type with their owner, all of them or none, in the order they came. */
export async function createAttachments(
  db: Db,
  actor: Actor,
  owner: Owner,
  files: readonly NewFile[],
  now: Date,
): Promise<AttachmentRow[]> {
  refuse(files.flatMap((file, index) => fileNameProblems(`files/${index}`, file)));
  const ids: number[] = [];
  for (const file of files) {
    const stored = await storeFile(db, actor.accountId, file, now);
    const { id } = await db
      .insertInto('attachments')
      .values({
        account_id: actor.accountId,
        ...ownerColumns(owner),
        file_id: stored.id,
        author_id: actor.userId,
        author: actor.username,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(id);
  }
  return attachmentsByIds(db, actor, ids);
}

/** Removes the attachments of owners of one kind, and their files; to be called before the owners themselves go. */
export async function removeAttachmentsOf(db: Db, accountId: number, owners: readonly Owner[]): Promise<void> {
  const [first] = owners;
  if (first === undefined) return;
  const removed = await db
    .deleteFrom('attachments')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`${sql.ref(ownerColumn(first))} = any(${owners.map(ownerId)}::bigint[])`)
    .returning('file_id')
    .execute();
  await removeFiles(
    db,
    accountId,
    removed.map((row) => row.file_id),
  );
}
