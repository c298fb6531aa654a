import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/db/connection.ts';
import { overAllAccounts } from '../../platform/db/distribution/all_accounts.ts';
import { signingKey, storedSigningKey } from '../../platform/files/links.ts';

/*
 * The secrets of webhooks must be readable, because they sign requests. They are stored encrypted with a key that is derived from
 * the service's own. The account is part of what is authenticated, so that a secret cannot be moved to another account.
 */

export interface SecretBox {
  /** The secret, encrypted with the current key. */
  seal(accountId: number, secret: string): string;
  /** The secret. Undefined if none of the keys fits. */
  open(accountId: number, sealed: string): string | undefined;
  /** Whether it was encrypted with the current key. */
  isCurrent(sealed: string): boolean;
}

const ivBytes = 12;
const tagBytes = 16;

interface Key {
  readonly id: string;
  readonly bytes: Buffer;
}

function keyFrom(text: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', text, '', 'punchcard webhook secrets', 32));
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

/** Encrypts with the first key, and decrypts with any of them. */
function secretBox(first: string, ...earlier: readonly string[]): SecretBox {
  const keys = [first, ...earlier].map(keyFrom);
  const current = keys[0]!;
  return {
    seal(accountId, secret) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', current.bytes, iv).setAAD(Buffer.from(String(accountId)));
      const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${current.id}.${Buffer.concat([iv, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
    },
    open(accountId, sealed) {
      const [id, text = ''] = sealed.split('.');
      const key = keys.find((known) => known.id === id);
      if (!key) return undefined;
      const bytes = Buffer.from(text, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, ivBytes))
        .setAAD(Buffer.from(String(accountId)))
        .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
      return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
    },
    isCurrent: (sealed) => sealed.startsWith(`${current.id}.`),
  };
}

/**
 * The box of this service. Its key comes from SECRET_KEY, or from the database without one. Secrets that were encrypted with
 * SECRET_KEY_PREVIOUS, or before SECRET_KEY was set, can still be read.
 */
export async function openSecretBox(
  db: Db,
  config: Pick<Config, 'secretKey' | 'previousSecretKey'>,
): Promise<SecretBox> {
  const current = await signingKey(db, config.secretKey);
  const earlier = [config.previousSecretKey, await storedSigningKey(db)].filter((key) => key !== undefined);
  return secretBox(current, ...earlier);
}

/** Encrypts the secrets again that an earlier key encrypted, so that the earlier key is not needed any more. */
export async function resealSecrets(db: Db, config: Pick<Config, 'secretKey' | 'previousSecretKey'>): Promise<void> {
  const box = await openSecretBox(db, config);
  await overAllAccounts(db, async (isAmong) => {
    const rows = await db.selectFrom('webhooks').select(['account_id', 'id', 'secret']).where(isAmong).execute();
    for (const { account_id, id, secret } of rows.filter((row) => !box.isCurrent(row.secret))) {
      const opened = box.open(account_id, secret);
      if (opened === undefined) continue;
      await db
        .updateTable('webhooks')
        .set({ secret: box.seal(account_id, opened) })
        .where('account_id', '=', account_id)
        .where('id', '=', id)
        .where('secret', '=', secret)
        .execute();
    }
  });
}
