import { createHash, hash as digest, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** The stored form of a token: enough to recognise it, not enough to use it. Tokens are random, so a fast hash is safe. */
export const tokenHash = (token: string): string => digest('sha256', token);

/** 32 random bytes behind a prefix that tells a person, or a scanner of leaked secrets, what this is. */
export const newAccessToken = (): string => `pat_${randomBytes(32).toString('base64url')}`;

export const newApiKey = (): string => `pak_${randomBytes(32).toString('base64url')}`;

/** The secret in the address of a calendar feed. */
export const newCalendarSecret = (): string => `pcf_${randomBytes(32).toString('base64url')}`;

export const newResetToken = (): string => randomBytes(32).toString('base64url');

const lettersAndDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** The 40 letters and digits that clients of the public API expect. */
export const newApiToken = (): string => randomText(40, lettersAndDigits);

/** A first password to hand over: long enough that nobody guesses it, short enough to type. */
export const newPassword = (): string => randomText(16, 'abcdefghjkmnpqrstuvwxyz23456789');

/** Four characters for a shared terminal, without those that are easily confused. */
export const newPin = (): string => randomText(4, 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789');

const randomText = (length: number, alphabet: string): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

export function sameText(one: string, other: string): boolean {
  const [a, b] = [createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest()];
  return timingSafeEqual(a, b);
}

const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, argon2id);

/** Takes the same time whether or not there is a hash to compare with. */
export async function passwordMatches(storedHash: string | null, password: string): Promise<boolean> {
  const matches = await verify(storedHash ?? (await decoy), password);
  return matches && storedHash !== null;
}

const decoy = hashPassword(randomBytes(16).toString('hex'));
