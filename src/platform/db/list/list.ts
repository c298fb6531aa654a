import { sql, type CompiledQuery, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { DB } from '../../../../generated/db.ts';
import { recentlyUsed, remember } from '../../core/remember.ts';
import { boundOfCondition, boundOfSort, isWithin, requireWithin, type Bound } from './bounds.ts';
import { applyConditions } from './conditions.ts';
import type { Db } from '../connection.ts';
import type { Condition, Filterable, NamedFilter } from './filters.ts';
import { readFilters } from './read_filters.ts';
import { comesAfter, cursorFormOf, cursorOf, placeIn, placeSql, type CursorForm } from './cursors.ts';
import { ignoredOrRefused, unknownSorts, type Ignored, type IgnoredParameter } from './ignored_parameters.ts';
import { orderOf, type Ordered } from './order.ts';
import {
  namedPlaceholders,
  withValues,
  type Placeholders,
  type Value,
  type ValuesOrPlaceholders,
} from '../placeholders.ts';

/** Which rows, in which order, from where: the part of a request that selects rows. */
export interface Selection {
  readonly page: number;
  /** The cursor of the record after which the page begins, in place of its number. */
  readonly after?: string | undefined;
  /** Whether the request names a page beside the cursor. */
  readonly namesPage?: boolean;
  readonly items: number;
  readonly outset: number;
  readonly sort: readonly string[];
  readonly filter: Readonly<Record<string, unknown>>;
  /** Whether a filter or an order that is unknown or does not fit is refused. Otherwise it is ignored. */
  readonly isStrict?: boolean;
}

export interface Paging extends Ignored {
  readonly link: number;
  readonly current_page: number;
  readonly page_items: number;
  readonly total_pages: number;
  readonly total_count: number;
}

/** Where the next page begins: after a cursor in the default order of a list, otherwise a number. */
export type NextPage = { readonly after: string } | { readonly page: number };

/** Totals of all rows that match: their number, and what a noun adds. */
export interface Totals {
  readonly count: number;
}

type Matching<Table extends keyof DB> = SelectQueryBuilder<DB, Table, object>;

export interface Collection<
  Table extends keyof DB,
  Source,
  Joined extends keyof Source,
  Row,
  T extends Totals = Totals,
> extends Ordered {
  /** The rows the caller may see, before any filter. */
  readonly visible: Matching<Table>;
  /** All rows as the noun presents them, of which those of the page are read. */
  readonly rows: SelectQueryBuilder<Source, Joined, Row>;
  readonly named?: Readonly<Record<string, NamedFilter>>;
  /** The zone of plain days in filters. Lists that belong to no workspace use UTC. */
  readonly timeZone: string;
  /** The totals of the rows that match, as one JSON value: an object, or an array of parts to be added up. `conditions` are those that they match. */
  readonly totals?: (matching: Matching<Table>, conditions: readonly Condition[]) => RawBuilder<T | T[]>;
}

const countOf = (matching: Matching<keyof DB>) =>
  sql<Totals>`(${matching.select(sql`json_build_object('count', count(*))`.as('totals'))})`;

/** The query of a page, whose rows carry the totals along, and that of the totals alone, for a page without rows. */
function queriesOf<Table extends keyof DB, Source, Joined extends keyof Source, Row, T extends Totals>(
  db: Db,
  collection: Collection<Table, Source, Joined, Row, T>,
  { conditions, cursors }: SelectionReading,
  sort: readonly string[],
  { limit, offset, place }: ValuesOrPlaceholders<Window> & { readonly place: Value<readonly string[]> | null },
) {
  const matching = applyConditions(collection, conditions);
  const following = place === null ? matching : matching.where(comesAfter(collection, place));
  const id = sql.ref(collection.id);
  const order = orderOf(collection, sort);
  const bound = boundOfSort(collection, sort);
  // The ids of the page are found first, so that no skipped row is built; as an array, so that no plan searches all rows for them.
  const pageIds = (bound ? following.where(isWithin(matching, bound)) : following)
    .select(sql<number>`${id}`.as('id'))
    .orderBy(order)
    .limit(limit)
    .offset(offset);
  const json = (collection.totals ?? countOf)(matching as never, conditions);
  // As text, because every row of the page carries it and only one is parsed.
  const totals = sql<string>`${json}::text`.as('totals');
  const rows = collection.rows.where(sql<SqlBool>`${id} = any(array(${pageIds}))`).orderBy(order);
  const placed = cursors.isInOrder ? rows.select(placeSql(collection).as('place_in_order')) : rows;
  return { rows: placed.select(totals), totals: db.selectNoFrom(totals) };
}

interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** One more row than the page has, which shows whether another page follows. */
const windowOf = ({ page, items, outset }: Selection): Window => ({
  limit: items + 1,
  offset: outset + (page - 1) * items,
});

type Read<Row> = (Row & { readonly totals: string; readonly place_in_order?: string })[];

/** One page, its paging and the totals. One statement reads them, so that they agree. */
export async function list<Table extends keyof DB, Source, Joined extends keyof Source, Row, T extends Totals = Totals>(
  db: Db,
  collection: Collection<Table, Source, Joined, Row, T>,
  selection: Selection,
): Promise<Page<Row, T>> {
  const reading = readSelection(collection, selection);
  const { ignoredParameters, lookUp } = reading;
  const ignored = ignoredOrRefused(ignoredParameters, selection.isStrict);
  const place = placeIn(reading.cursors, selection);
  if (lookUp) requireWithin(lookUp.bound, (await list(db, collection, lookUp.selectionWithout)).paging.total_count);
  const queries = queriesOf(db, collection, reading, selection.sort, { ...windowOf(selection), place });
  const rows = (await queries.rows.execute()) as Read<Row>;
  const totals = rows[0]?.totals ?? (await queries.totals.executeTakeFirstOrThrow()).totals;
  return pageOf<Row, T>(rows, selection, totals, { ...reading, ignored });
}

/** Data that its JSON text describes in full, so that the text can be the key of a cache. */
export type PlainData =
  string | number | boolean | null | readonly PlainData[] | { readonly [name: string]: PlainData };

/**
 * Like `list`, for collections that are read all day long: the queries are built once for each shape, filter and sort. The
 * builder gets the shape, which is the key of its plans, and placeholders of the values, which it cannot look at.
 */
export async function listPlanned<
  Shape extends PlainData,
  Values extends object,
  Table extends keyof DB,
  Source,
  Joined extends keyof Source,
  Row,
  T extends Totals,
>(
  db: Db,
  build: Build<Shape, Values, Collection<Table, Source, Joined, Row, T>>,
  given: { readonly shape: Shape; readonly values: Values },
  selection: Selection,
): Promise<Page<Row, T>> {
  const { reading, ...queries } = rememberedPlan(db, build, given.shape, selection);
  const ignored = ignoredOrRefused(reading.ignoredParameters, selection.isStrict);
  const place = placeIn(reading.cursors, selection);
  if (reading.lookUp) {
    const { bound, selectionWithout } = reading.lookUp;
    requireWithin(bound, (await listPlanned(db, build, given, selectionWithout)).paging.total_count);
  }
  const values = { ...given.values, ...windowOf(selection), place };
  const { rows } = (await db.executeQuery(withValues(queries.rows, values))) as { rows: Read<Row> };
  const totals = rows[0]?.totals ?? (await db.executeQuery(withValues(queries.totals, values))).rows[0]!.totals;
  return pageOf<Row, T>(rows, selection, totals, { ...reading, ignored });
}

type Build<Shape, Values extends object, Built> = (db: Db, shape: Shape, values: Placeholders<Values>) => Built;

interface Plan {
  readonly reading: SelectionReading;
  readonly rows: CompiledQuery;
  readonly totals: CompiledQuery<{ totals: string }>;
}

function rememberedPlan<
  Shape extends PlainData,
  Values extends object,
  Table extends keyof DB,
  Source,
  Joined extends keyof Source,
  Row,
  T extends Totals,
>(
  db: Db,
  build: Build<Shape, Values, Collection<Table, Source, Joined, Row, T>>,
  shape: Shape,
  selection: Selection,
): Plan {
  const plans = plansOf(build);
  const hasPlace = selection.after !== undefined;
  const key = JSON.stringify([shape, selection.filter, selection.sort, hasPlace]);
  const known = plans.get(key);
  if (known) return known;
  const values = namedPlaceholders<Values & Window & { readonly place: readonly string[] }>();
  const collection = build(db, shape, values);
  const reading = readSelection(collection, selection);
  const { limit, offset, place } = values;
  const window = { limit, offset, place: hasPlace ? place : null };
  const queries = queriesOf(db, collection, reading, selection.sort, window);
  const plan = { reading, rows: queries.rows.compile(), totals: queries.totals.compile() };
  if (key.length <= maxKeyLength) plans.set(key, plan);
  return plan;
}

const plansOf = remember({ limit: 10 }, (_build: unknown) => recentlyUsed<string, Plan>(maxPlans));

/** Callers choose filters, so that the number and the size of plans are limited. */
const maxPlans = 1_000;
const maxKeyLength = 2_000;

/** The filters and the order of a request, as they were read. */
interface SelectionReading {
  readonly conditions: readonly Condition[];
  readonly ignoredParameters: readonly IgnoredParameter[];
  /** How long the list may be, by its order. */
  readonly bound: Bound | null;
  readonly cursors: CursorForm;
  /** Set where a filter reads other records for each row: the list without such filters is checked before. */
  readonly lookUp: { readonly bound: Bound; readonly selectionWithout: Selection } | null;
}

function readSelection(collection: Filterable & Ordered, { filter, sort }: Selection): SelectionReading {
  const { conditions, ignoredParameters } = readFilters(collection, filter);
  const bounds = conditions.flatMap((condition) => boundOfCondition(collection.columns, condition) ?? []);
  const others = Object.entries(filter).filter(([name]) => !bounds.some(({ column }) => column === name));
  const selectionWithout = { page: 1, items: 1, outset: 0, sort: [], filter: Object.fromEntries(others) };
  return {
    conditions,
    ignoredParameters: [...ignoredParameters, ...unknownSorts(collection.columns, sort)],
    bound: boundOfSort(collection, sort),
    cursors: cursorFormOf(collection, sort),
    lookUp: bounds[0] ? { bound: bounds[0], selectionWithout } : null,
  };
}

type Page<Row, T extends Totals> = ReturnType<typeof pageOf<Row, T>>;

function pageOf<Row, T extends Totals>(
  read: Read<Row>,
  selection: Selection,
  json: string,
  { bound, cursors, ignored }: SelectionReading & { readonly ignored: Ignored },
) {
  const { count, ...totals } = addedUp(JSON.parse(json) as T | T[]);
  if (bound) requireWithin(bound, count);
  const { items } = selection;
  const rows: Row[] = read.slice(0, items);
  const next = read.length > items ? nextOf(read[items - 1]!, selection, cursors) : null;
  const paging = { ...pagingOf(selection, count), ...ignored, next };
  return { rows, paging, totals };
}

/** The page after the one that ends with a row. */
const nextOf = ({ place_in_order }: Read<unknown>[number], { page }: Selection, { isInOrder }: CursorForm): NextPage =>
  isInOrder ? { after: cursorOf(place_in_order!) } : { page: page + 1 };

function addedUp<T extends Totals>(parts: T | T[]): T {
  if (!Array.isArray(parts)) return parts;
  const sums: Record<string, number> = {};
  for (const part of parts)
    for (const [name, value] of Object.entries(part)) sums[name] = (sums[name] ?? 0) + (value as number);
  return sums as unknown as T;
}

export function pagingOf({ page, items, outset }: Pick<Selection, 'page' | 'items' | 'outset'>, count: number): Paging {
  const total = Math.max(0, count - outset);
  return {
    link: 0,
    current_page: page,
    page_items: items,
    total_pages: Math.max(1, Math.ceil(total / items)),
    total_count: total,
  };
}
