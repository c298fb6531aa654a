import pg from 'pg';

/* One set of parsers for both databases, so that both return the same rows. */

function bigint(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} does not fit a safe integer`);
  return value;
}

/** `{1,2}`, which has no quotes. Rows are full of related ids, and the parser of `pg` looks for quotes at every character. */
const bigints = (text: string): (number | null)[] =>
  text === '{}'
    ? []
    : text
        .slice(1, -1)
        .split(',')
        .map((item) => (item === 'NULL' ? null : bigint(item)));

const textArray = pg.types.getTypeParser(1009 as number) as (text: string) => (string | null)[];
const arrayOf = (parse: (text: string) => unknown) => (text: string) =>
  textArray(text).map((item) => (item === null ? null : parse(item)));

const asText = (text: string): string => text;

const parseTimestamp = pg.types.getTypeParser(1184 as number) as (text: string) => Date | number;

/** Nearly every timestamp looks like `2026-01-30 08:00:00+00`, and is read by the positions of its digits. Others go to `pg`. */
function timestamp(text: string): Date | number {
  if (text.length !== 22 || !text.endsWith('+00') || text.startsWith('00')) return parseTimestamp(text);
  const at = (position: number): number =>
    (text.charCodeAt(position) - zero) * 10 + text.charCodeAt(position + 1) - zero;
  return new Date(Date.UTC(at(0) * 100 + at(2), at(5) - 1, at(8), at(11), at(14), at(17)));
}

const zero = '0'.charCodeAt(0);

const parsers: Record<number, (text: string) => unknown> = {
  20: bigint,
  1016: bigints,
  1184: timestamp,
  1700: Number,
  1231: arrayOf(Number),
  // A date is a day of the calendar without a time zone: it stays text.
  1082: asText,
  1182: arrayOf(asText),
};

export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) ||
    pg.types.getTypeParser(oid, format as 'text')) as pg.CustomTypesConfig['getTypeParser'],
};
