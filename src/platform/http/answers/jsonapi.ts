import { Serializer, type SerializerOptions } from 'jsonapi-serializer';
import type { Fields } from '../../../../generated/fields.ts';
import { invalid } from '../../core/errors.ts';
import { meaning } from '../../core/known_names.ts';
import type { Db } from '../../db/connection.ts';
import type { Links } from '../../core/links.ts';
import type { Actor } from '../../core/permissions.ts';
import { localForm } from '../../core/time.ts';
import type { QueryOptions } from '../requests/query_options.ts';

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

export const one = (type: string, id: number | string | null): Linkage | null =>
  id === null ? null : { type, id: String(id) };

export const many = (type: string, ids: readonly (number | string)[]): Linkage[] =>
  ids.map((id) => ({ type, id: String(id) }));

/** The attributes of a record with its id, which may still be a number. */
export type Flat<R extends Resource> = R['attributes'] & { id: number | string };

/** The linkage of each relationship. */
export type Linkages<Relationships> = {
  [Name in keyof Relationships]: Relationships[Name] extends { data: infer Data } | undefined ? Data : never;
};

/** The argument beside the attributes: the linkages, if the contract has relationships. */
type Beside<R extends Resource> = R extends { relationships: infer All } ? [linkages: Linkages<All>] : [none?: never];

function serializer(type: string, options: SerializerOptions): (record: object) => Resource {
  // A function, because the cases that the library knows by name cost three times as much.
  const built = new Serializer(type, { ...options, pluralizeType: false, keyForAttribute: (name) => name });
  return (record) => (built.serialize(record) as { data: Resource }).data;
}

/**
 * Shows records of one type as JSON:API resource objects, with the fields that the contract names. The compiler refuses an
 * attribute that the contract lacks, and misses one that it requires.
 */
export function resource<R extends Resource>(type: R['type'], { attributes, relationships }: Fields<R>) {
  // An attribute and a relationship may have the same name, so the two are serialized from two objects.
  const serialized = serializer(type, { attributes: [...attributes] });
  const referring = serializer(type, {
    attributes: [...relationships],
    ...Object.fromEntries(relationships.map((name) => [name, { ref: 'id' }])),
    typeForAttribute: (_name, linkage: Linkage) => linkage.type,
  });
  return (record: Flat<R>, ...[linkages]: Beside<R>): R => {
    const shown = serialized(record);
    // The library leaves them out where the record has none.
    shown.attributes ??= {};
    if (linkages) shown.relationships = referring(linkages).relationships!;
    return shown as R;
  };
}

/** The context of a presenter: the actor, and how they want records shown. */
export interface PresentContext {
  readonly actor: Actor;
  readonly queryOptions: QueryOptions;
  readonly links: Links;
  readonly now: Date;
}

/** A time in the zone of the operation's workspace, with its offset. */
export const localTime = (time: Date, { actor }: Pick<PresentContext, 'actor'>): string =>
  localForm(time, actor.workspace?.time_zone ?? 'UTC');

/** The context of a loader of related records. A handler's call has all of it. */
export interface LoadContext extends PresentContext {
  readonly db: Db;
}

/** Loads the related records of all rows of a page at once, so that the number of queries is constant. */
export type Loader<Row, R extends Resource = Resource> = (rows: readonly Row[], context: LoadContext) => Promise<R[]>;

/** A loader of the records whose ids the rows hold. Null means no record. */
export const related =
  <Row, RelatedId extends number | string, Related, R extends Resource>(
    idsOf: (row: Row, context: LoadContext) => readonly (RelatedId | null)[],
    byIds: (db: Db, actor: Actor, ids: readonly RelatedId[]) => Promise<Related[]>,
    present: (record: Related, context: LoadContext) => R,
  ): Loader<Row, R> =>
  async (rows, context) => {
    const ids = rows.flatMap((row) => idsOf(row, context)).filter((id) => id !== null);
    return (await byIds(context.db, context.actor, ids)).map((record) => present(record, context));
  };

/** The `included` member, without duplicates; no member where the request has no `include`. */
export async function included<Row, R extends Resource>(
  context: LoadContext,
  rows: readonly Row[],
  loaders: Readonly<Record<string, Loader<Row, R>>>,
  include: QueryOptions['include'] = context.queryOptions.include,
): Promise<{ included?: R[] }> {
  if (include === null) return {};
  const unknown = include.filter((name) => !Object.hasOwn(loaders, name));
  if (unknown.length > 0) {
    throw invalid(
      'unknown_name',
      'include',
      `include does not know ${unknown.map((name) => `"${name}"`).join(', ')}. It may name: ${Object.keys(loaders).join(', ')}.`,
      { allowed: Object.keys(loaders), ...meaning(unknown[0]!, Object.keys(loaders)) },
    );
  }
  const records = new Map<string, R>();
  for (const name of new Set(include)) {
    for (const record of await loaders[name]!(rows, context)) records.set(`${record.type} ${record.id}`, record);
  }
  return { included: [...records.values()] };
}

/** Keeps only the named attributes; all of them where no names are given. */
export function sparse(record: Resource, names: readonly string[] | undefined): Resource {
  if (names === undefined) return record;
  const attributes = Object.fromEntries(Object.entries(record.attributes).filter(([name]) => names.includes(name)));
  return { ...record, attributes, relationships: {} };
}
