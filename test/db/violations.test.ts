import { describe, expect, it } from 'vitest';
import { isUndone, isUnreachable } from '../../src/db/violations.ts';

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

describe('isUnreachable', () => {
  it.each([
    ['a database that is read-only', '25006'],
    ['a statement that was cancelled', '57014'],
    ['a server that has crashed', '57P02'],
    ['a disk that is full', '53100'],
    ['a socket closed', 'ECONNRESET'],
  ])('holds for %s', (message, code) => {
    expect(isUnreachable(failure(message, code))).toBe(true);
  });

  it.each([
    ['a duplicate', '23505'],
    ['a transaction that is aborted', '25P02'],
  ])('does not hold for %s', (message, code) => {
    expect(isUnreachable(failure(message, code))).toBe(false);
  });
});
