import { invalid } from '../../core/errors.ts';
import type { Db } from '../../db/connection.ts';
import type { Links } from '../../core/links.ts';
import type { Actor } from '../../core/permissions.ts';
import { localForm } from '../../core/time.ts';
import type { View } from '../requests/view.ts';

/** A reference to a record, as relationships hold it. */
export interface Linkage {
  id: string;
  type: string;
}

export interface Resource {
  id: string;
  type: string;
  attributes: object;
  relationships?: object;
}

/** What a presenter is given. The id may still be a number. */
type Given<R extends Resource> = Pick<R, Exclude<keyof R, 'id' | 'type'>> & { id: number | string };

export const one = (type: string, id: number | string | null): { data: Linkage | null } => ({
  data: id === null ? null : { type, id: String(id) },
});

export const many = (type: string, ids: readonly (number | string)[]): { data: Linkage[] } => ({
  data: ids.map((id) => ({ type, id: String(id) })),
});

/**
 * Shows records of one type as JSON:API resource objects. `R` is the schema of the contract: the compiler refuses an attribute
 * that the schema lacks, and misses one that it requires.
 */
export const presenter =
  <R extends Resource>(type: R['type']) =>
  (record: Given<R>): R =>
    ({ type, ...record, id: String(record.id) }) as unknown as R;

/** What a presenter needs beside the row: who asks, and how they want it shown. */
export interface Showing {
  readonly actor: Actor;
  readonly view: View;
  readonly links: Links;
  readonly now: Date;
}

/** A time in the zone of the operation's workspace, with its offset. */
export const localTime = (time: Date, { actor }: Pick<Showing, 'actor'>): string =>
  localForm(time, actor.workspace?.time_zone ?? 'UTC');

/** What a loader of related records needs. A handler's call has all of it. */
export interface Loading extends Showing {
  readonly db: Db;
}

/** Loads the related records of all rows of a page at once, so that the number of queries is constant. */
export type Loader<Row, R extends Resource = Resource> = (rows: readonly Row[], loading: Loading) => Promise<R[]>;

/** A loader of the records whose ids the rows hold. Null means no record. */
export const related =
  <Row, RelatedId extends number | string, Related, R extends Resource>(
    idsOf: (row: Row, loading: Loading) => readonly (RelatedId | null)[],
    byIds: (db: Db, actor: Actor, ids: readonly RelatedId[]) => Promise<Related[]>,
    present: (record: Related, loading: Loading) => R,
  ): Loader<Row, R> =>
  async (rows, loading) => {
    const ids = rows.flatMap((row) => idsOf(row, loading)).filter((id) => id !== null);
    return (await byIds(loading.db, loading.actor, ids)).map((record) => present(record, loading));
  };

/** The `included` member, without duplicates; no member where the request has no `include`. */
export async function included<Row, R extends Resource>(
  loading: Loading,
  rows: readonly Row[],
  loaders: Readonly<Record<string, Loader<Row, R>>>,
  include: View['include'] = loading.view.include,
): Promise<{ included?: R[] }> {
  if (include === null) return {};
  const unknown = include.filter((name) => !Object.hasOwn(loaders, name));
  if (unknown.length > 0) {
    throw invalid(
      'unknown_name',
      'include',
      `include does not know ${unknown.map((name) => `"${name}"`).join(', ')}. It may name: ${Object.keys(loaders).join(', ')}.`,
      { allowed: Object.keys(loaders) },
    );
  }
  const records = new Map<string, R>();
  for (const name of new Set(include)) {
    for (const record of await loaders[name]!(rows, loading)) records.set(`${record.type} ${record.id}`, record);
  }
  return { included: [...records.values()] };
}

/** Keeps only the named attributes; all of them where no names are given. */
export function sparse(record: Resource, names: readonly string[] | undefined): Resource {
  if (names === undefined) return record;
  const attributes = Object.fromEntries(Object.entries(record.attributes).filter(([name]) => names.includes(name)));
  return { ...record, attributes, relationships: {} };
}
