import type { components } from '../../generated/v3.ts';
import type { DateRange } from '../calendar/dates.ts';
import { refuse } from '../core/errors.ts';
import type { Ref } from '../core/names.ts';
import { authorize, type Actor } from '../core/permissions.ts';
import { pick } from '../core/pick.ts';
import { zoneNamed, zoneProblems } from '../core/time.ts';
import { lockUsers } from '../db/locks.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { addSystemNotes } from '../notes/notes.ts';
import { notifyFollowers } from '../notifications/notifications.ts';
import {
  datesOf,
  isSameSpan,
  measure,
  spanOfDates,
  type AbsenceSpan,
  type Amount,
  type Measurement,
} from '../time_account/measure_absence.ts';
import { undecided } from '../time_account/remeasure_absences.ts';
import { storeAbsenceDays, storedDates } from '../time_account/store_absence_days.ts';
import { daysOfUser, type UserDays } from '../time_account/user_days.ts';
import { findAbsence, lockAbsence } from './absences.ts';
import { recordChange } from './events.ts';
import { applyNoteChanges, noteChangeProblems } from './note_changes.ts';
import { absenceInWords } from './note_texts.ts';
import { notifyApprovers } from './protection/approvers.ts';
import { notifyOwner } from './protection/owner_notices.ts';
import { isMeasuredAlike, isProtectedFrom, isSameAbsence, setBackNote } from './protection/set_back.ts';
import type { AbsenceRow } from './rows.ts';
import { dateIn, spanOf, absenceSpanProblems } from './span.ts';

type Attributes = components['schemas']['AbsenceUpdate']['data']['attributes'];

/** A change of an absence. Its times are ISO times, or plain days where the API of the caller takes them. */
export type AbsenceChange = Omit<Attributes, 'notes_attributes'> & {
  readonly time_zone?: string | null;
  readonly notes?: Attributes['notes_attributes'];
};

/**
 * Changes what is given. A change of times, days or hours adds a note and notifies the followers. The decision stays, except
 * that somebody who may not decide about a confirmed absence sets it back by such a change.
 */
export async function updateAbsence(
  db: OpenTransaction,
  actor: Actor,
  ref: Ref,
  change: AbsenceChange,
  now: Date,
): Promise<AbsenceRow> {
  const { user_id } = await findAbsence(db, actor, ref);
  // A change of the user's target hours waits for this one, and then measures the absence again.
  await lockUsers(db, { accountId: actor.accountId, ids: [user_id] });
  const absence = await lockAbsence(db, actor, ref);
  authorize(actor, 'update', 'absence', absence);
  const owner = { absence_id: absence.id };
  const userDays = await daysOfUser(db, actor.accountId, user_id);
  const { zone } = userDays;
  // A sender in the resource API means days of the user, whatever zone the public API has given before.
  const senderZone = zoneIn(change) ?? (actor.workspace === null ? absence.time_zone : null) ?? zone;
  const times = timesAfter({ ...absence, dates: await storedDates(db, absence) }, change, { zone, senderZone });
  const isProtected = isProtectedFrom(actor, absence);
  const { rows, ...attributes } = changed(absence, change, times, userDays, { isProtected });
  const isSetBack = isProtected && !isSameAbsence(absence, attributes);
  refuse([
    ...absenceSpanProblems(attributes, zone),
    ...zoneProblems(change.time_zone),
    ...(await noteChangeProblems(db, actor, owner, change.notes ?? [])),
  ]);

  const time_zone = zoneIn(change) ?? change.time_zone;
  await db
    .updateTable('absences')
    .set({ ...attributes, ...(isSetBack ? undecided : {}), time_zone, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', absence.id)
    .execute();
  if (rows) await storeAbsenceDays(db, actor.accountId, absence, rows);

  const [before, after] = [absenceInWords(absence, zone), absenceInWords(attributes, zone)];
  if (before !== after || !isSameSpan(absence, attributes)) {
    const message = `${actor.username} changed the absence from ${before} to ${after}.`;
    await addSystemNotes(db, actor.accountId, [{ owner, content: message }], now);
    await notifyFollowers(db, actor, 'An absence was changed', [{ owner, message }], now);
    await notifyOwner(db, actor, absence, { title: 'Your absence was changed', message, owner }, now);
  }
  if (isSetBack) await addSystemNotes(db, actor.accountId, [{ owner, content: setBackNote(actor.username) }], now);
  await applyNoteChanges(db, actor, owner, change.notes ?? [], now);
  const changedAbsence = await findAbsence(db, actor, absence.id);
  recordChange(db, actor, { before: absence, after: changedAbsence }, now);
  if (isSetBack) await notifyApprovers(db, actor, changedAbsence, 'changed', now);
  return changedAbsence;
}

const zoneIn = ({ time_zone }: AbsenceChange): string | undefined => (time_zone ? zoneNamed(time_zone) : undefined);

/** The attributes that the amount of an absence depends on. */
const measuredAttributes = ['starts_at', 'ends_at', 'full_day', 'half_start', 'half_end', 'use_custom_values'] as const;

type Times = AbsenceSpan & { readonly full_day: boolean; readonly dates?: DateRange };

type Flags = Pick<AbsenceRow, 'half_start' | 'half_end' | 'use_custom_values'>;

/** An absence after a change, with the rows of its new amount; without rows where the amount stays as it is. */
function changed(
  absence: AbsenceRow,
  change: AbsenceChange,
  { dates, ...times }: Times,
  userDays: UserDays,
  { isProtected }: { isProtected: boolean },
): Omit<Times, 'dates'> & Amount & Flags & { rows?: Measurement['rows'] } {
  const use_custom_values = change.use_custom_values ?? absence.use_custom_values;
  const after = {
    ...pick(absence, ['days', 'hours']),
    ...times,
    half_start: change.half_start ?? absence.half_start,
    half_end: change.half_end ?? absence.half_end,
    use_custom_values,
  };
  const givesAmount = use_custom_values && (change.days !== undefined || change.hours !== undefined);
  if (!givesAmount && measuredAttributes.every((name) => change[name] === undefined)) return after;
  // Values that the absence has already change nothing about what was confirmed.
  if (!givesAmount && isProtected && isMeasuredAlike(absence, after)) return after;
  // A custom amount stays until a change replaces it or turns it off.
  const kept = change.use_custom_values === undefined ? absence : undefined;
  const custom = { days: change.days ?? kept?.days, hours: change.hours ?? kept?.hours };
  const measured = { ...after, dates, kind: absence.kind };
  return { ...after, ...measure(measured, userDays, use_custom_values ? custom : undefined) };
}

/** The times after a change. Full days that are not changed stay the same dates, even if the user has another zone by now. */
function timesAfter(
  absence: AbsenceSpan & { readonly full_day: boolean; readonly dates: DateRange },
  change: AbsenceChange,
  { zone, senderZone }: { zone: string; senderZone: string },
): Times {
  const { starts_at, ends_at } = absence;
  const full_day = change.full_day ?? absence.full_day;
  if (!full_day) {
    const kept = { starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString() };
    return { ...spanOf({ ...kept, ...pick(change, ['starts_at', 'ends_at']) }, { full_day, zone }), full_day };
  }
  const kept = absence.full_day ? absence.dates : datesOf(absence, zone);
  const dates = {
    from: change.starts_at === undefined ? kept.from : dateIn(change.starts_at, senderZone),
    to: change.ends_at === undefined ? kept.to : dateIn(change.ends_at, senderZone),
  };
  const isKept = absence.full_day && change.starts_at === undefined && change.ends_at === undefined;
  return { ...(isKept ? { starts_at, ends_at } : spanOfDates(dates, zone)), full_day, dates };
}
