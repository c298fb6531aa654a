import type { components } from '../../generated/v3.ts';
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
  measure,
  type AbsenceSpan,
  type Amount,
  type Measurable,
  type Measurement,
} from '../time_account/measure_absence.ts';
import { storeAbsenceDays } from '../time_account/store_absence_days.ts';
import { daysOfUser, type UserDays } from '../time_account/user_days.ts';
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
  const { user_id } = await findAbsence(db, actor, ref);
  // A change of the user's target hours waits for this one, and then measures the absence again.
  await lockUsers(db, { accountId: actor.accountId, ids: [user_id] });
  const absence = await lockAbsence(db, actor, ref);
  authorize(actor, 'update', 'absence', absence);
  const owner = { absence_id: absence.id };
  const zone = absence.workspace_time_zone;
  const { rows, kind: _, ...attributes } = changed(absence, change, await daysOfUser(db, actor.accountId, user_id));
  refuse([
    ...spanProblems(attributes, zone),
    ...zoneProblems(change.time_zone),
    ...(await noteChangeProblems(db, actor, owner, change.notes ?? [])),
  ]);

  const time_zone = change.time_zone ? zoneNamed(change.time_zone) : change.time_zone;
  await db
    .updateTable('absences')
    .set({ ...attributes, time_zone, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', absence.id)
    .execute();
  if (rows) await storeAbsenceDays(db, actor.accountId, absence, rows);

  const [before, after] = [inWords(absence, zone), inWords(attributes, zone)];
  if (before !== after || !isSameSpan(absence, attributes)) {
    const message = `${actor.username} changed the absence from ${before} to ${after}.`;
    await addSystemNotes(db, actor.accountId, [{ owner, content: message }], now);
    await notifyFollowers(db, actor, 'An absence was changed', [{ owner, message }], now);
  }
  await applyNoteChanges(db, actor, owner, change.notes ?? [], now);
  return findAbsence(db, actor, absence.id);
}

const isSameSpan = (one: AbsenceSpan, other: AbsenceSpan): boolean =>
  one.starts_at.getTime() === other.starts_at.getTime() && one.ends_at.getTime() === other.ends_at.getTime();

/** The attributes that the amount of an absence depends on. */
const measuredAttributes = ['starts_at', 'ends_at', 'full_day', 'half_start', 'half_end', 'use_custom_values'] as const;

/** An absence after a change, with the rows of its new amount; without rows where the amount stays as it is. */
function changed(
  absence: AbsenceRow,
  change: AbsenceChange,
  userDays: UserDays,
): Measurable & Amount & { use_custom_values: boolean; rows?: Measurement['rows'] } {
  const use_custom_values = change.use_custom_values ?? absence.use_custom_values;
  const after = {
    ...pick(absence, ['kind', 'days', 'hours']),
    ...spanAfter(absence, change, userDays.zone),
    full_day: change.full_day ?? absence.full_day,
    half_start: change.half_start ?? absence.half_start,
    half_end: change.half_end ?? absence.half_end,
    use_custom_values,
  };
  const givesAmount = use_custom_values && (change.days !== undefined || change.hours !== undefined);
  if (!givesAmount && measuredAttributes.every((name) => change[name] === undefined)) return after;
  // A custom amount stays until a change replaces it or turns it off.
  const kept = change.use_custom_values === undefined ? absence : undefined;
  const custom = { days: change.days ?? kept?.days, hours: change.hours ?? kept?.hours };
  return { ...after, ...measure(after, userDays, use_custom_values ? custom : undefined) };
}

/** The times after a change. Times that are not changed stay, even if the user has another zone by now. */
function spanAfter(absence: AbsenceRow, change: AbsenceChange, zone: string): AbsenceSpan {
  const { starts_at, ends_at } = absence;
  const full_day = change.full_day ?? absence.full_day;
  if (change.starts_at === undefined && change.ends_at === undefined && change.full_day === undefined)
    return { starts_at, ends_at };
  const senderZone = (change.time_zone ? zoneNamed(change.time_zone) : absence.time_zone) ?? undefined;
  const given = spanOf(
    { starts_at: change.starts_at ?? starts_at.toISOString(), ends_at: change.ends_at ?? ends_at.toISOString() },
    { full_day, zone, senderZone },
  );
  // A time that is not sent is one of the user's days, not of the sender's.
  const kept = spanOf({ starts_at: starts_at.toISOString(), ends_at: ends_at.toISOString() }, { full_day, zone });
  return {
    starts_at: change.starts_at === undefined ? kept.starts_at : given.starts_at,
    ends_at: change.ends_at === undefined ? kept.ends_at : given.ends_at,
  };
}
