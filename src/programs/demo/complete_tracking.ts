import { addDays } from '../../days/calendar/dates.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { startOfLocalDay } from '../../platform/core/time.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { createAttachments } from '../../platform/files/attachments.ts';
import { createSignature } from '../../platform/files/signatures.ts';
import { addFollowers } from '../../platform/followers/followers.ts';
import { createNote } from '../../platform/notes/notes.ts';
import { createTimeTracking } from '../../working_time/time_trackings/create.ts';
import { deleteTimeTracking } from '../../working_time/time_trackings/delete.ts';
import { mondayOf } from './dates.ts';
import { demoImage } from './image.ts';

const hourMs = 3600 * 1000;

/**
 * Creates a long time tracking with attachment, signature, follower, note, tag and break, and one that was deleted. They come before
 * all others, whose number depends on the day, so that their ids are the same in every demo organisation.
 */
export async function createCompleteTracking(
  db: OpenTransaction,
  actor: WorkspaceActor,
  staff: readonly number[],
  workspace: { areas: readonly number[]; tags: readonly number[] },
  now: Date,
): Promise<void> {
  const zone = actor.workspace.time_zone;
  // A Saturday before the staff's accounting begins.
  const start = startOfLocalDay(addDays(mondayOf(now, zone), -93), zone);
  const at = (hours: number): string => new Date(start.getTime() + hours * hourMs).toISOString();
  const times = { starts_at: at(9), ends_at: at(20.5), breaks_attributes: [{ starts_at: at(12), ends_at: at(12.75) }] };
  const { id } = await createTimeTracking(
    db,
    actor,
    {
      ...times,
      user_id: staff[1]!,
      area_id: workspace.areas[0]!,
      tag_ids: [workspace.tags[2]!],
      external_id: 'summer-party',
    },
    now,
  );
  const owner = { time_tracking_id: id };
  await createNote(db, actor, owner, 'Helped at the summer party.', now);
  await addFollowers(db, actor, [owner], [staff[2]!]);
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
  const mistake = await createTimeTracking(
    db,
    actor,
    { starts_at: at(33), ends_at: at(36), user_id: staff[1]!, external_id: 'clearing-up' },
    now,
  );
  await deleteTimeTracking(db, actor, mistake.id, now);
}
