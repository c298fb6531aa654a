import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { invalid, refuse, type Problem } from '../../core/errors.ts';
import { isUuid } from '../../core/ids.ts';
import { isDay } from '../../core/time.ts';
import type { Value } from '../placeholders.ts';
import type { Column } from './filters.ts';
import { isTime } from './operands.ts';
import { defaultTerms, isDefaultOrder, type Ordered } from './order.ts';

/*
 * A cursor is the place of a record in the default order of its list: the values that the list is sorted by, and the id. A page
 * after it begins with the next greater place, whatever was inserted or deleted meanwhile, and an index finds that at any depth.
 * The columns of default orders are never null, so that places can be compared as rows.
 */

type Kind = Column['kind'];

/** How a value is written in a cursor, and what it is when it comes back. */
const kinds: Readonly<Record<Kind, { readonly type: string; readonly fits: (text: string) => boolean }>> = {
  text: { type: 'text', fits: (text) => !text.includes('\0') },
  number: { type: 'bigint', fits: (text) => /^-?\d{1,18}$/.test(text) },
  boolean: { type: 'boolean', fits: (text) => /^(true|false)$/.test(text) },
  time: { type: 'timestamptz', fits: isTime },
  day: { type: 'date', fits: isDay },
  uuid: { type: 'uuid', fits: isUuid },
};

const textOf = ({ kind, value }: Column): RawBuilder<string> =>
  kind === 'time' ? sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')` : sql`${value}::text`;

/** The place of a row as JSON. It begins with the column of the ids, so that no cursor is taken for one of other records. */
export const placeSql = (collection: Ordered): RawBuilder<string> =>
  sql`json_build_array(${sql.join([sql.lit(collection.id), ...defaultTerms(collection).map(textOf)])})::text`;

/** The cursor of a place that `placeSql` has selected. */
export const cursorOf = (place: string): string => Buffer.from(place).toString('base64url');

/** Whether a row comes after a place. */
export function comesAfter(collection: Ordered, place: Value<readonly string[]>): RawBuilder<SqlBool> {
  const terms = defaultTerms(collection);
  const values = terms.map(
    ({ kind }, index) => sql`(${place}::text[])[${sql.lit(index + 1)}]::${sql.raw(kinds[kind].type)}`,
  );
  return sql`(${sql.join(terms.map(({ value }) => value))}) > (${sql.join(values)})`;
}

/** What has to be known of a list to read its cursors. */
export interface CursorForm {
  /** The column of its ids. */
  readonly id: string;
  readonly kinds: readonly Kind[];
  /** Whether the list is in the order of its cursors. */
  readonly isInOrder: boolean;
}

export const cursorFormOf = (collection: Ordered, sort: readonly string[]): CursorForm => ({
  id: collection.id,
  kinds: defaultTerms(collection).map(({ kind }) => kind),
  isInOrder: isDefaultOrder(collection, sort),
});

/** Where a request begins to read. */
interface Asked {
  readonly after?: string | undefined;
  readonly namesPage?: boolean;
  readonly outset: number;
}

/** The place after which a page begins; null where the request does not say so. */
export function placeIn(form: CursorForm, { after, namesPage = false, outset }: Asked): readonly string[] | null {
  if (after === undefined) return null;
  refuse([
    ...(namesPage ? [contradiction('page')] : []),
    ...(outset === 0 ? [] : [contradiction('outset')]),
    ...(form.isInOrder ? [] : [contradiction('sort')]),
  ]);
  const [id, ...place] = textsOfJson(Buffer.from(after, 'base64url').toString());
  const isWhole = id === form.id && place.length === form.kinds.length;
  if (isWhole && place.every((text, index) => kinds[form.kinds[index]!].fits(text))) return place;
  throw invalid(
    'invalid_value',
    'after',
    `after must be a cursor from links.next of this list, but was "${after.slice(0, 100)}".`,
  );
}

const contradiction = (name: 'page' | 'outset' | 'sort'): Problem => ({
  code: 'contradiction',
  pointer: 'after',
  title: `after cannot be combined with ${name}. A cursor goes on where a page ended, in the default order of the list.`,
});

function textsOfJson(json: string): string[] {
  try {
    const texts: unknown = JSON.parse(json);
    return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : [];
  } catch {
    return [];
  }
}
