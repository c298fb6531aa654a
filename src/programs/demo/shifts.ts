import { assignUsers } from '../../planning/assignments/assignments.ts';
import { addDays } from '../../days/calendar/dates.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { clockTimeOfDay } from '../../platform/core/time.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { createShift } from '../../planning/shifts/shifts.ts';
import { mondayOf } from './dates.ts';

interface Places {
  readonly areas: readonly [kitchen: number, service: number];
  readonly tags: readonly number[];
}

/** Plans the next week: early and late shifts with users from Monday to Friday, which are published, and a draft on Saturday. */
export async function createShifts(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  staff: readonly number[],
  { areas: [kitchen, service], tags: [early, late, event] }: Places,
  now: Date,
): Promise<void> {
  const [erin, robin, sam] = staff as [number, number, number];
  const zone = actor.workspace.time_zone;
  const monday = addDays(mondayOf(now, zone), 7);
  const plan = async (day: number, { users, tag, from, to, ...shift }: PlannedShift): Promise<void> => {
    const date = addDays(monday, day);
    const times = { starts_at: clockTimeOfDay(date, from, zone), ends_at: clockTimeOfDay(date, to, zone) };
    const created = await createShift(tx, actor, { ...shift, ...times, tags: { ids: [tag!], pointer: 'tags' } }, now);
    await assignUsers(tx, actor, created, users, { application: false }, now);
  };
  for (let day = 0; day < 5; day++) {
    const common = { number_of_employees: 2, visible: true };
    await plan(day, { ...common, working_area_id: kitchen, from: 7, to: 15, tag: early, users: [erin, robin] });
    await plan(day, { ...common, working_area_id: service, from: 15, to: 22, tag: late, users: [sam] });
  }
  const wedding = { number_of_employees: 3, note: 'A wedding with 80 guests.', visible: false };
  await plan(5, { ...wedding, working_area_id: service, from: 16, to: 23, tag: event, users: [] });
}

interface PlannedShift {
  readonly working_area_id: number;
  readonly number_of_employees: number;
  readonly visible: boolean;
  readonly note?: string;
  /** Full hours. */
  readonly from: number;
  readonly to: number;
  readonly tag: number | undefined;
  readonly users: readonly number[];
}
