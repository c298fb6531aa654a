import type pg from 'pg';

/* What the contenders share: the form of an operation, pages, and punches. */

export interface Incoming {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly body: unknown;
  /** Path and query as sent. */
  readonly url: string;
  readonly requestId: string;
  /** The caller; null if the contender does not check credentials. */
  readonly userId: number | null;
}

export interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

export type Operation = (incoming: Incoming) => Promise<Outgoing>;

/** The settings that every server gets from the environment. */
export const settings = { gitCommit: 'bench', publicUrl: 'http://bench.local' };

export const metaOf = ({ requestId }: Incoming) => ({ request_id: requestId, git_commit: settings.gitCommit });

export const wholeSecond = (): string => new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();
export const isUuid = (text: string): boolean => text.length === 36;

/** What a list of time trackings is filtered by, with the values of that filter. */
export type ListFilter =
  | { readonly kind: 'all'; readonly values: readonly [] }
  | { readonly kind: 'user'; readonly values: readonly [userId: string | number] }
  | { readonly kind: 'range'; readonly values: readonly [from: string, to: string] };

export function listRequestOf({ query }: Incoming): { page: number; items: number; filter: ListFilter } {
  const user = query['filter[user_id]'];
  const range = query['filter[overlapping_with_range]'];
  const filter: ListFilter =
    user !== undefined
      ? { kind: 'user', values: [user] }
      : range !== undefined
        ? { kind: 'range', values: String(range).split('_') as [string, string] }
        : { kind: 'all', values: [] };
  return { page: Number(query['page'] ?? 1), items: Number(query['items'] ?? 20), filter };
}

/** The first and the last second of local days in Berlin in summer, which is when the ranges of the data set are. */
export const localTimesOf = ([from, to]: readonly [string, string]): [string, string] => [
  `${from}T00:00:00+02:00`,
  `${to}T23:59:59+02:00`,
];

/** The totals of a list, as a statement selects them. */
export interface TotalsRow {
  total: number;
  total_confirmed: number;
  total_running: number;
  total_gross: number;
  total_pause: number;
}

export const hours = (seconds: number): number => Math.round(seconds / 36) / 100;

/** Answers with a page of time trackings. */
export function pageOf(data: readonly object[], row: TotalsRow, page: number, items: number, meta: object): Outgoing {
  const totalPages = Math.max(1, Math.ceil(row.total / items));
  const totals = {
    link: 0,
    current_page: page,
    page_items: items,
    total_pages: totalPages,
    total_count: row.total,
    total_unconfirmed: row.total - row.total_confirmed,
    total_confirmed: row.total_confirmed,
    total_running: row.total_running,
    total_gross_time: hours(row.total_gross),
    total_net_time: hours(row.total_gross - row.total_pause),
    total_break_time: hours(row.total_pause),
  };
  const headers = {
    'Current-Page': String(page),
    'Page-Items': String(items),
    'Total-Pages': String(totalPages),
    'Total-Count': String(row.total),
  };
  return { status: 200, headers, body: { data, meta: { ...meta, ...totals } } };
}

/** Answers with a page of 25 absences. */
export function absencePageOf(absences: readonly object[], total: number, page: number, url: string): Outgoing {
  const pages = Math.max(1, Math.ceil(total / 25));
  const next_page = page < pages ? nextPage(url, page + 1) : null;
  return { status: 200, headers: {}, body: { absences, page_number: page, total_pages: pages, next_page } };
}

function nextPage(url: string, page: number): string {
  const [path, query] = url.split('?');
  const parameters = new URLSearchParams(query);
  parameters.set('page', String(page));
  return `${settings.publicUrl}${path}?${parameters}`;
}

/** The body of a new time tracking, as far as the benchmark fills it in. */
export interface NewTimeTracking {
  attributes: { starts_at: string; ends_at: string; breaks_attributes: { starts_at: string; ends_at: string }[] };
  relationships: { user: { data: { id: string } }; area: { data: { id: string } }; tags: { data: { id: string }[] } };
}

/** Runs work in a transaction. */
export async function inTransaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
