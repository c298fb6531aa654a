import { sql } from 'kysely';
import { refuse } from '../core/errors.ts';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { number, text, time, type Columns } from '../db/filters.ts';
import { list, type Selection } from '../db/list.ts';
import { fileNameProblems, removeFiles, requireImage, storeFile, type NewFile } from './files.ts';

/** Only time trackings are signed. */
type Signed = { readonly time_tracking_id: number };

const columns: Columns = {
  id: number('signatures.id'),
  title: text('signatures.title'),
  image_file_name: text('files.name'),
  image_content_type: text('files.content_type'),
  created_at: time('signatures.created_at'),
  image_updated_at: time('files.created_at'),
};

const signatures = (db: Db, accountId: number) =>
  db
    .selectFrom('signatures')
    .innerJoin('files', (join) =>
      join.on('files.account_id', '=', accountId).onRef('files.id', '=', 'signatures.file_id'),
    )
    .where('signatures.account_id', '=', accountId);

const signatureRows = (db: Db, accountId: number) =>
  signatures(db, accountId)
    .selectAll('signatures')
    .select([
      'files.name as image_file_name',
      'files.content_type as image_content_type',
      'files.created_at as image_updated_at',
    ]);

export type SignatureRow = Awaited<ReturnType<ReturnType<typeof signatureRows>['executeTakeFirstOrThrow']>>;

export const signaturesByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<SignatureRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : signatureRows(db, accountId)
        .where('signatures.id', 'in', [...new Set(ids)])
        .orderBy('signatures.id')
        .execute();

/** The signatures of one time tracking. */
export function listSignatures(db: Db, { accountId }: Actor, owner: Signed, selection: Selection) {
  const visible = signatures(db, accountId).where('signatures.time_tracking_id', '=', owner.time_tracking_id);
  const rows = signatureRows(db, accountId);
  return list(db, { visible, rows, id: 'signatures.id', columns }, selection);
}

/** Stores the image of a signature; without a title it has the actor's name. */
export async function createSignature(
  db: Db,
  actor: Actor,
  owner: Signed,
  input: { title?: string; image: NewFile },
  now: Date,
): Promise<SignatureRow> {
  refuse(fileNameProblems('image', input.image));
  await requireImage('image', input.image.bytes);
  const stored = await storeFile(db, actor.accountId, input.image, now);
  const { id } = await db
    .insertInto('signatures')
    .values({
      account_id: actor.accountId,
      time_tracking_id: owner.time_tracking_id,
      title: input.title?.trim() ? input.title : actor.username,
      file_id: stored.id,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return signatureRows(db, actor.accountId).where('signatures.id', '=', id).executeTakeFirstOrThrow();
}

/** Removes the signatures of trackings, and their images; to be called before the trackings themselves go. */
export async function removeSignaturesOf(db: Db, accountId: number, timeTrackingIds: readonly number[]): Promise<void> {
  const removed = await db
    .deleteFrom('signatures')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`time_tracking_id = any(${timeTrackingIds}::bigint[])`)
    .returning('file_id')
    .execute();
  await removeFiles(
    db,
    accountId,
    removed.map((row) => row.file_id),
  );
}
