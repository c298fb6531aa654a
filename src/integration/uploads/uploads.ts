import { notFound, refuse } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import type { Names } from '../../platform/core/names.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { number } from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { referred } from '../../platform/db/names.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { recordFile } from '../../platform/files/events.ts';
import { storeFile } from '../../platform/files/files.ts';
import { userNamed } from '../../organisation/users/users.ts';

const uploadRows = (db: Db, accountId: number) =>
  db
    .selectFrom('uploads')
    .innerJoin('files as file', (join) =>
      join.on('file.account_id', '=', accountId).onRef('file.id', '=', 'uploads.file_id'),
    )
    .where('uploads.account_id', '=', accountId)
    .selectAll('uploads')
    .select(['file.name as file_name', 'file.content_type', 'file.size_bytes', 'file.created_at as file_created_at']);

export type UploadRow = Awaited<ReturnType<ReturnType<typeof uploadRows>['executeTakeFirstOrThrow']>>;

/** The documents of one user, or those of them with exactly this title. */
export function listUploads(
  db: Db,
  { accountId }: Actor,
  userId: number,
  title: string | undefined,
  selection: Selection,
) {
  const ofUser = db
    .selectFrom('uploads')
    .where('uploads.account_id', '=', accountId)
    .where('uploads.user_id', '=', userId);
  return list(
    db,
    {
      // PostgreSQL refuses a text with NUL in it, and no title has one.
      visible: title === undefined ? ofUser : ofUser.where('uploads.title', '=', title.includes('\0') ? null : title),
      rows: uploadRows(db, accountId),
      id: 'uploads.id',
      columns: { id: number('uploads.id') },
      timeZone: 'UTC',
    },
    selection,
  );
}

/** One document of the account; 404 otherwise. */
export async function findUpload(db: Db, { accountId }: Actor, ref: Id): Promise<UploadRow> {
  const id = numericId(ref);
  const row =
    id === undefined ? undefined : await uploadRows(db, accountId).where('uploads.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('upload');
  return row;
}

/** Stores a document of a user. Without a title, it gets the name of its file. */
export async function createUpload(
  db: OpenTransaction,
  actor: Actor,
  names: Names,
  input: { title?: string; description?: string; file: { name: string; bytes: Buffer } },
  now: Date,
): Promise<UploadRow> {
  const { row: user, problems } = await referred(names, 'user of this enterprise', () => userNamed(db, actor, names));
  refuse(problems);
  const file = await storeFile(db, actor.accountId, input.file, now);
  const { id } = await db
    .insertInto('uploads')
    .values({
      account_id: actor.accountId,
      user_id: user!.id,
      title: input.title || input.file.name.slice(0, 255),
      description: input.description ?? '',
      file_id: file.id,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const owner = { reference: { user_id: user!.id }, userId: user!.id, workspaceId: null };
  recordFile(db, actor, file, owner, now);
  return findUpload(db, actor, id);
}
