import { sql, type RawBuilder, type SelectQueryBuilder, type SqlBool } from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { Db } from './connection.ts';
import { conditionOf, type Columns, type NamedFilter } from './filters.ts';
import { bind, type Placeholders } from './placeholders.ts';
import { statement } from './statement.ts';

/** Which rows, in which order, from where: the part of a request that picks rows. */
export interface Selection {
  readonly page: number;
  readonly items: number;
  readonly outset: number;
  readonly sort: readonly string[];
  readonly filter: Readonly<Record<string, unknown>>;
}

export interface Paging {
  readonly link: number;
  readonly current_page: number;
  readonly page_items: number;
  readonly total_pages: number;
  readonly total_count: number;
}

/** What is told of all the rows that match: how many they are, and figures of a noun's own. */
export interface Figures {
  readonly count: number;
}

type Matching<Table extends keyof DB> = SelectQueryBuilder<DB, Table, object>;

export interface Collection<
  Table extends keyof DB,
  Source,
  Joined extends keyof Source,
  Row,
  F extends Figures = Figures,
> {
  /** The rows the caller may see, before any filter. */
  readonly visible: Matching<Table>;
  /** All rows as the noun presents them, of which those of the page are read. */
  readonly rows: SelectQueryBuilder<Source, Joined, Row>;
  /** The column that identifies a row and breaks every tie. */
  readonly id: string;
  readonly columns: Columns;
  readonly named?: Readonly<Record<string, NamedFilter>>;
  readonly defaultSort?: readonly string[];
  /** The figures of the rows that match, as one JSON value. */
  readonly figures?: (matching: Matching<Table>, selection: Pick<Selection, 'filter'>) => RawBuilder<F>;
}

/** Those of the visible rows that the filters leave. */
function filtered<Table extends keyof DB>(
  {
    visible,
    columns,
    named,
  }: { visible: Matching<Table>; columns: Columns; named?: Readonly<Record<string, NamedFilter>> | undefined },
  { filter }: Pick<Selection, 'filter'>,
): Matching<Table> {
  const conditions = Object.entries(filter).map(([name, value]) => conditionOf({ columns, named }, name, value));
  return conditions.reduce((query, condition) => (condition ? query.where(condition) : query), visible);
}

const countOf = (matching: Matching<keyof DB>) =>
  sql<Figures>`(${matching.select(sql`json_build_object('count', count(*))`.as('figures'))})`;

/** A page, and what is told of the whole: as two queries, of which the first brings both along where the page has rows. */
function queriesOf<Table extends keyof DB, Source, Joined extends keyof Source, Row, F extends Figures>(
  db: Db,
  collection: Collection<Table, Source, Joined, Row, F>,
  selection: Pick<Selection, 'filter' | 'sort'>,
  { limit, offset }: Placeholders<ReturnType<typeof placeOf>>,
) {
  const matching = filtered(collection, selection);
  const id = sql.ref(collection.id);
  const order = orderOf(collection, selection.sort);
  // The page's ids are found first, so that rows skipped are never built; as an array, so that no plan looks for them among all rows.
  const pageIds = matching
    .select(sql<number>`${id}`.as('id'))
    .orderBy(order)
    .limit(limit)
    .offset(offset);
  const figures = (collection.figures ?? countOf)(matching as never, selection) as RawBuilder<F>;
  // As text, since every row of the page brings it along and one is read.
  const told = sql<string>`${figures}::text`.as('figures');
  const rows = collection.rows.where(sql<SqlBool>`${id} = any(array(${pageIds}))`).orderBy(order);
  return { rows: rows.select(told), figures: db.selectNoFrom(told) };
}

const placeOf = ({ page, items, outset }: Selection) => ({ limit: items, offset: outset + (page - 1) * items });

type WithFigures<Row> = (Row & { readonly figures: string })[];

/** One page, and its place in the whole; both are read by one statement, so that they agree. */
export async function list<
  Table extends keyof DB,
  Source,
  Joined extends keyof Source,
  Row,
  F extends Figures = Figures,
>(db: Db, collection: Collection<Table, Source, Joined, Row, F>, selection: Selection) {
  const queries = queriesOf(db, collection, selection, bind(placeOf(selection)));
  const rows = (await queries.rows.execute()) as WithFigures<Row>;
  const figures = rows[0]?.figures ?? (await queries.figures.executeTakeFirstOrThrow()).figures;
  return pageOf<Row, F>(rows, selection, figures);
}

/** Data whose JSON text says everything about it, so that the text can be the key of a cache. */
export type PlainData =
  string | number | boolean | null | readonly PlainData[] | { readonly [name: string]: PlainData | undefined };

/**
 * Like `list`, for collections that are read all day long: the queries are built once for each shape, filter and sort. The
 * builder gets the shape, which is the key of its plans, and placeholders of the values, which it cannot look at.
 */
export function plannedList<
  Shape extends PlainData,
  Values extends object,
  Table extends keyof DB,
  Source,
  Joined extends keyof Source,
  Row,
  F extends Figures,
>(build: (db: Db, shape: Shape, values: Placeholders<Values>) => Collection<Table, Source, Joined, Row, F>) {
  type Given = Values & ReturnType<typeof placeOf>;
  const planOf = (shape: Shape, { filter, sort }: Selection) => {
    const queries = (db: Db, values: Placeholders<Given>) =>
      queriesOf(db, build(db, shape, values), { filter, sort }, values);
    return {
      rows: statement((db, values: Placeholders<Given>) => queries(db, values).rows),
      figures: statement((db, values: Placeholders<Given>) => queries(db, values).figures),
    };
  };
  const plans = new Map<string, ReturnType<typeof planOf>>();
  return async (db: Db, { shape, values }: { shape: Shape; values: Values }, selection: Selection) => {
    const key = JSON.stringify([shape, selection.filter, selection.sort]);
    const plan = planned(plans, key, () => planOf(shape, selection));
    const given = { ...values, ...placeOf(selection) };
    const rows = (await plan.rows(db, given)) as WithFigures<Row>;
    const figures = rows[0]?.figures ?? (await plan.figures(db, given))[0]!.figures;
    return pageOf<Row, F>(rows, selection, figures);
  };
}

const mostPlans = 500;
const longestKey = 2000;

/** What was planned under this key. Callers choose filters, so that only so many plans are kept: those used last. */
function planned<P>(plans: Map<string, P>, key: string, plan: () => P): P {
  if (key.length > longestKey) return plan();
  const found = plans.get(key) ?? plan();
  plans.delete(key);
  plans.set(key, found);
  if (plans.size > mostPlans) plans.delete(plans.keys().next().value!);
  return found;
}

function pageOf<Row, F extends Figures>(rows: Row[], selection: Selection, figures: string) {
  const { count, ...totals } = JSON.parse(figures) as F;
  return { rows, paging: pagingOf(selection, count), totals };
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
function orderOf(
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
