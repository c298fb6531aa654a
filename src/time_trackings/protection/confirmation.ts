import { may, type WorkspaceActor } from '../../core/permissions.ts';
import type { Member } from '../../db/locks.ts';
import { noteOf, sameBreaks } from '../change_notes.ts';
import { breaksOf, factsOf, type TimeTrackingRow } from '../rows.ts';
import type { ChangedTimeTracking, ConfirmationChange } from '../store_changes.ts';

/**
 * The confirmation after a change; undefined where it stays as it is. A change of the times, breaks, user or area takes it
 * away, unless the actor may confirm the time tracking before and after the change. `user` is the new user, if there is one.
 */
export function confirmationAfter(
  actor: WorkspaceActor,
  row: TimeTrackingRow,
  after: ChangedTimeTracking,
  user: Member | undefined,
): ConfirmationChange | undefined {
  if (!row.confirmed || isSameWork(row, after) || mayConfirm(actor, row, after, user)) return undefined;
  return { confirmed: false, note: noteOf.lostConfirmation(actor.username) };
}

const isSameWork = (before: TimeTrackingRow, after: ChangedTimeTracking): boolean =>
  before.starts_at.getTime() === after.starts_at.getTime() &&
  before.ends_at?.getTime() === after.ends_at?.getTime() &&
  sameBreaks(breaksOf(before), after.breaks) &&
  before.user_id === after.user_id &&
  before.area_id === after.area_id;

/** Whether the actor may confirm the time tracking both as it was and as it will be. */
const mayConfirm = (
  actor: WorkspaceActor,
  row: TimeTrackingRow,
  { user_id, area_id }: ChangedTimeTracking,
  user: Member | undefined,
): boolean => {
  const { rank: user_rank, area_ids: user_area_ids } = user ?? { rank: row.user_rank, area_ids: row.user_area_ids };
  const changed = { ...row, user_id, area_id, user_rank, user_area_ids: [...user_area_ids] };
  return [row, changed].every((tracking) => may(actor, 'confirm', 'time_tracking', factsOf(tracking)));
};
