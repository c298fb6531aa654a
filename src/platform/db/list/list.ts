import { sql, type CompiledQuery, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { DB } from '../../../../generated/db.ts';
import { recentlyUsed, remember } from '../../core/remember.ts';
import { boundOfCondition, boundOfSort, isWithin, requireWithin, type Bound } from './bounds.ts';
import { applyConditions } from './conditions.ts';
import type { Db } from '../connection.ts';
import type { Columns, Condition, Filterable, NamedFilter } from './filters.ts';
import { readFilters } from './read_filters.ts';
import { ignoredOrRefused, unknownSorts, type IgnoredParameter } from './ignored_parameters.ts';
import { namedPlaceholders, withValues, type Placeholders, type ValuesOrPlaceholders } from '../placeholders.ts';

/** Which rows, in which order, from where: the part of a request that selects rows. */
export interface Selection {
  readonly page: number;
  readonly items: number;
  readonly outset: number;
  readonly sort: readonly string[];
  readonly filter: Readonly<Record<string, unknown>>;
  /** Whether a filter or an order that is unknown or does not fit is refused. Otherwise it is ignored. */
  readonly isStrict?: boolean;
}

export interface Paging {
  readonly link: number;
  readonly current_page: number;
  readonly page_items: number;
  readonly total_pages: number;
  readonly total_count: number;
  /** The parameters that were ignored, as they were sent. Missing where there are none. */
  readonly ignored?: string[];
}

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
> {
  /** The rows the caller may see, before any filter. */
  readonly visible: Matching<Table>;
  /** All rows as the noun presents them, of which those of the page are read. */
  readonly rows: SelectQueryBuilder<Source, Joined, Row>;
  /** The column that identifies a row and breaks every tie. */
  readonly id: string;
  readonly columns: Columns;
  readonly named?: Readonly<Record<string, NamedFilter>>;
  /** The zone of plain days in filters. Lists that belong to no workspace use UTC. */
  readonly timeZone: string;
  readonly defaultSort?: readonly string[];
  /** The totals of the rows that match, as one JSON value: an object, or an array of parts to be added up. `conditions` are those that they match. */
  readonly totals?: (matching: Matching<Table>, conditions: readonly Condition[]) => RawBuilder<T | T[]>;
}

const countOf = (matching: Matching<keyof DB>) =>
  sql<Totals>`(${matching.select(sql`json_build_object('count', count(*))`.as('totals'))})`;

/** The query of a page, whose rows carry the totals along, and that of the totals alone, for a page without rows. */
function queriesOf<Table extends keyof DB, Source, Joined extends keyof Source, Row, T extends Totals>(
  db: Db,
  collection: Collection<Table, Source, Joined, Row, T>,
  { conditions, sort }: { conditions: readonly Condition[]; sort: readonly string[] },
  { limit, offset }: ValuesOrPlaceholders<Window>,
) {
  const matching = applyConditions(collection, conditions);
  const id = sql.ref(collection.id);
  const order = orderOf(collection, sort);
  const bound = boundOfSort(collection, sort);
  // The ids of the page are found first, so that no skipped row is built; as an array, so that no plan searches all rows for them.
  const pageIds = (bound ? matching.where(isWithin(matching, bound)) : matching)
    .select(sql<number>`${id}`.as('id'))
    .orderBy(order)
    .limit(limit)
    .offset(offset);
  const json = (collection.totals ?? countOf)(matching as never, conditions);
  // As text, because every row of the page carries it and only one is parsed.
  const totals = sql<string>`${json}::text`.as('totals');
  const rows = collection.rows.where(sql<SqlBool>`${id} = any(array(${pageIds}))`).orderBy(order);
  return { rows: rows.select(totals), totals: db.selectNoFrom(totals) };
}

interface Window {
  readonly limit: number;
  readonly offset: number;
}

const windowOf = ({ page, items, outset }: Selection): Window => ({
  limit: items,
  offset: outset + (page - 1) * items,
});

type WithTotals<Row> = (Row & { readonly totals: string })[];

/** One page, its paging and the totals. One statement reads them, so that they agree. */
export async function list<Table extends keyof DB, Source, Joined extends keyof Source, Row, T extends Totals = Totals>(
  db: Db,
  collection: Collection<Table, Source, Joined, Row, T>,
  selection: Selection,
): Promise<Page<Row, T>> {
  const { conditions, ignoredParameters, bound, lookUp } = readSelection(collection, selection);
  const ignored = ignoredOrRefused(ignoredParameters, selection.isStrict);
  if (lookUp) requireWithin(lookUp.bound, (await list(db, collection, lookUp.selectionWithout)).paging.total_count);
  const queries = queriesOf(db, collection, { conditions, sort: selection.sort }, windowOf(selection));
  const rows = (await queries.rows.execute()) as WithTotals<Row>;
  const totals = rows[0]?.totals ?? (await queries.totals.executeTakeFirstOrThrow()).totals;
  return pageOf<Row, T>(rows, { ...selection, ignored }, totals, bound);
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
  if (reading.lookUp) {
    const { bound, selectionWithout } = reading.lookUp;
    requireWithin(bound, (await listPlanned(db, build, given, selectionWithout)).paging.total_count);
  }
  const values = { ...given.values, ...windowOf(selection) };
  const { rows } = (await db.executeQuery(withValues(queries.rows, values))) as { rows: WithTotals<Row> };
  const totals = rows[0]?.totals ?? (await db.executeQuery(withValues(queries.totals, values))).rows[0]!.totals;
  return pageOf<Row, T>(rows, { ...selection, ignored }, totals, reading.bound);
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
  const key = JSON.stringify([shape, selection.filter, selection.sort]);
  const known = plans.get(key);
  if (known) return known;
  const values = namedPlaceholders<Values & Window>();
  const collection = build(db, shape, values);
  const reading = readSelection(collection, selection);
  const queries = queriesOf(db, collection, { conditions: reading.conditions, sort: selection.sort }, values);
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
  /** Set where a filter reads other records for each row: the list without such filters is checked before. */
  readonly lookUp: { readonly bound: Bound; readonly selectionWithout: Selection } | null;
}

function readSelection(
  collection: Filterable & { readonly defaultSort?: readonly string[] },
  { filter, sort }: Selection,
): SelectionReading {
  const { conditions, ignoredParameters } = readFilters(collection, filter);
  const bounds = conditions.flatMap((condition) => boundOfCondition(collection.columns, condition) ?? []);
  const others = Object.entries(filter).filter(([name]) => !bounds.some(({ column }) => column === name));
  const selectionWithout = { page: 1, items: 1, outset: 0, sort: [], filter: Object.fromEntries(others) };
  return {
    conditions,
    ignoredParameters: [...ignoredParameters, ...unknownSorts(collection.columns, sort)],
    bound: boundOfSort(collection, sort),
    lookUp: bounds[0] ? { bound: bounds[0], selectionWithout } : null,
  };
}

type Page<Row, T extends Totals> = ReturnType<typeof pageOf<Row, T>>;

function pageOf<Row, T extends Totals>(
  rows: Row[],
  selection: Selection & { readonly ignored: string[] },
  json: string,
  bound: Bound | null,
) {
  const { count, ...totals } = addedUp(JSON.parse(json) as T | T[]);
  if (bound) requireWithin(bound, count);
  const { ignored } = selection;
  const paging: Paging = { ...pagingOf(selection, count), ...(ignored.length > 0 && { ignored }) };
  return { rows, paging, totals };
}

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

/** Text sorts by code point on every database; nulls come last going up and first going down. */
export function orderOf(
  collection: { columns: Columns; defaultSort?: readonly string[]; id: string },
  sort: readonly string[],
): RawBuilder<unknown> {
  const known = sort
    .map((name) => ({ name: name.replace(/^[+-]/, ''), direction: name.startsWith('-') ? sql`desc` : sql`asc` }))
    .filter(({ name }) => Object.hasOwn(collection.columns, name));
  const chosen =
    known.length > 0 ? known : (collection.defaultSort ?? []).map((name) => ({ name, direction: sql`asc` }));
  const terms = chosen.map(({ name, direction }) => {
    const { kind, value } = collection.columns[name]!;
    return kind === 'text' ? sql`${value} collate "C" ${direction}` : sql`${value} ${direction}`;
  });
  return sql.join([...terms, sql`${sql.ref(collection.id)} asc`]);
}
