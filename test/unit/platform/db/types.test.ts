import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { typeParsers } from '../../../../src/platform/db/driver/types.ts';

const timestamptz = 1184;

describe('moments', () => {
  it.each([
    '2026-01-30 08:00:00+00',
    '1999-12-31 23:59:59+00',
    '2000-02-29 00:00:00+00',
    '2999-12-31 23:59:59+00',
    '0044-03-15 12:30:45+00',
    '12026-01-30 08:00:00+00',
    '0044-03-15 12:30:45+00 BC',
    '2026-01-30 08:00:00.25+00',
    '2026-01-30 08:00:00.123+00',
    '2026-01-30 09:00:00+01',
    '2026-01-30 13:30:00+05:30',
    'infinity',
    '-infinity',
  ])('%s is parsed correctly', (text) => {
    const everybody = pg.types.getTypeParser(timestamptz as number) as (text: string) => unknown;
    expect(typeParsers.getTypeParser(timestamptz, 'text')(text)).toEqual(everybody(text));
  });
});

describe('lists of numbers', () => {
  it.each(['{}', '{1}', '{1,22,333}', '{-5,NULL,9007199254740991}'])('%s is parsed correctly', (text) => {
    const everybody = pg.types.getTypeParser(1007 as number) as (text: string) => unknown;
    expect(typeParsers.getTypeParser(1016 as number, 'text')(text)).toEqual(everybody(text));
  });

  it('refuses a number that would lose precision', () => {
    expect(() => typeParsers.getTypeParser(1016 as number, 'text')('{9007199254740993}')).toThrow('9007199254740993');
  });
});
