import { absenceTypesByIds } from '../../absence/absence_types/absence_types.ts';
import { presentAbsenceType } from '../../absence/absence_types/resource.ts';
import { absencesByIds } from '../../absence/absences/absences.ts';
import { presentAbsence } from '../../absence/absences/resource.ts';
import { areasByIds } from '../../organisation/areas/areas.ts';
import { presentArea } from '../../organisation/areas/resource.ts';
import { numericId } from '../../platform/core/ids.ts';
import type { LoadContext, Resource } from '../../platform/http/answers/jsonapi.ts';
import { presentShift } from '../../planning/shifts/resource.ts';
import { shiftsByIds } from '../../planning/shifts/rows.ts';
import { presentTag } from '../../organisation/tags/resource.ts';
import { tagsByIds } from '../../organisation/tags/tags.ts';
import { presentTimeTracking } from '../../working_time/time_trackings/resource.ts';
import { timeTrackingsByIds } from '../../working_time/time_trackings/time_trackings.ts';
import { presentUser } from '../../organisation/users/resource.ts';
import { usersByIds } from '../../organisation/users/users.ts';
import { presentWorkspace } from '../../organisation/workspaces/resource.ts';
import { workspacesByIds } from '../../organisation/workspaces/workspaces.ts';
import { presentWebhook } from './resource.ts';
import { webhooksByIds } from './webhooks.ts';

/** Loads one record by its number, and shows it as v3 does. Undefined if there is none. */
type Shown = (id: number, context: LoadContext) => Promise<Resource | undefined>;

const shown =
  <Row>(
    byIds: (db: LoadContext['db'], actor: LoadContext['actor'], ids: readonly number[]) => Promise<readonly Row[]>,
    present: (row: Row, context: LoadContext) => Resource,
  ): Shown =>
  async (id, context) => {
    const [row] = await byIds(context.db, context.actor, [id]);
    return row && present(row, context);
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
export async function shownRecord(type: string, ref: string, context: LoadContext): Promise<Resource | null> {
  const id = numericId(ref);
  return (id === undefined ? undefined : await shownRecords[type]?.(id, context)) ?? null;
}
