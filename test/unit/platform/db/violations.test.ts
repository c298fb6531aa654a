import { describe, expect, it } from 'vitest';
import { isRetryable, isUnreachable } from '../../../../src/platform/db/violations.ts';

const failure = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

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

describe('isRetryable', () => {
  const lostShard = failure('could not find valid entry for shard 102008', 'XX000');

  it('holds where Citus has replaced a shard, and for no other fault of the server', () => {
    expect(isRetryable(Object.assign(lostShard, { routine: 'LookupShardRelationFromCatalog' }))).toBe(true);
    expect(isRetryable(Object.assign(lostShard, { routine: 'elog_finish' }))).toBe(false);
  });
});
