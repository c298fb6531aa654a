import type { Paging, Selection } from '../../db/list/list.ts';
import type { Call } from '../contract.ts';

/** The requested page of a list of the public API: 25 records, by id. */
export const pageIn = ({ query }: { readonly query: { readonly page?: number } }): Selection => ({
  page: query.page ?? 1,
  items: 25,
  outset: 0,
  sort: [],
  filter: {},
});

/** The members beside the records that say which page this is. */
export const pageMembers = (
  { current_page, total_pages }: Pick<Paging, 'current_page' | 'total_pages'>,
  { addressWith }: Pick<Call, 'addressWith'>,
) => ({
  page_number: current_page,
  total_pages,
  next_page: current_page < total_pages ? addressWith({ page: current_page + 1 }) : null,
});
