import { describe, expect, it } from 'vitest';
import {
  hashPassword,
  newAccessToken,
  newApiKey,
  newApiToken,
  newPin,
  newResetToken,
  passwordMatches,
  sameText,
  tokenHash,
} from '../../../../src/platform/core/secrets.ts';

describe('tokens', () => {
  it('contain 32 random bytes after a readable prefix', () => {
    expect(newAccessToken()).toMatch(/^pat_[\w-]{43}$/);
    expect(newApiKey()).toMatch(/^pak_[\w-]{43}$/);
    expect(newResetToken()).toMatch(/^[\w-]{43}$/);
  });

  it('of the public API have 40 letters and digits', () => {
    expect(newApiToken()).toMatch(/^[A-Za-z0-9]{40}$/);
  });

  it('are never the same', () => {
    for (const make of [newAccessToken, newApiKey, newResetToken, newApiToken])
      expect(new Set(Array.from({ length: 100 }, make)).size).toBe(100);
  });

  it('are stored as their SHA-256', () => {
    expect(tokenHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('newPin', () => {
  it('has four characters that nobody confuses', () => {
    for (let count = 0; count < 200; count++) expect(newPin()).toMatch(/^[A-HJ-NP-Z2-9]{4}$/);
  });
});

describe('sameText', () => {
  it('compares texts of any length', () => {
    expect(sameText('abc', 'abc')).toBe(true);
    expect(sameText('abc', 'abd')).toBe(false);
    expect(sameText('abc', 'abcd')).toBe(false);
    expect(sameText('', '')).toBe(true);
  });
});

describe('passwords', () => {
  it('are hashed with Argon2id, with the parameters that were decided on and a salt of their own', async () => {
    const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(other).not.toBe(one);
  });

  it('match their hash and no other', async () => {
    const hash = await hashPassword('correct horse');
    expect(await passwordMatches(hash, 'correct horse')).toBe(true);
    expect(await passwordMatches(hash, 'Correct horse')).toBe(false);
    expect(await passwordMatches(null, 'correct horse')).toBe(false);
  });

  it('take the same time to check without a stored hash', async () => {
    const hash = await hashPassword('correct horse');
    const lasted = async (stored: string | null) => {
      const start = performance.now();
      for (let count = 0; count < 5; count++) await passwordMatches(stored, 'wrong');
      return performance.now() - start;
    };
    await lasted(null);
    // Clocks are inexact on a busy machine. Without the hash the check would be a hundred times faster.
    expect(await lasted(null)).toBeGreaterThan((await lasted(hash)) / 5);
  });
});
