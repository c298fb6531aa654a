import { invalid, type AppError } from './errors.ts';
import type { Id } from './ids.ts';

/*
 * The public API names a record by its id, by the external id that the caller's system gave it, or by both. Where both are
 * given, they must name the same record.
 */

/** The names that a request gives a record. `prefix` is the start of the members that hold them, such as `user_` in `user_id`. */
export interface Names {
  readonly id?: number;
  readonly external_id?: string;
  readonly prefix: string;
}

/** A reference to a record: its id, or its names in the public API. */
export type Ref = Id | Names;

type NamesIn<Prefix extends string> = Partial<
  Record<`${Prefix}id`, number | null> & Record<`${Prefix}external_id`, string | null>
>;

/** Whether a request names a record. An empty external id counts: it names a record that does not exist. */
export const isNamed = <Prefix extends string>(prefix: Prefix, source: NamesIn<Prefix>): boolean =>
  [`${prefix}id`, `${prefix}external_id`].some((member) => (source as Record<string, unknown>)[member] !== undefined);

/** The names of a record, from all parts of a request. Parts that differ are 400, and so is no name at all. */
export function refIn<Prefix extends string>(
  prefix: Prefix,
  ...sources: readonly (NamesIn<Prefix> | undefined)[]
): Names {
  const names = {
    id: given<number>(`${prefix}id`, sources),
    external_id: given<string>(`${prefix}external_id`, sources),
    prefix,
  };
  if (names.id === undefined && names.external_id === undefined)
    throw invalid('required', `${prefix}id`, `${prefix}id or ${prefix}external_id is required.`);
  return names;
}

/** The id of a record that has no external id, from all parts of a request. */
export function idIn(member: string, ...sources: readonly (object | undefined)[]): number {
  const id = given<number>(member, sources);
  if (id === undefined) throw invalid('required', member, `${member} is required.`);
  return id;
}

/** The value of a member in one of the parts of a request. */
function given<Value>(member: string, sources: readonly (object | undefined)[]): Value | undefined {
  const values = sources
    .map((source) => (source as Record<string, unknown> | undefined)?.[member])
    .filter((value) => value !== undefined && value !== null && value !== '');
  if (new Set(values).size > 1)
    throw invalid(
      'contradiction',
      member,
      `${member} is given more than once, and differs: ${values.map((value) => JSON.stringify(value)).join(', ')}.`,
    );
  return values[0] as Value | undefined;
}

/** The names of a record as an error title shows them. */
export const namesInWords = ({ id, external_id, prefix }: Names): string =>
  [
    id === undefined ? [] : `${prefix}id ${id}`,
    external_id === undefined ? [] : `${prefix}external_id "${external_id}"`,
  ]
    .flat()
    .join(' and ');

/** The member that a problem points at. */
export const pointerOf = ({ id, prefix }: Names): string => (id === undefined ? `${prefix}external_id` : `${prefix}id`);

export const namesDiffer = (names: Names): AppError =>
  invalid('contradiction', pointerOf(names), `${namesInWords(names)} do not name the same record.`);

/** The ids in an integer, a text with commas, or a list; undefined where the member is missing. */
export function idList(value: number | string | readonly number[] | null | undefined): number[] | undefined {
  if (value === undefined) return undefined;
  const items = typeof value === 'string' ? textsIn(value) : [value ?? []].flat();
  return [...new Set(items.map(Number))];
}

/** The external ids in a text with commas or a list, without empty ones; undefined where the member is missing. */
export function externalIdList(value: string | readonly string[] | null | undefined): string[] | undefined {
  if (value === undefined) return undefined;
  return [...new Set(typeof value === 'string' ? textsIn(value) : (value ?? []).filter((name) => name !== ''))];
}

const textsIn = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
