import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import { sql } from 'kysely';
import { invalid, type Problem } from '../core/errors.ts';
import type { Db } from '../db/connection.ts';
import { requireFileQuota } from './quota.ts';
import { storeOf, storeOfNewFiles } from './storage/stores.ts';

/*
 * A file has a record in the database, and content that is in the database or in an object store. A file is reached through its
 * record alone.
 */

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly content_type: string;
  readonly size_bytes: number;
  /** The key of its object. Null where the content is in the database. */
  readonly object_key: string | null;
}

/** A file as the request has it. */
export interface NewFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Problems with the name of a file. */
export function fileNameProblems(pointer: string, { name }: NewFile): Problem[] {
  if (name.includes('\0'))
    return [{ code: 'invalid_format', pointer, title: `The name of ${pointer} must not contain the NUL character.` }];
  return name.length > 255
    ? [
        {
          code: 'too_long',
          pointer,
          title: `The name of ${pointer} must have at most 255 characters, and has ${name.length}.`,
          meta: { max_length: 255 },
        },
      ]
    : [];
}

/**
 * Stores a file; 400 if the account has no space left for it, 503 if the object store cannot take it. Its type is detected from
 * its bytes; what the client says is ignored.
 */
export async function storeFile(db: Db, accountId: number, file: NewFile, now: Date): Promise<StoredFile> {
  const store = storeOfNewFiles();
  const stored = {
    id: randomUUID(),
    name: file.name || 'file',
    content_type: await contentTypeOf(file.bytes),
    size_bytes: file.bytes.length,
    object_key: store.newKey(accountId, now),
  };
  await db
    .insertInto('files')
    .values({ ...stored, account_id: accountId, created_at: now })
    .execute();
  await requireFileQuota(db, accountId, stored);
  await store.put((write) => write(db), { ...stored, account_id: accountId }, onePiece(file.bytes));
  return stored;
}

async function* onePiece(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

export const removeFiles = async (db: Db, accountId: number, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0)
    await db
      .deleteFrom('files')
      .where('account_id', '=', accountId)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .execute();
};

/** One complete file without its bytes, or undefined where there is none or its record is deleted. */
export const findFile = (db: Db, accountId: number, id: string): Promise<StoredFile | undefined> =>
  db
    .selectFrom('files')
    .select(['id', 'name', 'content_type', 'size_bytes', 'object_key'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('is_complete', '=', true)
    .where('deleted_record_id', 'is', null)
    .executeTakeFirst();

/** Opens the content of a file, before the first byte of it is sent; 503 if the object store cannot be reached. */
export const openContent = (db: Db, accountId: number, file: StoredFile): Promise<AsyncIterable<Buffer>> =>
  storeOf(file).get(db, { ...file, account_id: accountId });

/** The bytes of a file, piece by piece. Throws if the file was removed meanwhile. */
export async function* piecesOf(db: Db, accountId: number, file: StoredFile): AsyncGenerator<Buffer> {
  yield* await openContent(db, accountId, file);
}

/** The type of some bytes. Text has no signature: bytes count as text if they are valid UTF-8 without NUL. */
async function contentTypeOf(bytes: Buffer): Promise<string> {
  const detected = await fileTypeFromBuffer(bytes);
  if (detected) return detected.mime;
  return isText(bytes) ? 'text/plain' : 'application/octet-stream';
}

const isText = (bytes: Buffer): boolean => !bytes.includes(0) && isUtf8(bytes);

export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

/** The file extension of an image, or undefined for bytes of any other type. */
async function imageExtension(bytes: Buffer): Promise<string | undefined> {
  const detected = await fileTypeFromBuffer(bytes);
  return detected && imageTypes.includes(detected.mime) ? detected.ext : undefined;
}

/** The file extension of an image; 400 for bytes of any other type. */
export async function requireImage(pointer: string, bytes: Buffer): Promise<string> {
  const extension = await imageExtension(bytes);
  if (!extension) throw invalid('invalid_format', pointer, notAnImage(pointer));
  return extension;
}

export const notAnImage = (pointer: string): string =>
  `${pointer} must be a PNG, JPEG or WebP image, and these bytes are none.`;

/** The image in a data URL, or undefined for bytes of any other type. */
export async function imageInDataUrl(name: string, url: string): Promise<NewFile | undefined> {
  const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  const extension = await imageExtension(bytes);
  return extension ? { name: `${name}.${extension}`, bytes } : undefined;
}
