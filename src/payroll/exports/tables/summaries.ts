import type { DateRange } from '../../../days/calendar/dates.ts';
import { may, type WorkspaceActor } from '../../../platform/core/permissions.ts';
import type { Db } from '../../../platform/db/connection.ts';
import type { Selection } from '../../../platform/db/list/list.ts';
import { listUserSummaries, type UserSummary } from '../../../time_account/user_summaries/user_summaries.ts';

const usersPerPage = 50;

/** The summaries of the users that a file is about, page by page, by name. Employees get their own alone. */
export async function* summariesOf(
  db: Db,
  actor: WorkspaceActor,
  range: DateRange,
  filter: Selection['filter'],
): AsyncGenerator<{ readonly rows: readonly UserSummary[]; readonly total: number }> {
  const own = may(actor, 'sum_up_others', 'workspace', actor.workspace) ? {} : { id: `eq:${actor.userId}` };
  const wanted = Object.fromEntries(
    (['user_id', 'area_id'] as const).flatMap((name) => (filter[name] === undefined ? [] : [[name, filter[name]]])),
  );
  for (let page = 1; ; page++) {
    const selection = { page, items: usersPerPage, outset: 0, sort: [], filter: { ...wanted, ...own } };
    const { rows, paging } = await listUserSummaries(db, actor, range, selection);
    yield { rows, total: paging.total_count };
    if (page >= paging.total_pages) return;
  }
}
