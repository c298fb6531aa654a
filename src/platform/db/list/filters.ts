import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { AppError, type Problem } from '../../core/errors.ts';

/* What the lists of a noun can be filtered by: columns, and filters with a meaning of their own. */

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

/** Reads the value of a named filter. Undefined where the text does not fit. */
export interface Parser<Value> {
  (text: string): Value | undefined;
  /** The allowed values, for the error of a strict request. */
  readonly allowed?: string;
  /** Whether nothing of the text is left out. Where it is missing, nothing ever is. */
  readonly isComplete?: (text: string) => boolean;
}

/** A parser with what fits it. */
export const parser = <Value>(
  about: Required<Pick<Parser<Value>, 'allowed'>> & Pick<Parser<Value>, 'isComplete'>,
  parse: (text: string) => Value | undefined,
): Parser<Value> => Object.assign(parse, about);

/** A filter with a meaning of its own. It takes a value without a matcher. */
export interface NamedFilter<Value = unknown> {
  readonly parse: Parser<Value>;
  where(value: Value): RawBuilder<SqlBool>;
}

/** The filter of a value that `parse` reads. */
export const namedFilter = <Value>(parse: Parser<Value>, where: (value: Value) => RawBuilder<SqlBool>): NamedFilter =>
  ({ parse, where }) as NamedFilter<Value> as NamedFilter;

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

/** Whether a text means yes or no. */
export const flagIn = parser({ allowed: '1, true, 0 or false' }, (value) =>
  ['1', 'true'].includes(value) ? true : ['0', 'false'].includes(value) ? false : undefined,
);

const onlyIds = /^\s*\d{1,15}\s*(,\s*\d{1,15}\s*)*$/;
const idList = { allowed: 'ids, separated by commas', isComplete: (text: string): boolean => onlyIds.test(text) };

/** The ids in a text without a matcher; what cannot be an id is left out. */
export const idsIn = Object.assign(
  (text: string): number[] =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => /^\d{1,15}$/.test(item))
      .map(Number),
  idList,
);

/** The same, for filters that ignore a value with a matcher. */
export const bareIdsIn = parser(idList, (text) => (text.includes(':') ? undefined : idsIn(text)));

/** The ids in a text, for a filter that refuses anything else. */
export const onlyIdsIn =
  (field: string) =>
  (text: string): number[] => {
    if (!onlyIds.test(text)) throw refusal(field, idList.allowed, text);
    return idsIn(text);
  };

/** The words in a text, for a filter that refuses all but those that it knows. */
export const onlyOneOf =
  <Word extends string>(field: string, known: readonly Word[]) =>
  (text: string): Word[] => {
    const words = text.split(',').map((word) => word.trim());
    const isKnown = (word: string): word is Word => (known as readonly string[]).includes(word);
    if (!words.every(isKnown)) throw refusal(field, `one or several of ${known.join(', ')}`, text);
    return words.filter(isKnown);
  };

const refusal = (field: string, allowed: string, given: string) =>
  new AppError(400, [unfitValue(field, allowed, given)]);

/** The problem of a value that a filter cannot take. */
export const unfitValue = (field: string, allowed: string, given: string): Problem => ({
  code: 'invalid_value',
  pointer: `filter[${field}]`,
  title: `filter[${field}] must be ${allowed}, but was "${given.slice(0, 100)}".`,
});
