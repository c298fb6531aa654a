import { randomUUID } from 'node:crypto';
import { fileTypeFromBuffer } from 'file-type';
import { sql } from 'kysely';
import { invalid, type Problem } from '../core/errors.ts';
import type { Db } from '../db/connection.ts';

/*
 * Files live in the database: in the same transaction as the record they belong to, in every backup, the same on every
 * machine. These functions are the whole seam; object storage could stand behind them.
 */

const pieceBytes = 256 * 1024;

export interface StoredFile {
  readonly id: string;
  readonly name: string;
  readonly content_type: string;
  readonly size_bytes: number;
}

/** A file as it came in. */
export interface NewFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** What speaks against the name of a file. */
export function fileNameProblems(pointer: string, { name }: NewFile): Problem[] {
  if (name.includes('\0')) return [{ pointer, title: `The name of ${pointer} must not contain the NUL character.` }];
  return name.length > 255
    ? [{ pointer, title: `The name of ${pointer} must have at most 255 characters, and has ${name.length}.` }]
    : [];
}

/** Stores a file. Its type is read from its bytes, never believed. */
export async function storeFile(db: Db, accountId: number, file: NewFile, now: Date): Promise<StoredFile> {
  const stored = {
    id: randomUUID(),
    name: file.name || 'file',
    content_type: await contentTypeOf(file.bytes),
    size_bytes: file.bytes.length,
  };
  await db
    .insertInto('files')
    .values({ ...stored, account_id: accountId, created_at: now })
    .execute();
  for (let position = 0; position * pieceBytes < file.bytes.length; position++) {
    const bytes = file.bytes.subarray(position * pieceBytes, (position + 1) * pieceBytes);
    await db.insertInto('file_pieces').values({ account_id: accountId, file_id: stored.id, position, bytes }).execute();
  }
  return stored;
}

export const removeFiles = async (db: Db, accountId: number, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0)
    await db
      .deleteFrom('files')
      .where('account_id', '=', accountId)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .execute();
};

/** The file's facts, or undefined. */
export const findFile = (db: Db, accountId: number, id: string): Promise<StoredFile | undefined> =>
  db
    .selectFrom('files')
    .select(['id', 'name', 'content_type', 'size_bytes'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();

/** The file's bytes, a piece at a time. It throws where one is missing, because the file has just been removed. */
export async function* piecesOf(db: Db, accountId: number, file: StoredFile): AsyncGenerator<Buffer> {
  for (let position = 0; position * pieceBytes < file.size_bytes; position++) {
    const { bytes } = await db
      .selectFrom('file_pieces')
      .select('bytes')
      .where('account_id', '=', accountId)
      .where('file_id', '=', file.id)
      .where('position', '=', position)
      .executeTakeFirstOrThrow();
    yield bytes;
  }
}

/** What the bytes are. Text has no marks of its own, and is shown as text only where it can be nothing else. */
async function contentTypeOf(bytes: Buffer): Promise<string> {
  const sniffed = await fileTypeFromBuffer(bytes);
  if (sniffed) return sniffed.mime;
  return isText(bytes) ? 'text/plain' : 'application/octet-stream';
}

const isText = (bytes: Buffer): boolean =>
  !bytes.includes(0) && Buffer.from(bytes.toString('utf8'), 'utf8').equals(bytes);

export const imageTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

/** The usual ending of the image's kind, or undefined where the bytes are none of the three kinds that are stored. */
async function imageExtension(bytes: Buffer): Promise<string | undefined> {
  const sniffed = await fileTypeFromBuffer(bytes);
  return sniffed && imageTypes.includes(sniffed.mime) ? sniffed.ext : undefined;
}

/** The same, with a 400 where the bytes are no image. */
export async function requireImage(pointer: string, bytes: Buffer): Promise<string> {
  const extension = await imageExtension(bytes);
  if (!extension) throw invalid(pointer, notAnImage(pointer));
  return extension;
}

export const notAnImage = (pointer: string): string =>
  `${pointer} must be a PNG, JPEG or WebP image, and these bytes are none.`;

/** The image inside a data URL, or undefined where there is none. */
export async function imageInDataUrl(name: string, url: string): Promise<NewFile | undefined> {
  const bytes = Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
  const extension = await imageExtension(bytes);
  return extension ? { name: `${name}.${extension}`, bytes } : undefined;
}
