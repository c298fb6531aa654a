import { createHmac, randomBytes } from 'node:crypto';
import type { FilePaths } from '../core/links.ts';
import { sameText } from '../core/secrets.ts';
import type { Db } from '../db/connection.ts';
import { findSetting, settingOrNew } from '../db/service_settings.ts';

export interface SignedLinks extends FilePaths {
  /** Whether a signature is valid for the path and has not expired. */
  isValid(path: string, expires: string, signature: string, now: Date): boolean;
  /** The signature of a text that is no link. `purpose` keeps signatures of different things apart. */
  sign(purpose: string, text: string): string;
}

const hourSeconds = 3600;
const lifetimeSeconds = 24 * hourSeconds;

const settingName = 'signing_key';

/** The key that signs links: the configured one, or one that all processes share in the database. */
export const signingKey = async (db: Db, configured: string | undefined): Promise<string> =>
  configured || settingOrNew(db, settingName, () => randomBytes(32).toString('base64url'));

/** The key in the database, if there is one. */
export const storedSigningKey = (db: Db): Promise<string | undefined> => findSetting(db, settingName);

/** Links to files, signed with a key and valid for a day. */
export function signedLinks(key: string, clock: () => Date = () => new Date()): SignedLinks {
  const sign = (purpose: string, text: string): string =>
    createHmac('sha256', key).update(`${purpose}\n${text}`).digest('base64url');
  return {
    // Paths begin with a slash, purposes do not.
    sign,
    file(accountId, fileId) {
      const path = `/files/${accountId}/${fileId}`;
      // Rounded to the hour, so that a client gets the same address again and can use its cache.
      const currentHour = Math.ceil(clock().getTime() / 1000 / hourSeconds) * hourSeconds;
      const expires = String(currentHour + lifetimeSeconds);
      return `${path}?expires=${expires}&signature=${sign(path, expires)}`;
    },
    isValid: (path, expires, signature, now) =>
      /^\d{1,12}$/.test(expires) && Number(expires) * 1000 > now.getTime() && sameText(signature, sign(path, expires)),
  };
}
