import pg from 'pg';

/* One set of parsers for both databases, so that a row looks the same wherever it came from. */

function bigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a safe integer`);
  return value;
}

const textArray = pg.types.getTypeParser(1009 as number) as (text: string) => (string | null)[];
const arrayOf = (parse: (text: string) => unknown) => (text: string) => textArray(text).map((item) => (item === null ? null : parse(item)));

const asText = (text: string): string => text;

const parsers: Record<number, (text: string) => unknown> = {
  20: bigint,
  1016: arrayOf(bigint),
  1700: Number,
  1231: arrayOf(Number),
  // A date is a day of the calendar, not a moment: it stays text.
  1082: asText,
  1182: arrayOf(asText),
};

export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};
