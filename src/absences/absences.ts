import { randomUUID } from 'node:crypto';
import { notFound, refuse, type Problem } from '../core/errors.ts';
import { numericIds, type Id } from '../core/ids.ts';
import type { Ref } from '../core/names.ts';
import { authorize, type Actor } from '../core/permissions.ts';
import { zoneNamed } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { rowNamed } from '../db/names.ts';
import { attachments } from '../files/attachments.ts';
import { setFollowers } from '../followers/followers.ts';
import { addSystemNotes, createNote } from '../notes/notes.ts';
import { notifyFollowers } from '../notifications/notifications.ts';
import { memberProblems } from '../users/references.ts';
import { byHand, measure, spanOf, spanProblems, type Amount, type Span } from './absence_days.ts';
import { applyNoteChanges, noteChangeProblems, type NoteChange } from './absence_notes.ts';
import { findReferences } from './references.ts';
import { absenceRows, type AbsenceRow } from './rows.ts';
import { inFull, spanInWords } from './wording.ts';

/** When somebody is absent, and what that counts. Times are ISO times, or plain days where the caller's API takes them. */
export interface AbsenceInput {
  starts_at?: string;
  ends_at?: string;
  full_day?: boolean;
  /** The zone in which its times are shown; days are always those of the workspace. */
  time_zone?: string | null;
  /** Whether `hours` and `days` are taken as given. */
  use_custom_values?: boolean;
  hours?: number;
  days?: number;
}

export interface NewAbsence extends AbsenceInput {
  starts_at: string;
  ends_at: string;
  absence_type: Ref;
  user?: Ref;
  title?: string;
  external_id?: string | null;
  created_by?: string;
  confirm_message?: string;
  import_id?: string;
  outlook_id?: string;
  secure_id?: string;
  follower_ids?: readonly Id[];
  /** The texts of the notes that the actor writes on it. */
  notes?: readonly string[];
  batch_id?: string;
}

export interface AbsenceChange extends AbsenceInput {
  notes?: readonly NoteChange[];
}

/** One absence that the actor may read: a miss is 404, somebody else's 403. */
export async function findAbsence(db: Db, actor: Actor, ref: Ref): Promise<AbsenceRow> {
  const row = await absenceNamed(db, actor, ref);
  if (!row) throw notFound('absence');
  authorize(actor, 'read', 'absence', row);
  return row;
}

/** The same, held until the transaction ends, so that whoever changes it next sees this change first. */
export async function lockAbsence(db: Db, actor: Actor, ref: Ref): Promise<AbsenceRow> {
  const { id } = await findAbsence(db, actor, ref);
  // Read again under the lock: what a competitor wrote meanwhile counts, down to the notes.
  await db
    .selectFrom('absences')
    .select('id')
    .where('account_id', '=', actor.accountId)
    .where('id', '=', id)
    .forUpdate()
    .execute();
  return findAbsence(db, actor, id);
}

const absenceNamed = (db: Db, { accountId, workspace }: Actor, ref: Ref): Promise<AbsenceRow | undefined> => {
  const live = absenceRows(db, accountId).where('workspace.deleted_at', 'is', null);
  const here = workspace === null ? live : live.where('absences.workspace_id', '=', workspace.id);
  return rowNamed('absences', ref, (condition) => here.where(condition).execute());
};

export const absencesByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<AbsenceRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : absenceRows(db, accountId)
        .where('absences.id', 'in', [...new Set(ids)])
        .orderBy('absences.id')
        .execute();

/** A new, pending absence with its notes and followers, or nothing at all. */
export async function createAbsence(db: Db, actor: Actor, input: NewAbsence, now: Date): Promise<AbsenceRow> {
  const { type, user, place, problems } = await findReferences(db, actor, {
    absence_type: input.absence_type,
    user: input.user,
  });
  const zone = place?.time_zone ?? 'UTC';
  const full_day = input.full_day ?? false;
  const span = spanOf(input, full_day, zone);
  problems.push(
    ...spanProblems(span, zone),
    ...zoneProblems(input),
    ...(await nameProblems(db, actor, input)),
    ...(await unknownFollowers(db, actor, input)),
  );
  refuse(problems);

  const computed = measure(span, { full_day, zone, hoursPerDay: user!.hours_on_vacation_day });
  const { id } = await db
    .insertInto('absences')
    .values({
      account_id: actor.accountId,
      uuid: randomUUID(),
      secure_id: input.secure_id || randomUUID(),
      workspace_id: place!.id,
      user_id: user!.id,
      absence_type_id: type!.id,
      title: input.title?.trim() ? input.title : type!.title,
      ...span,
      ...(input.use_custom_values ? byHand(input, computed) : computed),
      full_day,
      time_zone: input.time_zone ? zoneNamed(input.time_zone) : null,
      use_custom_values: input.use_custom_values ?? false,
      confirm_message: input.confirm_message,
      created_by: input.created_by,
      created_by_user_id: actor.userId,
      external_id: input.external_id,
      import_id: input.import_id,
      outlook_id: input.outlook_id,
      batch_id: input.batch_id,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const owner = { absence_id: id };
  const words = `${spanInWords({ ...span, full_day }, zone)}, ${type!.title}`;
  const content = `${actor.username} created the absence: ${words}.`;
  await addSystemNotes(db, actor.accountId, [{ owner, content }], now);
  for (const content of input.notes ?? []) await createNote(db, actor, owner, content, now);
  await setFollowers(db, actor, [owner], numericIds(input.follower_ids ?? []).numbers);
  return findAbsence(db, actor, id);
}

/** Changes what is given; the decision about it stands. A change of its times or numbers is noted, and told to its followers. */
export async function updateAbsence(
  db: Db,
  actor: Actor,
  ref: Ref,
  change: AbsenceChange,
  now: Date,
): Promise<AbsenceRow> {
  const absence = await lockAbsence(db, actor, ref);
  authorize(actor, 'update', 'absence', absence);
  const owner = { absence_id: absence.id };
  const next = changed(absence, change);
  const zone = absence.workspace_time_zone;
  refuse([
    ...spanProblems(next, zone),
    ...zoneProblems(change),
    ...(await noteChangeProblems(db, actor, owner, change.notes ?? [])),
  ]);

  const time_zone = change.time_zone ? zoneNamed(change.time_zone) : change.time_zone;
  await db
    .updateTable('absences')
    .set({ ...next, time_zone, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', absence.id)
    .execute();
  const [before, after] = [inFull(absence, zone), inFull(next, zone)];
  if (
    before !== after ||
    absence.starts_at.getTime() !== next.starts_at.getTime() ||
    absence.ends_at.getTime() !== next.ends_at.getTime()
  ) {
    const message = `${actor.username} changed the absence from ${before} to ${after}.`;
    await addSystemNotes(db, actor.accountId, [{ owner, content: message }], now);
    await notifyFollowers(db, actor, 'An absence was changed', [{ owner, message }], now);
  }
  await applyNoteChanges(db, actor, owner, change.notes ?? [], now);
  return findAbsence(db, actor, absence.id);
}

/** Deletes the absence with its notes and attachments. Returns it as it was, without them. */
export async function deleteAbsence(db: Db, actor: Actor, ref: Ref): Promise<AbsenceRow> {
  const absence = await lockAbsence(db, actor, ref);
  authorize(actor, 'destroy', 'absence', absence);
  await attachments.removeOf(db, actor.accountId, [{ absence_id: absence.id }]);
  await db.deleteFrom('absences').where('account_id', '=', actor.accountId).where('id', '=', absence.id).execute();
  return { ...absence, note_ids: [], system_notes_count: 0, user_notes_count: 0, attachment_ids: [] };
}

/** The columns of an absence after a change. Numbers given by hand stay until a change takes them back. */
function changed(
  absence: AbsenceRow,
  change: AbsenceChange,
): Span & Amount & { full_day: boolean; use_custom_values: boolean } {
  const zone = absence.workspace_time_zone;
  const full_day = change.full_day ?? absence.full_day;
  // Untouched times stay, also where the workspace has moved to another zone since.
  const touchesTimes = change.starts_at !== undefined || change.ends_at !== undefined || change.full_day !== undefined;
  const times = {
    starts_at: change.starts_at ?? absence.starts_at.toISOString(),
    ends_at: change.ends_at ?? absence.ends_at.toISOString(),
  };
  const { starts_at, ends_at } = touchesTimes ? spanOf(times, full_day, zone) : absence;
  const use_custom_values = change.use_custom_values ?? absence.use_custom_values;
  const computed = measure({ starts_at, ends_at }, { full_day, zone, hoursPerDay: absence.hours_on_vacation_day });
  const stands = change.use_custom_values === undefined && (use_custom_values || !touchesTimes);
  const given = use_custom_values ? change : {};
  return { starts_at, ends_at, full_day, use_custom_values, ...byHand(given, stands ? absence : computed) };
}

const zoneProblems = ({ time_zone }: AbsenceInput): Problem[] =>
  time_zone && !zoneNamed(time_zone)
    ? [
        {
          pointer: 'time_zone',
          title: `time_zone must be a city such as Berlin or an IANA name such as Europe/Berlin, but was "${time_zone}".`,
        },
      ]
    : [];

async function nameProblems(db: Db, { accountId }: Actor, { external_id }: NewAbsence): Promise<Problem[]> {
  if (!external_id) return [];
  const owner = await db
    .selectFrom('absences')
    .select('id')
    .where('account_id', '=', accountId)
    .where('external_id', '=', external_id)
    .executeTakeFirst();
  return owner
    ? [
        {
          pointer: 'external_id',
          title: `external_id "${external_id}" is already used by another absence of this account.`,
        },
      ]
    : [];
}

const unknownFollowers = async (db: Db, actor: Actor, { follower_ids }: NewAbsence): Promise<Problem[]> =>
  actor.workspace && follower_ids
    ? memberProblems(db, { ...actor, workspace: actor.workspace }, 'follower_ids', follower_ids)
    : [];
