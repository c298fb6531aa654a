import { absenceCollection, listAbsences } from '../../absence/absences/list.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { matchingIds } from '../../platform/db/list/matching_ids.ts';
import { listTimeTrackings, planFor, timeTrackingCollection } from '../../working_time/time_trackings/list/list.ts';
import type { Coverage, Resource } from './request.ts';

/* What an export covers is what the list of the same records shows, by the same code. */

/** A list of no rows, of which only the totals matter. Filters that are unknown or do not fit are refused. */
const totalsOnly = { page: 1, items: 1, outset: 0, permissions: 'none', isStrict: true } as const;

/** The number of records that a file covers; 400 for filters that the list refuses or ignores. */
export async function countOf(
  db: Db,
  actor: WorkspaceActor,
  resource: Resource,
  { filter, sort }: Coverage,
  now: Date,
): Promise<number> {
  const selection = { ...totalsOnly, filter, sort };
  const { paging } =
    resource === 'absences'
      ? await listAbsences(db, actor, selection)
      : await listTimeTrackings(db, actor, selection, now);
  return paging.total_count;
}

/** The ids of the records that a file covers, in the order of the list. */
export function idsOf(
  db: Db,
  actor: WorkspaceActor,
  resource: Resource,
  coverage: Coverage,
  now: Date,
): Promise<number[]> {
  if (resource === 'absences') return matchingIds(db, absenceCollection(db, actor), coverage);
  const { shape, values } = planFor(actor, { hasPermissions: false }, now);
  return matchingIds(db, timeTrackingCollection(db, shape, values), coverage);
}
