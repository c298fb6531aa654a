import { refuse, type Problem } from '../../core/errors.ts';
import { meaning } from '../../core/known_names.ts';
import { unfitValue, type Column, type Columns, type Filterable } from './filters.ts';

/*
 * The parts of a request that a list cannot use. A strict request is refused because of them. Otherwise they are ignored, and
 * the response names them.
 */

/** A parameter that is unknown or does not fit. */
export interface IgnoredParameter extends Problem {
  /** The parameters that it came from, as they were sent. */
  readonly parameters: readonly string[];
}

/** The parameters that a value of a query came from, such as `filter[name]=eq:Bar`. */
export const parametersOf = (name: string, value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, item]) => parametersOf(name + memberOf(key), item))
    : [`${name}=${String(value)}`];

/** The query parser gives the items of a list numbers, and leaves the brackets around deeply nested names. */
const memberOf = (key: string): string => (/^\d+$/.test(key) ? '' : key.startsWith('[') ? key : `[${key}]`);

const namesOf = ({ columns, named = {} }: Filterable): string[] => [
  ...new Set([...Object.keys(named), ...Object.keys(columns)]),
];

/** A filter that the list does not have. */
export const unknownFilter = (filterable: Filterable, field: string, value: unknown): IgnoredParameter => ({
  code: 'unknown_name',
  pointer: `filter[${field}]`,
  title: `filter does not know "${shortened(field)}". It may name: ${namesOf(filterable).join(', ')}.`,
  meta: { allowed: namesOf(filterable), ...meaning(field, namesOf(filterable)) },
  parameters: parametersOf(`filter[${field}]`, value),
});

/** A filter with a matcher or a value that it cannot take, at least in part. */
export function malformedFilter({ columns, named = {} }: Filterable, field: string, value: unknown): IgnoredParameter {
  const parameters = parametersOf(`filter[${field}]`, value);
  const allowed = [
    ...(Object.hasOwn(named, field) ? [named[field]!.parse.allowed ?? 'a value as its description says'] : []),
    ...(Object.hasOwn(columns, field) ? [matchersOf(columns[field]!)] : []),
  ];
  const given = parameters.map((parameter) => parameter.slice(parameter.indexOf('=') + 1)).join(',');
  return { ...unfitValue(field, allowed.join(', or '), given), parameters };
}

const shortened = (text: string): string => text.slice(0, 100);

const values: Readonly<Record<Column['kind'], string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  time: 'a time with its offset or a day',
  day: 'a day such as 2026-01-31',
  uuid: 'a UUID',
};

function matchersOf({ kind }: Column): string {
  const matchers = [
    'eq, !eq',
    ...(kind === 'boolean' || kind === 'uuid' ? [] : ['gt, gte, lt, lte']),
    ...(kind === 'text' ? ['pre, suf, ct, !ct'] : []),
    'in or present',
  ];
  return `matcher:value with ${values[kind]} and one of the matchers ${matchers.join(', ')}`;
}

/** The attributes of an order that the list cannot be sorted by. */
export const unknownSorts = (columns: Columns, sort: readonly string[]): IgnoredParameter[] =>
  sort
    .filter((name) => !Object.hasOwn(columns, name.replace(/^[+-]/, '')))
    .map((name) => ({
      code: 'unknown_name',
      pointer: 'sort',
      title: `sort does not know "${shortened(name.replace(/^[+-]/, ''))}". It may name: ${Object.keys(columns).join(', ')}.`,
      meta: { allowed: Object.keys(columns), ...meaning(name.replace(/^[+-]/, ''), Object.keys(columns)) },
      parameters: [`sort=${name}`],
    }));

/** What a response says about the parameters that were ignored. */
export interface Ignored {
  /** The parameters, as they were sent. */
  readonly ignored?: string[];
  /** The names that the unknown ones among them probably mean. */
  readonly did_you_mean?: Readonly<Record<string, string>>;
}

/** Refuses a strict request with parameters that do not fit. Returns what any other response says about them. */
export function ignoredOrRefused(parameters: readonly IgnoredParameter[], isStrict: boolean | undefined): Ignored {
  if (isStrict) refuse(parameters);
  return ignoredIn(parameters);
}

/** What a response says about ignored parameters: nothing where there are none. */
export function ignoredIn(ignoredParameters: readonly IgnoredParameter[]): Ignored {
  const ignored = ignoredParameters.flatMap(({ parameters }) => parameters);
  const meanings = ignoredParameters.flatMap(({ parameters, meta }) =>
    meta?.did_you_mean === undefined ? [] : parameters.map((parameter) => [parameter, meta.did_you_mean!] as const),
  );
  return {
    ...(ignored.length > 0 && { ignored }),
    ...(meanings.length > 0 && { did_you_mean: Object.fromEntries(meanings) }),
  };
}
