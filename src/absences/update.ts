import type { components } from '../../generated/v3.ts';
import { customAmount, measure, type Amount, type AbsenceSpan } from '../calendar/absence_amounts.ts';
import { refuse } from '../core/errors.ts';
import type { Ref } from '../core/names.ts';
import { authorize, type Actor } from '../core/permissions.ts';
import { zoneNamed, zoneProblems } from '../core/time.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { addSystemNotes } from '../notes/notes.ts';
import { notifyFollowers } from '../notifications/notifications.ts';
import { findAbsence, lockAbsence } from './absences.ts';
import { applyNoteChanges, noteChangeProblems } from './note_changes.ts';
import { inWords } from './note_texts.ts';
import type { AbsenceRow } from './rows.ts';
import { spanOf, spanProblems } from './span.ts';

type Attributes = components['schemas']['AbsenceUpdate']['data']['attributes'];

/** A change of an absence. Its times are ISO times, or plain days where the API of the caller takes them. */
export type AbsenceChange = Omit<Attributes, 'notes_attributes'> & {
  readonly time_zone?: string | null;
  readonly notes?: Attributes['notes_attributes'];
};

/** Changes what is given; the decision stays. A change of times, days or hours adds a note and notifies the followers. */
export async function updateAbsence(
  db: OpenTransaction,
  actor: Actor,
  ref: Ref,
  change: AbsenceChange,
  now: Date,
): Promise<AbsenceRow> {
  const absence = await lockAbsence(db, actor, ref);
  authorize(actor, 'update', 'absence', absence);
  const owner = { absence_id: absence.id };
  const zone = absence.workspace_time_zone;
  const changed = timesAndAmount(absence, change);
  refuse([
    ...spanProblems(changed, zone),
    ...zoneProblems(change.time_zone),
    ...(await noteChangeProblems(db, actor, owner, change.notes ?? [])),
  ]);

  const time_zone = change.time_zone ? zoneNamed(change.time_zone) : change.time_zone;
  await db
    .updateTable('absences')
    .set({ ...changed, time_zone, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', absence.id)
    .execute();

  const [before, after] = [inWords(absence, zone), inWords(changed, zone)];
  if (before !== after || !isSameSpan(absence, changed)) {
    const message = `${actor.username} changed the absence from ${before} to ${after}.`;
    await addSystemNotes(db, actor.accountId, [{ owner, content: message }], now);
    await notifyFollowers(db, actor, 'An absence was changed', [{ owner, message }], now);
  }
  await applyNoteChanges(db, actor, owner, change.notes ?? [], now);
  return findAbsence(db, actor, absence.id);
}

const isSameSpan = (one: AbsenceSpan, other: AbsenceSpan): boolean =>
  one.starts_at.getTime() === other.starts_at.getTime() && one.ends_at.getTime() === other.ends_at.getTime();

/** The times and the amount of an absence after a change. A custom amount stays until a change replaces it or turns it off. */
function timesAndAmount(
  absence: AbsenceRow,
  change: AbsenceChange,
): AbsenceSpan & Amount & { full_day: boolean; use_custom_values: boolean } {
  const zone = absence.workspace_time_zone;
  const full_day = change.full_day ?? absence.full_day;
  const changesTimes = change.starts_at !== undefined || change.ends_at !== undefined || change.full_day !== undefined;
  const times = {
    starts_at: change.starts_at ?? absence.starts_at.toISOString(),
    ends_at: change.ends_at ?? absence.ends_at.toISOString(),
  };
  // Otherwise the times stay, even if the workspace has another zone by now.
  const { starts_at, ends_at } = changesTimes ? spanOf(times, { full_day, zone }) : absence;
  const use_custom_values = change.use_custom_values ?? absence.use_custom_values;
  const computed = measure({ starts_at, ends_at }, { full_day, zone, hoursPerDay: absence.hours_on_vacation_day });
  const keepsAmount = change.use_custom_values === undefined && (use_custom_values || !changesTimes);
  const given = use_custom_values ? change : {};
  return { starts_at, ends_at, full_day, use_custom_values, ...customAmount(given, keepsAmount ? absence : computed) };
}
