import { forbidden } from '../../../platform/core/errors.ts';
import { may, type WorkspaceActor } from '../../../platform/core/permissions.ts';
import type { Member } from '../../../platform/db/locks.ts';
import { isSameWork, noteOf } from '../change_notes.ts';
import { breaksOf, factsOf, type TimeTrackingRow } from '../rows.ts';
import type { ChangedTimeTracking, ConfirmationChange } from '../store_changes.ts';

/** A change of a time tracking, as far as it concerns the confirmation. */
interface Change {
  readonly after: ChangedTimeTracking;
  /** The new user, if there is one. */
  readonly user: Member | undefined;
  /** Whether the request wants it to be confirmed, if it says so. */
  readonly wanted: boolean | undefined;
}

/**
 * The confirmation after a change; undefined where it stays as it is. Only those who may confirm the time tracking before and
 * after the change confirm it or take that back (403). Others set it back by a change of the times, breaks, user or area.
 */
export function confirmationAfter(
  actor: WorkspaceActor,
  row: TimeTrackingRow,
  change: Change,
): ConfirmationChange | undefined {
  const { after, wanted = row.confirmed } = change;
  const isAllowed = mayConfirm(actor, row, change);
  if (wanted !== row.confirmed) {
    if (!isAllowed) throw forbidden();
    return { confirmed: wanted, note: (wanted ? noteOf.confirmation : noteOf.unconfirmation)(actor.username) };
  }
  if (!row.confirmed || isAllowed || isSameWork({ ...row, breaks: breaksOf(row) }, after)) return undefined;
  return { confirmed: false, note: noteOf.lostConfirmation(actor.username) };
}

/** Whether the actor may confirm the time tracking both as it was and as it will be. */
const mayConfirm = (actor: WorkspaceActor, row: TimeTrackingRow, { after, user }: Change): boolean => {
  const { user_id, area_id } = after;
  const { rank: user_rank, area_ids: user_area_ids } = user ?? { rank: row.user_rank, area_ids: row.user_area_ids };
  const changed = { ...row, user_id, area_id, user_rank, user_area_ids: [...user_area_ids] };
  return [row, changed].every((tracking) => may(actor, 'confirm', 'time_tracking', factsOf(tracking)));
};
