import { invalid, type AppError } from './errors.ts';
import type { Id } from './ids.ts';

/*
 * In the public API a record has two names: the id that this service gave it, and the external id that the caller's system
 * did. Both lead to the same row, and neither wins.
 */

/** The names that a request gave a record, and what the members that hold them begin with (`user_` in `user_id`). */
export interface Names {
  readonly id?: number;
  readonly external_id?: string;
  readonly prefix: string;
}

/** How an operation names a record: by its id, or by the names of the public API. */
export type Ref = Id | Names;

type NamesIn<Prefix extends string> = Partial<
  Record<`${Prefix}id`, number | null> & Record<`${Prefix}external_id`, string | null>
>;

/** Whether a request says anything about which record it means; a blank name is a name, if one that leads nowhere. */
export const isNamed = <Prefix extends string>(prefix: Prefix, source: NamesIn<Prefix>): boolean =>
  [`${prefix}id`, `${prefix}external_id`].some((member) => (source as Record<string, unknown>)[member] !== undefined);

/** The name of a record, wherever in the request it stands. Places that contradict each other, and no name at all, are 400. */
export function refIn<Prefix extends string>(
  prefix: Prefix,
  ...sources: readonly (NamesIn<Prefix> | undefined)[]
): Names {
  const given = <Value>(member: string): Value | undefined => {
    const values = sources
      .map((source) => (source as Record<string, unknown> | undefined)?.[member])
      .filter((value) => value !== undefined && value !== null && value !== '');
    if (new Set(values).size > 1)
      throw invalid(
        member,
        `${member} is given more than once, and differs: ${values.map((value) => JSON.stringify(value)).join(', ')}.`,
      );
    return values[0] as Value | undefined;
  };
  const names = { id: given<number>(`${prefix}id`), external_id: given<string>(`${prefix}external_id`), prefix };
  if (names.id === undefined && names.external_id === undefined)
    throw invalid(`${prefix}id`, `${prefix}id or ${prefix}external_id is required.`);
  return names;
}

/** The names of a record as a sentence says them. */
export const inWords = ({ id, external_id, prefix }: Names): string =>
  [
    id === undefined ? [] : `${prefix}id ${id}`,
    external_id === undefined ? [] : `${prefix}external_id "${external_id}"`,
  ]
    .flat()
    .join(' and ');

/** The member that a refusal points at. */
export const pointerOf = ({ id, prefix }: Names): string => (id === undefined ? `${prefix}external_id` : `${prefix}id`);

export const namesDiffer = (names: Names): AppError =>
  invalid(pointerOf(names), `${inWords(names)} do not name the same record.`);

/** Ids as one integer, as text with commas, or as a list; undefined where none were given. */
export function idList(value: number | string | readonly number[] | null | undefined): number[] | undefined {
  if (value === undefined) return undefined;
  const items = typeof value === 'string' ? textsIn(value) : [value ?? []].flat();
  return [...new Set(items.map(Number))];
}

/** External ids as text with commas or as a list; blank ones name nothing. Undefined where none were given. */
export function externalIdList(value: string | readonly string[] | null | undefined): string[] | undefined {
  if (value === undefined) return undefined;
  return [...new Set(typeof value === 'string' ? textsIn(value) : (value ?? []).filter((name) => name !== ''))];
}

const textsIn = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
