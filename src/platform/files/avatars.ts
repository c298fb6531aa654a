import type { Problem } from '../core/errors.ts';
import type { Db } from '../db/connection.ts';
import { imageInDataUrl, notAnImage, removeFiles, storeFile } from './files.ts';

/** Problems with an avatar that the contract cannot check: whether a data URL contains an image. */
export async function avatarProblems(avatar: string | null | undefined): Promise<Problem[]> {
  if (!avatar?.startsWith('data:') || (await imageInDataUrl('avatar', avatar))) return [];
  return [{ code: 'invalid_format', pointer: 'avatar', title: notAnImage('avatar') }];
}

/** The columns for an avatar. The image of a data URL is stored; an https address is kept as given and never fetched. */
export async function avatarColumns(
  db: Db,
  accountId: number,
  avatar: string | null | undefined,
  now: Date,
): Promise<{ avatar_url?: string | null; avatar_file_id?: string | null }> {
  if (avatar === undefined) return {};
  if (avatar === null || !avatar.startsWith('data:')) return { avatar_url: avatar, avatar_file_id: null };
  const { id } = await storeFile(db, accountId, (await imageInDataUrl('avatar', avatar))!, now);
  return { avatar_url: null, avatar_file_id: id };
}

/** Removes the stored image of an avatar that was replaced. */
export async function forgetReplacedAvatar(
  db: Db,
  before: { account_id: number; avatar_file_id: string | null },
  change: { avatar?: string | null },
): Promise<void> {
  if (change.avatar !== undefined && before.avatar_file_id !== null)
    await removeFiles(db, before.account_id, [before.avatar_file_id]);
}
