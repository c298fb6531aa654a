import { absenceTypesByIds } from '../absence_types/absence_types.ts';
import { presentAbsenceType } from '../absence_types/resource.ts';
import { absencesByIds } from '../absences/absences.ts';
import { presentAbsence } from '../absences/resource.ts';
import { areasByIds } from '../areas/areas.ts';
import { presentArea } from '../areas/resource.ts';
import { numericId } from '../core/ids.ts';
import type { Loading, Resource } from '../http/answers/jsonapi.ts';
import { presentShift } from '../shifts/resource.ts';
import { shiftsByIds } from '../shifts/rows.ts';
import { presentTag } from '../tags/resource.ts';
import { tagsByIds } from '../tags/tags.ts';
import { presentTimeTracking } from '../time_trackings/resource.ts';
import { timeTrackingsByIds } from '../time_trackings/time_trackings.ts';
import { presentUser } from '../users/resource.ts';
import { usersByIds } from '../users/users.ts';
import { presentWorkspace } from '../workspaces/resource.ts';
import { workspacesByIds } from '../workspaces/workspaces.ts';
import { presentWebhook } from './resource.ts';
import { webhooksByIds } from './webhooks.ts';

/** Loads one record by its number, and shows it as v3 does. Undefined if there is none. */
type Shown = (id: number, loading: Loading) => Promise<Resource | undefined>;

const shown =
  <Row>(
    byIds: (db: Loading['db'], actor: Loading['actor'], ids: readonly number[]) => Promise<readonly Row[]>,
    present: (row: Row, loading: Loading) => Resource,
  ): Shown =>
  async (id, loading) => {
    const [row] = await byIds(loading.db, loading.actor, [id]);
    return row && present(row, loading);
  };

/** How records are shown in messages, by their type. Records of other types are not shown: their events have what changed. */
const shownRecords: Readonly<Record<string, Shown>> = {
  absence: shown(absencesByIds, presentAbsence),
  absence_type: shown(absenceTypesByIds, presentAbsenceType),
  area: shown(areasByIds, presentArea),
  shift: shown(shiftsByIds, presentShift),
  tag: shown(tagsByIds, presentTag),
  time_tracking: shown(timeTrackingsByIds, presentTimeTracking),
  user: shown(usersByIds, presentUser),
  webhook: shown(webhooksByIds, presentWebhook),
  workspace: shown(workspacesByIds, presentWorkspace),
};

/** The record as v3 shows it to the actor now, or null if it is gone, or of a type that is not shown. */
export async function shownRecord(type: string, ref: string, loading: Loading): Promise<Resource | null> {
  const id = numericId(ref);
  return (id === undefined ? undefined : await shownRecords[type]?.(id, loading)) ?? null;
}
