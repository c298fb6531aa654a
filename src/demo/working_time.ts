import { createAction } from '../actions/create.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import { localDay, startOfLocalDay } from '../core/time.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { createAttachments } from '../files/attachments.ts';
import { createSignature } from '../files/signatures.ts';
import { addFollowers } from '../followers/followers.ts';
import { createNote } from '../notes/notes.ts';
import { createTimeTracking } from '../time_trackings/create.ts';
import { demoImage } from './image.ts';

const hourMs = 3600 * 1000;
const dayMs = 24 * hourMs;
const pastDays = 90;

interface Shift {
  readonly from: number;
  readonly to: number;
  readonly pauses: readonly (readonly [number, number])[];
}

const early: Shift = { from: 8, to: 16.5, pauses: [[12, 12.5]] };
const late: Shift = { from: 14, to: 22, pauses: [[18, 18.75]] };

/** Shifts that break a working time rule and cause a warning, by the number of working days before today. */
const irregularShifts: Readonly<Record<number, Shift>> = {
  // More than ten hours, with too short a break.
  6: { from: 8, to: 19.5, pauses: [[13, 13.5]] },
  // Seven hours without a break.
  12: { from: 9, to: 16, pauses: [] },
  // Ends at 23:30: the rest until the next morning is too short.
  20: { from: 15, to: 23.5, pauses: [[19, 19.75]] },
};

/** Creates three months of time trackings, one that is running, and one with every kind of related record. */
export async function createWorkingTime(
  db: OpenTransaction,
  actor: WorkspaceActor,
  staff: readonly number[],
  workspace: { areas: readonly number[]; tags: readonly number[] },
  now: Date,
): Promise<void> {
  const days = workingDays(now, actor.workspace.time_zone);
  for (const [number, midnight] of days.entries()) {
    const daysAgo = days.length - number;
    for (const [index, userId] of staff.entries()) {
      const shift = (index === 0 && irregularShifts[daysAgo]) || (index === 1 ? late : early);
      const at = (hours: number): string => new Date(midnight.getTime() + hours * hourMs).toISOString();
      await createTimeTracking(
        db,
        actor,
        {
          user_id: userId,
          starts_at: at(shift.from),
          ends_at: at(shift.to),
          breaks_attributes: shift.pauses.map(([from, to]) => ({ starts_at: at(from), ends_at: at(to) })),
          area_id: workspace.areas[index % workspace.areas.length]!,
          confirmed: daysAgo > 20,
        },
        now,
      );
    }
  }
  await createCompleteTracking(db, actor, staff, workspace, now);
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

/** The starts of the last working days, oldest first. */
const workingDays = (now: Date, zone: string): Date[] =>
  Array.from({ length: pastDays }, (_, index) =>
    startOfLocalDay(localDay(new Date(now.getTime() - (pastDays - index) * dayMs), zone), zone),
  ).filter((midnight) => ![0, 6].includes(new Date(midnight.getTime() + 12 * hourMs).getUTCDay()));

/** Creates a time tracking with attachment, signature, follower, note, tag and break. */
async function createCompleteTracking(
  db: OpenTransaction,
  actor: WorkspaceActor,
  staff: readonly number[],
  workspace: { areas: readonly number[]; tags: readonly number[] },
  now: Date,
): Promise<void> {
  const start = startOfLocalDay(
    localDay(new Date(now.getTime() - (pastDays + 5) * dayMs), actor.workspace.time_zone),
    actor.workspace.time_zone,
  );
  const at = (hours: number): string => new Date(start.getTime() + hours * hourMs).toISOString();
  const times = { starts_at: at(9), ends_at: at(17), breaks_attributes: [{ starts_at: at(12), ends_at: at(12.75) }] };
  const { id } = await createTimeTracking(
    db,
    actor,
    {
      ...times,
      user_id: staff[0]!,
      area_id: workspace.areas[0]!,
      tag_ids: [workspace.tags[2]!],
      external_id: 'summer-party',
    },
    now,
  );
  const owner = { time_tracking_id: id };
  await createNote(db, actor, owner, 'Helped at the summer party.', now);
  await addFollowers(db, actor, [owner], [staff[1]!]);
  await createAttachments(
    db,
    actor,
    owner,
    [{ name: 'delivery-note.txt', bytes: Buffer.from('12 crates of lemonade\n') }],
    now,
  );
  await createSignature(
    db,
    actor,
    owner,
    { title: 'Guest', image: { name: 'signature.png', bytes: demoImage() } },
    now,
  );
}
