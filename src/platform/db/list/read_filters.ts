import { invalid } from '../../core/errors.ts';
import { isUuid } from '../../core/ids.ts';
import { isDay } from '../../core/time.ts';
import type { Column, Comparison, Condition, Day, Filterable, TextMatcher } from './filters.ts';
import { dayOf, isTime, operandIn } from './operands.ts';
import { malformedFilter, unknownFilter, type IgnoredParameter } from './ignored_parameters.ts';

/*
 * Filters of a request, parsed once into conditions. What is unknown or does not fit its column is ignored and reported, as the
 * contract promises. Only a list that is too long is refused, and a value that a named filter says it refuses.
 */

/** The conditions that the filters of a request set; rows must meet all of them. */
export const conditionsIn = (filterable: Filterable, filter: Readonly<Record<string, unknown>>): Condition[] =>
  readFilters(filterable, filter).conditions;

/** The conditions that the filters of a request set, and the filters that are unknown or do not fit. */
export function readFilters(
  filterable: Filterable,
  filter: Readonly<Record<string, unknown>>,
): { conditions: Condition[]; ignoredParameters: IgnoredParameter[] } {
  const fields = Object.entries(filter).map(([field, value]) => ({
    field,
    value,
    ...readField(filterable, field, value),
  }));
  return {
    conditions: fields.flatMap(({ conditions }) => conditions),
    ignoredParameters: fields
      .filter(({ isComplete }) => !isComplete)
      .map(({ field, value }) =>
        (isKnown(filterable, field) ? malformedFilter : unknownFilter)(filterable, field, value),
      ),
  };
}

const isKnown = ({ columns, named }: Filterable, field: string): boolean =>
  Object.hasOwn(columns, field) || (named !== undefined && Object.hasOwn(named, field));

/** The part of a value that was read. It is complete where nothing of it was left out because it does not fit. */
interface Reading {
  readonly conditions: Condition[];
  readonly isComplete: boolean;
}

const unreadable: Reading = { conditions: [], isComplete: false };
const complete = (...conditions: Condition[]): Reading => ({ conditions, isComplete: true });
const incomplete = (...conditions: Condition[]): Reading => ({ conditions, isComplete: false });

function readField({ columns, named, timeZone }: Filterable, field: string, value: unknown): Reading {
  const texts = textsIn(value);
  if (texts.length === 0) return unreadable;
  if (named && Object.hasOwn(named, field)) {
    const bare = texts.map(withoutListMatcher).join(',');
    if (hasNul(bare)) return incomplete({ field, matcher: 'nothing' });
    refuseLongList(field, bare.split(','));
    const { parse } = named[field]!;
    const parsed = parse(bare);
    // Where the bare value does not fit, a column of that name may still take a matcher and a value.
    if (parsed !== undefined) {
      const condition: Condition = { field, matcher: 'named', value: parsed };
      return { conditions: [condition], isComplete: parse.isComplete?.(bare) ?? true };
    }
  }
  if (!Object.hasOwn(columns, field)) return unreadable;
  const target = columns[field]!;
  const items = target.kind === 'text' ? texts : texts.flatMap((text) => text.split(joined));
  if (typeof value === 'string' && items.length === 1) return readMatcher(field, target, value, timeZone);
  // A field may be given several times: with matchers all of them hold (a range), bare values are a list.
  const listed = items.filter((item) => !hasMatcher.test(item)).flatMap(listedIn);
  const readings = [
    ...items.filter((item) => hasMatcher.test(item)).map((item) => readMatcher(field, target, item, timeZone)),
    ...(listed.length > 0 ? [readList(field, target, listed, timeZone)] : []),
  ];
  return {
    conditions: readings.flatMap(({ conditions }) => conditions),
    isComplete: readings.every(({ isComplete }) => isComplete),
  };
}

const hasMatcher = /^(!eq|gte?|lte?|pre|suf|!?ct|present):/;
/** Some clients send a list as one text. A comma before a matcher separates two conditions, except in a text, which may contain it. */
const joined = /,(?=!?eq:|gte?:|lte?:|in:|present:)/;
const listedIn = (item: string): string[] =>
  item.startsWith('in:') ? item.slice(3).split(',') : [withoutListMatcher(item)];
const withoutListMatcher = (text: string): string => text.replace(/^(eq|in):/, '');
const hasNul = (text: string): boolean => text.includes('\0');

/** The query parser makes an object of a list with many items, with their numbers for keys. */
function textsIn(value: unknown): string[] {
  const isList = typeof value === 'object' && value !== null && Object.keys(value).every((key) => /^\d+$/.test(key));
  return (isList ? Object.values(value) : [value]).filter((item) => typeof item === 'string');
}

/** The condition of `matcher:value`. */
function readMatcher(field: string, target: Column, given: string, timeZone: string): Reading {
  const separator = given.indexOf(':');
  if (separator < 0) return unreadable;
  const [matcher, value] = [given.slice(0, separator), given.slice(separator + 1)];
  if (hasNul(value)) return incomplete({ field, matcher: 'nothing' });
  if (matcher === 'present') {
    return value === 'true' || value === 'false' ? complete({ field, matcher, value: value === 'true' }) : unreadable;
  }
  if (matcher === 'in') return readList(field, target, value.split(','), timeZone);
  if (isComparison(matcher)) {
    return target.kind === 'time' && isTime(value) && isDay(value)
      ? complete(...dayConditions(field, matcher, dayOf(value, timeZone)))
      : readComparison(field, target, matcher, value);
  }
  return target.kind === 'text' && isTextMatcher(matcher) ? complete({ field, matcher, value }) : unreadable;
}

const isComparison = (matcher: string): matcher is Comparison =>
  ['eq', '!eq', 'gt', 'gte', 'lt', 'lte'].includes(matcher);

const isTextMatcher = (matcher: string): matcher is TextMatcher => ['pre', 'suf', 'ct', '!ct'].includes(matcher);

function readComparison(field: string, { kind, uuid }: Column, matcher: Comparison, given: string): Reading {
  const isByUuid = uuid !== undefined && isUuid(given);
  const hasOrder = !isByUuid && kind !== 'boolean' && kind !== 'uuid';
  if (!hasOrder && matcher !== 'eq' && matcher !== '!eq') return unreadable;
  if (isByUuid) return complete({ field, matcher, value: given, isUuid: true });
  const value = operandIn(kind, given);
  if (value === undefined) return unreadable;
  return value === null ? incomplete({ field, matcher, value }) : complete({ field, matcher, value });
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

function readList(field: string, { kind, uuid }: Column, given: readonly string[], timeZone: string): Reading {
  refuseLongList(field, given);
  if (given.some(hasNul)) return incomplete({ field, matcher: 'nothing' });
  const items = kind === 'text' ? given : given.map((item) => item.trim());
  const isWholeDay = (item: string): boolean => kind === 'time' && isTime(item) && isDay(item);
  const days = items.filter(isWholeDay).map((item) => dayOf(item, timeZone));
  const values = items
    .filter((item) => !isWholeDay(item))
    .map((item) => operandIn(kind, item))
    .filter((operand) => operand !== undefined);
  const uuids = uuid ? items.filter(isUuid) : [];
  const readCount = values.length + uuids.length + days.length;
  if (readCount === 0) return unreadable;
  const condition: Condition = { field, matcher: 'in', values, uuids, ...(days.length > 0 && { days }) };
  return { conditions: [condition], isComplete: readCount === items.length && !values.includes(null) };
}

const maxListedValues = 1_000;

/** A list that is too long is refused: without its filter, the request would return every record. */
function refuseLongList(field: string, { length }: readonly string[]): void {
  if (length > maxListedValues)
    throw invalid(
      'too_many',
      `filter[${field}]`,
      `filter[${field}] must have at most ${maxListedValues} values, but had ${length}.`,
      { max_items: maxListedValues },
    );
}
