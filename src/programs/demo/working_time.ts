import { createAction } from '../../working_time/punches/create.ts';
import { addDays, datesIn, dayNumberOf, weekdayOf } from '../../days/calendar/dates.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { localDay, startOfLocalDay } from '../../platform/core/time.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { createTimeTracking } from '../../working_time/time_trackings/create.ts';

const hourMs = 3600 * 1000;
const dayMs = 24 * hourMs;
const pastDays = 90;

/** The first day of work of the staff. */
export const firstWorkday = (now: Date, zone: string): string =>
  localDay(new Date(now.getTime() - pastDays * dayMs), zone);

interface Shift {
  readonly from: number;
  readonly to: number;
  readonly pauses: readonly (readonly [number, number])[];
}

const early: Shift = { from: 8, to: 16.5, pauses: [[12, 12.5]] };
const late: Shift = { from: 14, to: 22, pauses: [[18, 18.75]] };
const night: Shift = { from: 22, to: 30, pauses: [[26, 26.75]] };

/** Shifts that break a working time rule and cause a warning, by the number of working days before today. */
const irregularShifts: Readonly<Record<number, Shift>> = {
  // More than ten hours, with too short a break.
  6: { from: 8, to: 19.5, pauses: [[13, 13.5]] },
  // Seven hours without a break.
  12: { from: 9, to: 16, pauses: [] },
  // Ends at 23:30: the rest until the next morning is too short.
  20: { from: 15, to: 23.5, pauses: [[19, 19.75]] },
};

/** Creates three months of time trackings, and one that is running. */
export async function createWorkingTime(
  db: OpenTransaction,
  actor: WorkspaceActor,
  staff: readonly number[],
  workspace: { areas: readonly number[]; tags: readonly number[] },
  now: Date,
): Promise<void> {
  const [erin, robin, sam] = staff as [number, number, number];
  const days = pastDates(now, actor.workspace.time_zone);
  const weekdaysAgo = new Map(
    days
      .filter(isMondayToFriday)
      .toReversed()
      .map((date, index) => [date, index + 1]),
  );
  for (const date of days) {
    const record = (userId: number, shift: Shift, area: number | undefined): Promise<unknown> =>
      recordShift(db, actor, { userId, date, shift, area, confirmed: (weekdaysAgo.get(date) ?? 21) > 20 }, now);
    const [kitchen, service] = workspace.areas;
    if (isMondayToFriday(date)) await record(erin, irregularShifts[weekdaysAgo.get(date)!] ?? early, kitchen);
    if (isMondayToWednesday(date)) await record(robin, late, service);
    if (isInCycle(date, days[0]!)) await record(sam, early, kitchen);
  }
  await createAction(
    db,
    actor,
    {
      action_type: 'start',
      user_id: staff[1]!,
      action_time: new Date(now.getTime() - 2 * hourMs).toISOString(),
      tag_ids: [],
    },
    now,
  );
}

interface HotelStaff {
  readonly porter: number;
  /** The days on which the porter does not work. */
  readonly daysOff: readonly string[];
  readonly joiner: number;
  readonly firstDayOfJoiner: string;
}

/** Creates three months of night shifts, and one month of a user who has just joined. */
export async function createHotelTime(
  db: OpenTransaction,
  actor: WorkspaceActor,
  { porter, daysOff, joiner, firstDayOfJoiner }: HotelStaff,
  now: Date,
): Promise<void> {
  for (const date of pastDates(now, actor.workspace.time_zone).filter(isMondayToFriday)) {
    if (!daysOff.includes(date))
      await recordShift(db, actor, { userId: porter, date, shift: night, confirmed: true }, now);
    if (date >= firstDayOfJoiner)
      await recordShift(db, actor, { userId: joiner, date, shift: early, confirmed: true }, now);
  }
}

interface RecordedShift {
  readonly userId: number;
  readonly date: string;
  readonly shift: Shift;
  readonly area?: number | undefined;
  readonly confirmed: boolean;
}

function recordShift(
  db: OpenTransaction,
  actor: WorkspaceActor,
  { userId, date, shift, area, confirmed }: RecordedShift,
  now: Date,
): Promise<unknown> {
  const midnight = startOfLocalDay(date, actor.workspace.time_zone);
  const at = (hours: number): string => new Date(midnight.getTime() + hours * hourMs).toISOString();
  const breaks_attributes = shift.pauses.map(([from, to]) => ({ starts_at: at(from), ends_at: at(to) }));
  const times = { starts_at: at(shift.from), ends_at: at(shift.to), breaks_attributes };
  return createTimeTracking(
    db,
    actor,
    { ...times, user_id: userId, ...(area === undefined ? {} : { area_id: area }), confirmed },
    now,
  );
}

/** The last days, oldest first, without today and without a night that is not over yet. */
const pastDates = (now: Date, zone: string): string[] => {
  const from = firstWorkday(now, zone);
  return datesIn({ from, to: addDays(from, pastDays - 2) });
};

const isMondayToFriday = (date: string): boolean => weekdayOf(date) < 5;
const isMondayToWednesday = (date: string): boolean => weekdayOf(date) < 3;

/** Four days on, two days off. */
const isInCycle = (date: string, firstDay: string): boolean => (dayNumberOf(date) - dayNumberOf(firstDay)) % 6 < 4;
