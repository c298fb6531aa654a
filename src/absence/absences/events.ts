import { storedAttributes } from '../../platform/core/pick.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf, recordEvents } from '../../platform/events/record.ts';
import type { AbsenceRow } from './rows.ts';

/** The attributes that are stored as they come. */
export const stored = storedAttributes({
  table: 'absences',
  schemas: ['AbsenceCreation'],
  handled: [
    'absence_type_id',
    'user_id',
    'starts_at',
    'ends_at',
    'full_day',
    'title',
    'use_custom_values',
    'force_calc_custom_hours',
    'hours',
    'days',
    'follower_ids',
    'notes_attributes',
    'import_id',
    'outlook_id',
    'secure_id',
    'charge_days_job_status',
    'confirmed',
    'confirmed_at',
    'confirmed_by',
  ],
});

const attributes = [
  ...stored,
  'user_id',
  'absence_type_id',
  'title',
  'starts_at',
  'ends_at',
  'full_day',
  'time_zone',
  'use_custom_values',
  'days',
  'hours',
  'confirmation_status',
  'confirmed_at',
  'confirmed_by_user_id',
  'follower_ids',
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
