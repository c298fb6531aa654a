import { refuse } from '../../platform/core/errors.ts';
import type { Ref } from '../../platform/core/names.ts';
import { authorize, type Actor } from '../../platform/core/permissions.ts';
import { pick, storedAttributes } from '../../platform/core/pick.ts';
import { cityOf, isDay, parseTime, zoneNamed, zoneProblems } from '../../platform/core/time.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { addSystemNotes } from '../../platform/notes/notes.ts';
import { notifyFollowers } from '../../platform/notifications/notifications.ts';
import { closedMonths } from '../../days/balance/closed_months.ts';
import { isSameSpan } from '../../days/balance/measure_absence.ts';
import { undecided } from '../../days/balance/remeasure_absences.ts';
import { storeAbsenceDays, storedAbsenceDays } from '../../days/balance/store_absence_days.ts';
import { daysOfUser } from '../../days/balance/user_days.ts';
import { findAbsence, lockAbsence } from './absences.ts';
import { changedAmount, type AbsenceChange } from './changes/amount.ts';
import { recordChange } from './events.ts';
import { applyNoteChanges, noteChangeProblems } from './note_changes.ts';
import { absenceInWords } from './note_texts.ts';
import { notifyApprovers } from './protection/approvers.ts';
import { notifyOwner } from './protection/owner_notices.ts';
import { isProtectedFrom, isSameAbsence, setBackNote } from './protection/set_back.ts';
import type { AbsenceRow } from './rows.ts';
import { absenceSpanProblems, publicSpan, publicZone } from './span.ts';
import { typeAfter } from './type_and_user.ts';

const stored = storedAttributes({
  table: 'absences',
  schemas: ['AbsenceUpdate'],
  handled: [
    'starts_at',
    'ends_at',
    'full_day',
    'half_start',
    'half_end',
    'use_custom_values',
    'force_calc_custom_hours',
    'hours',
    'days',
    'notes_attributes',
    'absence_type_id',
  ],
});

/**
 * Changes what is given. A change of type, times, days or hours adds a note and notifies the followers. The decision stays, except
 * that somebody who may not decide about a confirmed absence sets it back by such a change.
 */
export async function updateAbsence(
  db: OpenTransaction,
  actor: Actor,
  ref: Ref,
  given: AbsenceChange,
  now: Date,
): Promise<AbsenceRow> {
  const { user_id } = await findAbsence(db, actor, ref);
  // A change of the user's target hours waits for this one, and then measures the absence again.
  await lockUsers(db, { accountId: actor.accountId, ids: [user_id] });
  const absence = await lockAbsence(db, actor, ref);
  authorize(actor, 'update', 'absence', absence);
  const owner = { absence_id: absence.id };
  const change = withoutShown(actor, absence, given);
  const days = await daysOfUser(db, actor.accountId, user_id);
  const { zone } = days;
  const { type, problems: typeProblems } = await typeAfter(db, actor, absence, change.absence_type);
  const closed = (await closedMonths(db, actor.accountId, [user_id])).get(user_id);
  const { rows, kind, ...attributes } = changedAmount(
    { ...absence, rows: await storedAbsenceDays(db, absence) },
    change,
    { days, kind: type.kind, senderZone: senderZoneOf(actor, absence, change, zone), openDate: closed?.next_date },
  );
  const isSetBack = isProtectedFrom(actor, absence) && !isSameAbsence(absence, { ...attributes, kind });
  refuse([
    ...typeProblems,
    ...absenceSpanProblems(attributes, zone),
    ...zoneProblems(change.time_zone),
    ...(await noteChangeProblems(db, actor, owner, change.notes ?? [])),
  ]);

  const isRetyped = type.id !== absence.absence_type_id;
  await db
    .updateTable('absences')
    .set({
      ...pick(change, stored),
      ...attributes,
      ...(isSetBack ? undecided : {}),
      absence_type_id: type.id,
      // A title that nobody gave is that of the type.
      title: isRetyped && absence.title === absence.absence_type_title ? type.title : absence.title,
      time_zone: zoneIn(change) ?? change.time_zone,
      updated_at: now,
    })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', absence.id)
    .execute();
  if (rows) await storeAbsenceDays(db, actor.accountId, absence, rows);

  const [before, after] = [
    { ...absence, type: absence.absence_type_title },
    { ...attributes, type: type.title },
  ].map((side) => `${isRetyped ? `${side.type}, ` : ''}${absenceInWords(side, zone)}`);
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

/** The zone whose dates the times of a change mean. A sender in the resource API means days of the user. */
const senderZoneOf = (actor: Actor, absence: AbsenceRow, change: AbsenceChange, zone: string): string => {
  if (change.time_zone === null || actor.workspace !== null) return zone;
  return zoneIn(change) ?? absence.time_zone ?? zone;
};

/** A change without the times and the zone that the caller's API shows of an absence of full days. Sent back, they change nothing. */
function withoutShown(actor: Actor, absence: AbsenceRow, change: AbsenceChange): AbsenceChange {
  const { starts_at, ends_at, time_zone, ...rest } = change;
  if (time_zone !== undefined && time_zone !== cityOf(publicZone(absence))) return change;
  if (!absence.full_day || change.full_day === false) return change;
  const shown = actor.workspace === null ? publicSpan(absence) : absence;
  return {
    ...rest,
    ...(isMoment(starts_at, shown.starts_at) ? {} : { starts_at }),
    ...(isMoment(ends_at, shown.ends_at) ? {} : { ends_at }),
  };
}

const isMoment = (text: string | undefined, moment: Date): boolean =>
  text === undefined || (!isDay(text) && parseTime(text).getTime() === moment.getTime());
