import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { invalid } from '../../core/errors.ts';
import { isUuid } from '../../core/ids.ts';
import { endOfLocalDay, isDay, momentOf, startOfLocalDay } from '../../core/time.ts';

/*
 * Filters of a request, parsed once into conditions. What is unknown or does not fit its column is ignored, as the contract
 * promises. Only a list that is too long is refused, and a value that a named filter says it refuses.
 */

/** A column that a collection can be filtered and sorted by. */
export interface Column {
  readonly kind: 'text' | 'number' | 'boolean' | 'time' | 'day' | 'uuid';
  readonly value: RawBuilder<unknown>;
  /** The column that holds a UUID, for records that have one beside their number. */
  readonly uuid?: RawBuilder<unknown>;
  /** Set where other records have to be read for each row to find its value. */
  readonly isLookedUp?: true;
  /** Set where an index has the rows of a list in the order of this column, so that a list of any length can be sorted by it. */
  readonly isIndexed?: true;
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

/** A value that other records have. */
export const lookedUp = (column: Column): Column => ({ ...column, isLookedUp: true });

/** A number of other records. */
export const counted = (value: RawBuilder<number>): Column => lookedUp(number(value));

/** A column that an index has the rows of a list in the order of. */
export const indexed = (column: Column): Column => ({ ...column, isIndexed: true });

/** A time zone as it is shown: the city in its name. */
export const city = (reference: string): Column =>
  text(sql`replace(regexp_replace(${sql.ref(reference)}, '^.*/', ''), '_', ' ')`);

/** An id that is a number, of records that can also be found by a UUID. */
export const numberOrUuid = (id: string, uuidColumn: string): Column => ({ ...number(id), uuid: sql.ref(uuidColumn) });

/** A filter with a meaning of its own. It takes a value without a matcher. */
export interface NamedFilter<Value = unknown> {
  /** Undefined where the text does not fit. */
  parse(text: string): Value | undefined;
  where(value: Value): RawBuilder<SqlBool>;
}

/** The filter of a value that `parse` reads. */
export const namedFilter = <Value>(
  parse: (text: string) => Value | undefined,
  where: (value: Value) => RawBuilder<SqlBool>,
): NamedFilter => ({ parse, where }) as NamedFilter<Value> as NamedFilter;

/** A value as its column compares it. Numbers stay text, because they may exceed those of JavaScript; null fits no row. */
export type Operand = string | boolean | Date | null;

export type Comparison = 'eq' | '!eq' | 'gt' | 'gte' | 'lt' | 'lte';
export type TextMatcher = 'pre' | 'suf' | 'ct' | '!ct';

/** One condition that rows must meet. */
export type Condition = { readonly field: string } & (
  | { readonly matcher: 'named'; readonly value: unknown }
  | { readonly matcher: Comparison; readonly value: Operand; readonly isUuid?: true }
  | { readonly matcher: TextMatcher; readonly value: string }
  | {
      readonly matcher: 'in';
      readonly values: readonly Operand[];
      readonly uuids: readonly string[];
      readonly days?: readonly Day[];
    }
  | { readonly matcher: 'outside'; readonly day: Day }
  | { readonly matcher: 'present'; readonly value: boolean }
  // No text of the database holds NUL, so a value with one matches no row.
  | { readonly matcher: 'nothing' }
);

/** A local day: its first moment, and that of the next one. */
export interface Day {
  readonly begin: Date;
  readonly end: Date;
}

export interface Filterable {
  readonly columns: Columns;
  readonly named?: Readonly<Record<string, NamedFilter>> | undefined;
  /** The zone whose days a plain day in a filter of a time means. */
  readonly timeZone: string;
}

/** The conditions that the filters of a request set; rows must meet all of them. */
export const conditionsIn = (filterable: Filterable, filter: Readonly<Record<string, unknown>>): Condition[] =>
  Object.entries(filter).flatMap(([field, value]) => conditionsOf(filterable, field, value));

function conditionsOf({ columns, named, timeZone }: Filterable, field: string, value: unknown): Condition[] {
  const texts = textsIn(value);
  if (texts.length === 0) return [];
  if (named && Object.hasOwn(named, field)) {
    const bare = texts.map(withoutListMatcher).join(',');
    if (hasNul(bare)) return [{ field, matcher: 'nothing' }];
    refuseLongList(field, bare.split(','));
    const parsed = named[field]!.parse(bare);
    // Where the bare value does not fit, a column of that name may still take a matcher and a value.
    if (parsed !== undefined) return [{ field, matcher: 'named', value: parsed }];
  }
  if (!Object.hasOwn(columns, field)) return [];
  const target = columns[field]!;
  if (typeof value === 'string') return matcherCondition(field, target, value, timeZone);
  // A field may be given several times: with matchers all of them hold (a range), bare values are a list.
  const bare = texts.filter((item) => !hasMatcher.test(item)).map(withoutListMatcher);
  return [
    ...texts.filter((item) => hasMatcher.test(item)).flatMap((item) => matcherCondition(field, target, item, timeZone)),
    ...(bare.length > 0 ? listCondition(field, target, bare, timeZone) : []),
  ];
}

const hasMatcher = /^(!eq|gte?|lte?|pre|suf|!?ct|present):/;
const withoutListMatcher = (text: string): string => text.replace(/^(eq|in):/, '');
const hasNul = (text: string): boolean => text.includes('\0');

/** The query parser makes an object of a list with many items, with their numbers for keys. */
function textsIn(value: unknown): string[] {
  const isList = typeof value === 'object' && value !== null && Object.keys(value).every((key) => /^\d+$/.test(key));
  return (isList ? Object.values(value) : [value]).filter((item) => typeof item === 'string');
}

/** The condition of `matcher:value`. */
function matcherCondition(field: string, target: Column, given: string, timeZone: string): Condition[] {
  const separator = given.indexOf(':');
  if (separator < 0) return [];
  const [matcher, value] = [given.slice(0, separator), given.slice(separator + 1)];
  if (hasNul(value)) return [{ field, matcher: 'nothing' }];
  if (matcher === 'present') {
    return value === 'true' || value === 'false' ? [{ field, matcher, value: value === 'true' }] : [];
  }
  if (matcher === 'in') return listCondition(field, target, value.split(','), timeZone);
  if (isComparison(matcher)) {
    return target.kind === 'time' && isTime(value) && isDay(value)
      ? dayConditions(field, matcher, dayOf(value, timeZone))
      : comparison(field, target, matcher, value);
  }
  return target.kind === 'text' && isTextMatcher(matcher) ? [{ field, matcher, value }] : [];
}

const isComparison = (matcher: string): matcher is Comparison =>
  ['eq', '!eq', 'gt', 'gte', 'lt', 'lte'].includes(matcher);

const isTextMatcher = (matcher: string): matcher is TextMatcher => ['pre', 'suf', 'ct', '!ct'].includes(matcher);

function comparison(field: string, { kind, uuid }: Column, matcher: Comparison, given: string): Condition[] {
  const isByUuid = uuid !== undefined && isUuid(given);
  const hasOrder = !isByUuid && kind !== 'boolean' && kind !== 'uuid';
  if (!hasOrder && matcher !== 'eq' && matcher !== '!eq') return [];
  if (isByUuid) return [{ field, matcher, value: given, isUuid: true }];
  const value = operandIn(kind, given);
  return value === undefined ? [] : [{ field, matcher, value }];
}

/** A time compared with a whole day: at it is within it, after it is after its end. */
function dayConditions(field: string, matcher: Comparison, day: Day): Condition[] {
  const { begin, end } = day;
  switch (matcher) {
    case 'eq':
      return [
        { field, matcher: 'gte', value: begin },
        { field, matcher: 'lt', value: end },
      ];
    case '!eq':
      return [{ field, matcher: 'outside', day }];
    case 'gt':
      return [{ field, matcher: 'gte', value: end }];
    case 'lte':
      return [{ field, matcher: 'lt', value: end }];
    default:
      return [{ field, matcher, value: begin }];
  }
}

function listCondition(field: string, { kind, uuid }: Column, given: readonly string[], timeZone: string): Condition[] {
  refuseLongList(field, given);
  if (given.some(hasNul)) return [{ field, matcher: 'nothing' }];
  const items = kind === 'text' ? given : given.map((item) => item.trim());
  const isWholeDay = (item: string): boolean => kind === 'time' && isTime(item) && isDay(item);
  const days = items.filter(isWholeDay).map((item) => dayOf(item, timeZone));
  const values = items
    .filter((item) => !isWholeDay(item))
    .map((item) => operandIn(kind, item))
    .filter((operand) => operand !== undefined);
  const uuids = uuid ? items.filter(isUuid) : [];
  if (values.length + uuids.length + days.length === 0) return [];
  return [{ field, matcher: 'in', values, uuids, ...(days.length > 0 && { days }) }];
}

const maxListedValues = 1_000;

/** A list that is too long is refused: without its filter, the request would return every record. */
function refuseLongList(field: string, { length }: readonly string[]): void {
  if (length > maxListedValues)
    throw invalid(
      `filter[${field}]`,
      `filter[${field}] must have at most ${maxListedValues} values, but had ${length}.`,
    );
}

/** The value that a text stands for, or undefined where it does not fit the kind of column. */
function operandIn(kind: Column['kind'], given: string): Operand | undefined {
  switch (kind) {
    case 'text':
      return given;
    case 'number':
      return /^[+-]?\d{1,100}(\.\d{1,100})?$/.test(given) ? given : undefined;
    case 'boolean':
      return ['true', '1'].includes(given) ? true : ['false', '0'].includes(given) ? false : undefined;
    case 'time':
      return isTime(withPlus(given)) ? momentOf(withPlus(given)) : undefined;
    case 'day':
      return given.length === 10 && isTime(given) ? given : undefined;
    case 'uuid':
      return isUuid(given) ? given : null;
  }
}

/** A blank before the offset is a `+` that the client did not encode. */
const withPlus = (given: string): string => given.replace(/ (\d{2}:?\d{2})$/, '+$1');

/** An ISO time with its offset, or a plain day. */
function isTime(given: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/i.exec(given);
  return match !== null && isDay(match[1]!) && momentOf(given) >= firstTime && momentOf(given) <= lastTime;
}

/** The range that ISO and PostgreSQL write alike. */
const [firstTime, lastTime] = [momentOf('0001-01-01T00:00:00Z'), momentOf('9999-12-31T23:59:59Z')];

/** The bounds of a day in a zone. A day at either end of the range is cut off there. */
const dayOf = (day: string, timeZone: string): Day => ({
  begin: withinRange(startOfLocalDay(day, timeZone)),
  end: withinRange(new Date(endOfLocalDay(day, timeZone).getTime() + 1000)),
});

const withinRange = (moment: Date): Date => (moment < firstTime ? firstTime : moment > lastTime ? lastTime : moment);

/** The ids in a text without a matcher; what cannot be an id is left out. */
export const idsIn = (text: string): number[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => /^\d{1,15}$/.test(item))
    .map(Number);

/** The same, for filters that ignore a value with a matcher. */
export const bareIdsIn = (text: string): number[] | undefined => (text.includes(':') ? undefined : idsIn(text));

/** The ids in a text, for a filter that refuses anything else. */
export const onlyIdsIn =
  (field: string) =>
  (text: string): number[] => {
    if (!/^\s*\d{1,15}\s*(,\s*\d{1,15}\s*)*$/.test(text)) throw unfit(field, 'ids, separated by commas', text);
    return idsIn(text);
  };

/** The words in a text, for a filter that refuses all but those that it knows. */
export const onlyOneOf =
  <Word extends string>(field: string, known: readonly Word[]) =>
  (text: string): Word[] => {
    const words = text.split(',').map((word) => word.trim());
    const isKnown = (word: string): word is Word => (known as readonly string[]).includes(word);
    if (!words.every(isKnown)) throw unfit(field, `one or several of ${known.join(', ')}`, text);
    return words.filter(isKnown);
  };

const unfit = (field: string, allowed: string, given: string) =>
  invalid(`filter[${field}]`, `filter[${field}] must be ${allowed}, but was "${given.slice(0, 100)}".`);
