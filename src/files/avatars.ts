import type { Db } from '../db/connection.ts';
import { imageInDataUrl, storeFile } from './files.ts';

/** A data URL is stored; an https address is kept as given and never fetched. */
export async function avatarColumns(
  db: Db,
  accountId: number,
  avatar: string | null | undefined,
  now: Date,
): Promise<{ avatar_url?: string | null; avatar_file_id?: string | null }> {
  if (avatar === undefined) return {};
  if (avatar === null || !avatar.startsWith('data:')) return { avatar_url: avatar, avatar_file_id: null };
  const { id } = await storeFile(db, accountId, await imageInDataUrl('avatar', avatar), now);
  return { avatar_url: null, avatar_file_id: id };
}
