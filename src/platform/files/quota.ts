import { invalid } from '../core/errors.ts';
import type { Db } from '../db/connection.ts';

/*
 * How much the files of one account may take together. Triggers keep the total of each account (file_totals) in the
 * transaction that stores or removes a file. The row of the total is locked by the first of several at the same time, so that the
 * next one sees its file.
 *
 * A process has one quota. It is kept here and not passed through every verb that may store a file, such as an avatar.
 */
let quotaBytes = 0;

/** Sets the quota of each account. 0 turns it off. */
export const setFileQuota = (bytes: number): void => void (quotaBytes = bytes);

/** Refuses a file that was just stored if the account has more than its quota now. The transaction then stores nothing. */
export async function requireFileQuota(
  db: Db,
  accountId: number,
  file: { readonly name: string; readonly size_bytes: number },
): Promise<void> {
  if (quotaBytes === 0) return;
  const { used_bytes } = await db
    .selectFrom('file_totals')
    .select('used_bytes')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (used_bytes <= quotaBytes) return;
  throw invalid(
    'limit_reached',
    'base',
    `The file "${file.name}" has ${mebibytes(file.size_bytes)}. The files of this account may have ${mebibytes(quotaBytes)} together, and ${mebibytes(used_bytes - file.size_bytes)} are used.`,
  );
}

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(2)} MiB`;
