import { createHmac, randomBytes } from 'node:crypto';
import type { Links } from '../core/links.ts';
import { sameText } from '../core/secrets.ts';
import type { Db } from '../db/connection.ts';

export interface SignedLinks extends Links {
  /** Whether a signature is valid for the path and has not expired. */
  isValid(path: string, expires: string, signature: string, now: Date): boolean;
}

const hourSeconds = 3600;
const lifetimeSeconds = 24 * hourSeconds;

/** The key that signs links: the configured one, or one that all processes share in the database. */
export async function signingKey(db: Db, configured: string | undefined): Promise<string> {
  if (configured) return configured;
  const stored = db.selectFrom('service_settings').select('value').where('name', '=', 'signing_key');
  const existing = await stored.executeTakeFirst();
  if (existing) return existing.value;
  await db
    .insertInto('service_settings')
    .values({ name: 'signing_key', value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await stored.executeTakeFirstOrThrow()).value;
}

/** Links to files, signed with a key and valid for a day. */
export function signedLinks(key: string, clock: () => Date = () => new Date()): SignedLinks {
  const sign = (path: string, expires: string): string =>
    createHmac('sha256', key).update(`${path}\n${expires}`).digest('base64url');
  return {
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
