import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isUuid } from '../core/ids.ts';
import { isDay, momentOf } from '../core/time.ts';

/** A column that a collection can be filtered and sorted by. */
export interface Column {
  readonly kind: 'text' | 'number' | 'boolean' | 'time' | 'day' | 'uuid';
  readonly value: RawBuilder<unknown>;
  /** Where some rows are known by a UUID instead: the column that has it. */
  readonly uuid?: RawBuilder<unknown>;
}

/** The columns of a collection, by the names the contract gives them. */
export type Columns = Readonly<Record<string, Column>>;

const column =
  (kind: Column['kind']) =>
  (reference: string | RawBuilder<unknown>): Column => ({
    kind,
    value: typeof reference === 'string' ? sql.ref(reference) : reference,
  });

export const text = column('text');
export const number = column('number');
export const boolean = column('boolean');
export const time = column('time');
export const day = column('day');
export const uuid = column('uuid');

/** A zone as it is shown: the city in its name. */
export const city = (reference: string): Column =>
  text(sql`replace(regexp_replace(${sql.ref(reference)}, '^.*/', ''), '_', ' ')`);

/** An id that is a number, and for some rows a UUID, by which they can be found too. */
export const numberOrUuid = (id: string, uuidColumn: string): Column => ({ ...number(id), uuid: sql.ref(uuidColumn) });

/** A filter with a meaning of its own, which takes a bare value; undefined where the value does not fit. */
export type NamedFilter = (value: string) => RawBuilder<SqlBool> | undefined;

/*
 * Filters. What is unknown or does not fit is ignored, as the contract promises: these functions then return undefined.
 */
/** The rows that one filter leaves. */
export function conditionOf(
  { columns, named }: { columns: Columns; named?: Readonly<Record<string, NamedFilter>> | undefined },
  name: string,
  value: unknown,
): RawBuilder<SqlBool> | undefined {
  const given = textsIn(value);
  if (given.length === 0) return undefined;
  if (named && Object.hasOwn(named, name)) {
    const bare = given.map((item) => item.replace(/^(eq|in):/, '')).join(',');
    const condition = hasNul(bare) ? nothing : named[name]!(bare);
    // Where the bare value does not fit, a column of that name may still take a matcher and a value.
    if (condition) return condition;
  }
  if (!Object.hasOwn(columns, name)) return undefined;
  const target = columns[name]!;
  if (typeof value === 'string') return matchesOne(target, value);
  // A field may be given several times: with matchers all of them hold (a range), bare values are a list.
  const [ranged, listed] = [
    given.filter((item) => isMatcher.test(item)),
    given.filter((item) => !isMatcher.test(item)),
  ];
  const conditions = [
    ...ranged.map((item) => matchesOne(target, item)),
    listed.length > 0
      ? isOneOf(
          target,
          listed.map((item) => item.replace(/^(eq|in):/, '')),
        )
      : undefined,
  ].filter((condition) => condition !== undefined);
  return conditions.length > 0 ? sql<SqlBool>`(${sql.join(conditions, sql` and `)})` : undefined;
}

const isMatcher = /^(!eq|gte?|lte?|pre|suf|!?ct|present):/;

/** The query parser makes an object of a list with many items, with their numbers for keys. */
function textsIn(value: unknown): string[] {
  const isList = typeof value === 'object' && value !== null && Object.keys(value).every((key) => /^\d+$/.test(key));
  return (isList ? Object.values(value) : [value]).filter((item) => typeof item === 'string');
}

function matchesOne(target: Column, given: string): RawBuilder<SqlBool> | undefined {
  const separator = given.indexOf(':');
  return separator < 0 ? undefined : matches(target, given.slice(0, separator), given.slice(separator + 1));
}

const nothing = sql<SqlBool>`false`;
const hasNul = (value: string): boolean => value.includes('\0');

const comparisons: Readonly<Record<string, RawBuilder<unknown>>> = {
  gt: sql`>`,
  gte: sql`>=`,
  lt: sql`<`,
  lte: sql`<=`,
};

function matches(target: Column, matcher: string, given: string): RawBuilder<SqlBool> | undefined {
  if (hasNul(given)) return nothing;
  if (matcher === 'present') return isPresent(target, given);
  if (matcher === 'in') return isOneOf(target, given.split(','));
  if (target.uuid && isUuid(given)) return matches({ kind: 'uuid', value: target.uuid }, matcher, given);
  const { kind, value } = target;
  if (matcher === 'eq' || matcher === '!eq') {
    const operand = operandOf(kind, given);
    if (operand === undefined) return undefined;
    return matcher === 'eq' ? sql<SqlBool>`${value} = ${operand}` : sql<SqlBool>`${value} is distinct from ${operand}`;
  }
  if (Object.hasOwn(comparisons, matcher)) {
    const operand = kind === 'boolean' || kind === 'uuid' ? undefined : operandOf(kind, given);
    if (operand === undefined) return undefined;
    const collation = kind === 'text' ? sql`collate "C"` : sql``;
    return sql<SqlBool>`${value} ${collation} ${comparisons[matcher]!} ${operand}`;
  }
  return kind === 'text' ? matchesText(value, matcher, given) : undefined;
}

function matchesText(value: RawBuilder<unknown>, matcher: string, given: string): RawBuilder<SqlBool> | undefined {
  // Percent sign, underscore and backslash are plain characters to the caller.
  const plain = given.replace(/[\\%_]/g, '\\$&');
  switch (matcher) {
    case 'pre':
      return sql<SqlBool>`${value} ilike ${plain + '%'}`;
    case 'suf':
      return sql<SqlBool>`${value} ilike ${'%' + plain}`;
    case 'ct':
      return sql<SqlBool>`${value} ilike ${'%' + plain + '%'}`;
    case '!ct':
      return sql<SqlBool>`(${value} is null or ${value} not ilike ${'%' + plain + '%'})`;
    default:
      return undefined;
  }
}

function isPresent({ kind, value }: Column, given: string): RawBuilder<SqlBool> | undefined {
  const present =
    kind === 'text' ? sql<SqlBool>`(${value} is not null and ${value} <> '')` : sql<SqlBool>`${value} is not null`;
  if (given === 'true') return present;
  return given === 'false' ? sql<SqlBool>`not ${present}` : undefined;
}

function isOneOf({ kind, value, uuid }: Column, given: readonly string[]): RawBuilder<SqlBool> | undefined {
  if (given.some(hasNul)) return nothing;
  const uuids = uuid ? given.filter((item) => isUuid(item.trim())) : [];
  if (uuid && uuids.length > 0) {
    const others = isOneOf({ kind, value }, given) ?? nothing;
    return sql<SqlBool>`(${others} or ${isOneOf({ kind: 'uuid', value: uuid }, uuids)!})`;
  }
  const operands = given.map((item) => operandOf(kind, kind === 'text' ? item : item.trim()));
  const fitting = operands.filter((operand) => operand !== undefined);
  return fitting.length > 0 ? sql<SqlBool>`${value} in (${sql.join(fitting)})` : undefined;
}

/** The value as SQL, or undefined where it does not fit the kind of column. */
function operandOf(kind: Column['kind'], given: string): RawBuilder<unknown> | undefined {
  switch (kind) {
    case 'text':
      return sql`${given}`;
    case 'number':
      // As numeric, so that a number past every column still compares, and matches nothing.
      return /^[+-]?\d{1,100}(\.\d{1,100})?$/.test(given) ? numberOperand(given) : undefined;
    case 'boolean':
      return ['true', '1'].includes(given) ? sql`true` : ['false', '0'].includes(given) ? sql`false` : undefined;
    case 'time':
      return isTime(given) ? sql`${momentOf(given).toISOString()}::timestamptz` : undefined;
    case 'day':
      return given.length === 10 && isTime(given) ? sql`${given}::date` : undefined;
    case 'uuid':
      return isUuid(given) ? sql`${given}::uuid` : nothingUuid;
  }
}

const nothingUuid = sql`null::uuid`;

/** Whole numbers within bigint keep their index; everything else compares as numeric. */
function numberOperand(given: string): RawBuilder<unknown> {
  const isWhole = /^[+-]?\d{1,18}$/.test(given);
  return isWhole ? sql`${given}::bigint` : sql`${given}::numeric`;
}

/** An ISO time with its offset, or a plain day, which is then the beginning of that day in UTC. */
function isTime(given: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/i.exec(given);
  return match !== null && isDay(match[1]!) && momentOf(given) >= firstMoment && momentOf(given) <= lastMoment;
}

/** What ISO and PostgreSQL write alike. */
const [firstMoment, lastMoment] = [momentOf('0001-01-01T00:00:00Z'), momentOf('9999-12-31T23:59:59Z')];

/** The ids in a bare filter value: those that can be ids at all. */
export const idsIn = (value: string): number[] =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => /^\d{1,15}$/.test(item))
    .map(Number);
