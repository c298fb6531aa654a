import { createHmac, randomBytes } from 'node:crypto';
import type { Links } from '../core/links.ts';
import { sameText } from '../core/secrets.ts';
import type { Db } from '../db/connection.ts';

export interface SignedLinks extends Links {
  /** Whether a path was signed here and has not expired. */
  isValid(path: string, expires: string, signature: string, now: Date): boolean;
}

const hour = 3600;
const lifetime = 24 * hour;

/** The key that signs links: the operator's, or one that all processes find in the database. */
export async function signingKey(db: Db, given: string | undefined): Promise<string> {
  if (given) return given;
  const kept = db.selectFrom('service_settings').select('value').where('name', '=', 'signing_key');
  const known = await kept.executeTakeFirst();
  if (known) return known.value;
  await db
    .insertInto('service_settings')
    .values({ name: 'signing_key', value: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await kept.executeTakeFirstOrThrow()).value;
}

export function signedLinks(key: string, clock: () => Date = () => new Date()): SignedLinks {
  const sign = (path: string, expires: string): string =>
    createHmac('sha256', key).update(`${path}\n${expires}`).digest('base64url');
  return {
    file(accountId, fileId) {
      const path = `/files/${accountId}/${fileId}`;
      // Rounded to the hour, so that a client that asks again gets the same address and can use its cache.
      const expires = String(Math.ceil(clock().getTime() / 1000 / hour) * hour + lifetime);
      return `${path}?expires=${expires}&signature=${sign(path, expires)}`;
    },
    isValid: (path, expires, signature, now) =>
      /^\d{1,12}$/.test(expires) && Number(expires) * 1000 > now.getTime() && sameText(signature, sign(path, expires)),
  };
}
