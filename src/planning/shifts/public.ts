import type { components } from '../../../generated/public.ts';
import { areaNamed, areaReferred } from '../../organisation/areas/areas.ts';
import { notFound, refuse } from '../../platform/core/errors.ts';
import { idIn, idList, isNamed, refIn } from '../../platform/core/names.ts';
import type { Actor, WorkspaceActor } from '../../platform/core/permissions.ts';
import { firstMoment, lastMoment, requireOrder } from '../../platform/core/requested_range.ts';
import { isDay, parseTime } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { pageIn, pageMembers } from '../../platform/http/answers/pages.ts';
import { publicApi } from '../../platform/http/public.ts';
import { inLocation, inWorkspace, workspaceNamed } from '../../organisation/workspaces/workspaces.ts';
import { listShiftsInRange } from './list_in_range.ts';
import { presentPublicShift } from './public_resource.ts';
import type { MomentRange } from './range.ts';
import { createShift, deleteShift, shiftWith, updateShift, type ShiftChange } from './shifts.ts';

type Schemas = components['schemas'];
type Area = Pick<Schemas['PublicShiftCreation']['shift'], 'working_area_id' | 'working_area_external_id'>;

export const publicShiftHandlers = publicApi.part({
  async findPublicShifts(call) {
    const { db, actor, query } = call;
    if (query.id !== undefined) return presentPublicShift((await shiftNamed(db, actor, query.id)).shift);
    const { range_start, range_end } = query;
    const required = { location_id: isNamed('location_', query) || undefined, range_start, range_end };
    refuse(
      Object.entries(required)
        .filter(([, value]) => value === undefined)
        .map(([pointer]) => ({
          code: 'required',
          pointer,
          title: `${pointer} is required unless id names one shift.`,
        })),
    );
    requireOrder(range_start!, range_end!);
    const place = await inLocation(db, actor, refIn('location_', query));
    const traits = {
      areaId: isNamed('working_area_', query) ? await areaIdOf(db, place, query) : undefined,
      tagIds: idList(query.tags),
    };
    const range = rangeIn(range_start!, range_end!, place.workspace.time_zone);
    const { rows, paging } = await listShiftsInRange(db, place, range, traits, pageIn(call));
    return { shifts: rows.map(presentPublicShift), ...pageMembers(paging, call) };
  },

  async createPublicShift({ db, actor, body: { shift }, now }) {
    const place = await inLocation(db, actor, refIn('location_', shift));
    const { row: area, problems } = await areaReferred(db, place, refIn('working_area_', shift));
    refuse(problems);
    const times = { starts_at: parseTime(shift.starts_at), ends_at: parseTime(shift.ends_at) };
    const input = { ...changeIn(shift), ...times, visible: shift.visible ?? null, working_area_id: area!.id };
    return presentPublicShift(await createShift(db, place, input, now));
  },

  async updatePublicShift({ db, actor, body: { shift: change }, now }) {
    const { shift, place } = await shiftNamed(db, actor, idIn('id', change));
    const { row: area, problems } = isNamed('working_area_', change)
      ? await areaReferred(db, place, refIn('working_area_', change))
      : { row: undefined, problems: [] };
    refuse(problems);
    const input = { ...changeIn(change), working_area_id: area?.id };
    return presentPublicShift(await updateShift(db, place, shift.id, input, now));
  },

  async deletePublicShift({ db, actor, body, query, now }) {
    const { shift, place } = await shiftNamed(db, actor, idIn('id', body?.shift, body, query));
    return presentPublicShift(await deleteShift(db, place, shift.id, now));
  },
});

/** A shift of the enterprise, and the actor in its location; 404 otherwise. */
async function shiftNamed(db: Db, actor: Actor, id: number) {
  const shift = await shiftWith(db, actor, id);
  const workspace = shift && (await workspaceNamed(db, actor, shift.workspace_id));
  if (!shift || !workspace) throw notFound('shift');
  return { shift, place: inWorkspace(actor, workspace) };
}

/** The area by which a list is filtered. One that is unknown matches nothing. */
const areaIdOf = async (db: Db, place: WorkspaceActor, source: Area): Promise<number> =>
  (await areaNamed(db, place, refIn('working_area_', source)))?.id ?? 0;

/** A plain day belongs to the range until the first moment of the next one. */
const rangeIn = (range_start: string, range_end: string, zone: string): MomentRange => ({
  from: firstMoment(range_start, zone),
  to: isDay(range_end) ? new Date(lastMoment(range_end, zone).getTime() + 1000) : lastMoment(range_end, zone),
});

/** The change of a shift that a body asks for, without its place. Null counts as not sent, but clears a note. */
const changeIn = (shift: Schemas['PublicShiftUpdate']['shift']): ShiftChange => {
  const tagIds = idList(shift.tags);
  return {
    starts_at: shift.starts_at === undefined ? undefined : parseTime(shift.starts_at),
    ends_at: shift.ends_at === undefined ? undefined : parseTime(shift.ends_at),
    number_of_employees: shift.number_of_employees,
    note: shift.note,
    visible: shift.visible,
    tags: tagIds && { ids: tagIds, pointer: 'tags' },
  };
};
