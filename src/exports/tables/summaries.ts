import type { DateRange } from '../../calendar/dates.ts';
import type { WorkspaceActor } from '../../core/permissions.ts';
import { isAreaAdmin, isWorkspaceAdmin } from '../../core/ranks.ts';
import type { Db } from '../../db/connection.ts';
import type { Selection } from '../../db/list/list.ts';
import { listUserSummaries, type UserSummary } from '../../user_summaries/user_summaries.ts';

const usersPerPage = 50;

/** The summaries of the users that a file is about, page by page, by name. Employees get their own alone. */
export async function* summariesOf(
  db: Db,
  actor: WorkspaceActor,
  range: DateRange,
  filter: Selection['filter'],
): AsyncGenerator<{ readonly rows: readonly UserSummary[]; readonly total: number }> {
  const own = isWorkspaceAdmin(actor) || isAreaAdmin(actor) ? {} : { id: `eq:${actor.userId}` };
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
