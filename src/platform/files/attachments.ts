import { refuse } from '../core/errors.ts';
import type { Actor } from '../core/permissions.ts';
import { text } from '../db/list/filters.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import type { Owner } from '../notes/owner.ts';
import { attachedFiles, type AttachedFileRow } from './attached_files.ts';
import { fileNameProblems, type NewFile } from './files.ts';

export type AttachmentRow = AttachedFileRow<'attachments'>;

export const attachments = attachedFiles('attachments', 'listTimeTrackingAttachments', {
  file_name: text('files.name'),
  file_content_type: text('files.content_type'),
});

/** Stores files of any type with their owner, in the order given. If one is refused, none is stored. */
export async function createAttachments(
  db: OpenTransaction,
  actor: Actor,
  owner: Owner,
  files: readonly NewFile[],
  now: Date,
): Promise<AttachmentRow[]> {
  refuse(files.flatMap((file, index) => fileNameProblems(`files/${index}`, file)));
  const author = { author_id: actor.userId, author: actor.username };
  const rows: AttachmentRow[] = [];
  for (const file of files) rows.push(await attachments.create(db, actor, owner, file, author, now));
  return rows;
}
