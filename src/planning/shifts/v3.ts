import { parseTime } from '../../platform/core/time.ts';
import { included } from '../../platform/http/answers/jsonapi.ts';
import { v3, type Schemas } from '../../platform/http/v3.ts';
import { copyWeek } from './copy_week.ts';
import { shiftLoaders } from './includes.ts';
import { listShifts } from './list.ts';
import { publishShifts } from './publish.ts';
import { presentShift } from './resource.ts';
import { rescheduleShift, setShiftUsers } from './shift_users.ts';
import { createShift, deleteShift, findShift } from './shifts.ts';

/** The attributes of a body as the verbs take them. */
const changeIn = ({ starts_at, ends_at, tag_ids, ...others }: Schemas['ShiftUpdate']['data']['attributes']) => ({
  ...others,
  starts_at: starts_at === undefined ? undefined : parseTime(starts_at),
  ends_at: ends_at === undefined ? undefined : parseTime(ends_at),
  tags: tag_ids && { ids: tag_ids, pointer: 'tag_ids' },
});

export const shiftHandlers = v3.part({
  async listShifts(call) {
    const { rows, paging } = await listShifts(call.db, call.actor, call.queryOptions);
    const data = rows.map((row) => presentShift(row, call));
    return { data, ...(await included(call, rows, shiftLoaders)), meta: paging };
  },

  async createShift(call) {
    const { attributes } = call.body.data;
    const times = { starts_at: parseTime(attributes.starts_at), ends_at: parseTime(attributes.ends_at) };
    const input = { visible: false, ...changeIn(attributes), ...times, working_area_id: attributes.working_area_id };
    return { data: presentShift(await createShift(call.db, call.actor, input, call.now), call) };
  },

  async getShift(call) {
    const row = await findShift(call.db, call.actor, call.params.shift_id);
    return { data: presentShift(row, call), ...(await included(call, [row], shiftLoaders)) };
  },

  async updateShift(call) {
    const { attributes } = call.body.data;
    const change = changeIn(attributes);
    const row = await rescheduleShift(call.db, call.actor, call.params.shift_id, change, attributes, call.now);
    return { data: presentShift(row, call) };
  },

  async updateShiftUsers(call) {
    const { attributes } = call.body.data;
    const row = await setShiftUsers(call.db, call.actor, call.params.shift_id, attributes, call.now);
    return { data: presentShift(row, call) };
  },

  async createShiftPublication(call) {
    const { attributes } = call.body.data;
    return { meta: { published_count: await publishShifts(call.db, call.actor, attributes, call.now) } };
  },

  async batchShifts(call) {
    return { meta: await copyWeek(call.db, call.actor, call.body.data.attributes, call.now) };
  },

  async deleteShift(call) {
    return { data: presentShift(await deleteShift(call.db, call.actor, call.params.shift_id, call.now), call) };
  },
});
