import type { Actor } from '../core/permissions.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { eventsOf, recordEvents } from '../events/record.ts';
import type { AbsenceRow } from './rows.ts';

const attributes = [
  'user_id',
  'absence_type_id',
  'title',
  'starts_at',
  'ends_at',
  'full_day',
  'half_start',
  'half_end',
  'time_zone',
  'use_custom_values',
  'days',
  'hours',
  'confirmation_status',
  'confirmed_at',
  'confirmed_by_user_id',
  'confirm_message',
  'external_id',
  'follower_ids',
  'created_by',
] as const;

// No API shows the UUID of an absence.
const recorded = ({ id, workspace_id, external_id, user_id }: AbsenceRow) => ({
  id,
  workspace_id,
  external_id,
  user_id,
});

export const absenceEvents = eventsOf<AbsenceRow>()('absence', attributes, { recorded });

const verbOf = { confirmed: 'confirmed', rejected: 'rejected', pending: 'reset' } as const;

/** Records a decision by the state that it leads to, also if the absence was in that state already: each leaves a note too. */
export function recordDecision(
  tx: OpenTransaction,
  actor: Actor,
  { before, after }: { before: AbsenceRow; after: AbsenceRow },
  now: Date,
): void {
  const verb = verbOf[after.confirmation_status as keyof typeof verbOf];
  const { changes } = absenceEvents.eventOf(verb, before, after) ?? { changes: {} };
  recordEvents(tx, actor, [{ ...absenceEvents.eventOf(verb, null, after)!, changes }], now);
}

/** Records a change. One that sets the absence back to pending is named after that. */
export const recordChange = (
  tx: OpenTransaction,
  actor: Actor,
  change: { before: AbsenceRow; after: AbsenceRow },
  now: Date,
): void => {
  const isSetBack = change.before.confirmation_status !== change.after.confirmation_status;
  absenceEvents.record(tx, actor, isSetBack ? 'reset' : 'updated', change, now);
};
