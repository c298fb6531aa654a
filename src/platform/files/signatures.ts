import { refuse } from '../core/errors.ts';
import type { Actor } from '../core/permissions.ts';
import { text, time } from '../db/list/filters.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { attachedFiles, type AttachedFileRow } from './attached_files.ts';
import { fileNameProblems, requireImage, type NewFile } from './files.ts';

export type SignatureRow = AttachedFileRow<'signatures'>;

export const signatures = attachedFiles('signatures', 'listTimeTrackingSignatures', {
  image_file_name: text('files.name'),
  image_content_type: text('files.content_type'),
  image_updated_at: time('files.created_at'),
});

/** Stores the image of a signature of a time tracking. Without a title, it gets the actor's name. */
export async function createSignature(
  db: OpenTransaction,
  actor: Actor,
  owner: { readonly time_tracking_id: number },
  { title, image }: { title?: string; image: NewFile },
  now: Date,
): Promise<SignatureRow> {
  refuse(fileNameProblems('image', image));
  await requireImage('image', image.bytes);
  const own = { title: title?.trim() ? title : actor.username };
  return signatures.create(db, actor, owner, image, own, now);
}
