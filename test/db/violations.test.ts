import { describe, expect, it } from 'vitest';
import { isUndone } from '../../src/db/violations.ts';

const failure = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

describe('isUndone', () => {
  it.each([
    ['a duplicate', '23505'],
    ['a value too large', '22003'],
    ['a deadlock', '40P01'],
    ['a statement that took too long', '57014'],
  ])('is sure that %s has stored nothing', (message, code) => {
    expect(isUndone(failure(message, code))).toBe(true);
  });

  it.each([
    ['a connection lost', '08006'],
    ['a server that goes away', '57P01'],
    ['a commit of unknown end', '40003'],
    ['a disk that fails', '58030'],
    ['a socket closed', 'ECONNRESET'],
    ['Connection terminated unexpectedly', undefined],
  ])('does not know what became of %s', (message, code) => {
    expect(isUndone(failure(message, code))).toBe(false);
  });
});
