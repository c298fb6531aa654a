import { gitCommit } from './servers.ts';

/* Pages of time trackings, as the contenders read their requests and write their answers. */

/** What a list is filtered by, with the values of that filter. */
export type ListFilter =
  | { readonly kind: 'all'; readonly values: readonly [] }
  | { readonly kind: 'user'; readonly values: readonly [userId: string | number] }
  | { readonly kind: 'range'; readonly values: readonly [from: string, to: string] };

export type Query = Readonly<Record<string, string | number | undefined>>;

export function listRequestOf(query: Query): { page: number; items: number; filter: ListFilter } {
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

export const wholeSecond = (): string => new Date(Math.floor(Date.now() / 1000) * 1000).toISOString();

export const metaOf = (requestId: string) => ({ request_id: requestId, git_commit: gitCommit });

/** The totals of a list, as a statement selects them. */
export interface TotalsRow {
  total: number;
  total_confirmed: number;
  total_running: number;
  total_gross: number;
  total_pause: number;
}

export const hours = (seconds: number): number => Math.round(seconds / 36) / 100;

export interface Page {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Answers with a page of time trackings. */
export function pageOf(
  data: readonly object[],
  row: TotalsRow,
  { page, items }: ReturnType<typeof listRequestOf>,
  requestId: string,
): Page {
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
  return { headers, body: { data, meta: { ...metaOf(requestId), ...totals } } };
}
