import { randomUUID } from 'node:crypto';
import type { components } from '../../../generated/v3.ts';
import { refuse, type Problem } from '../../platform/core/errors.ts';
import { numericIds, type Id } from '../../platform/core/ids.ts';
import type { Ref } from '../../platform/core/names.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import { pick } from '../../platform/core/pick.ts';
import { zoneNamed, zoneProblems } from '../../platform/core/time.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { takenProblems } from '../../platform/db/unique_values.ts';
import { setFollowers } from '../../platform/followers/followers.ts';
import { addSystemNotes, addUserNotes } from '../../platform/notes/notes.ts';
import { measure } from '../../days/balance/measure_absence.ts';
import { storeAbsenceDays } from '../../days/balance/store_absence_days.ts';
import { daysOfUser } from '../../days/balance/user_days.ts';
import { memberProblems } from '../../organisation/users/memberships.ts';
import { findAbsence } from './absences.ts';
import { absenceEvents, stored } from './events.ts';
import { spanInWords } from './note_texts.ts';
import { notifyApprovers } from './protection/approvers.ts';
import type { AbsenceRow } from './rows.ts';
import { spanOf, absenceSpanProblems } from './span.ts';
import { findTypeAndUser } from './type_and_user.ts';

type Attributes = components['schemas']['AbsenceCreation']['data']['attributes'];

/** A new absence. Its times are ISO times, or plain days where the API of the caller takes them. */
export type NewAbsence = Omit<Attributes, 'absence_type_id' | 'user_id' | 'notes_attributes'> & {
  readonly absence_type: Ref;
  readonly user?: Ref;
  /** The zone of the sender: full days are the dates of the times there. */
  readonly time_zone?: string | null;
  /** The contents of notes by the actor. */
  readonly notes?: readonly string[];
  readonly batch_id?: string;
};

/** Creates a pending absence with its notes and followers, and notifies those who may decide about it. */
export async function createAbsence(
  tx: OpenTransaction,
  actor: Actor,
  input: NewAbsence,
  now: Date,
): Promise<AbsenceRow> {
  const { accountId } = actor;
  const { type, user, workspace, problems } = await findTypeAndUser(tx, actor, input.absence_type, input.user);
  // A change of the user's target hours waits for the new absence, and then measures it too.
  if (user) await lockUsers(tx, { accountId, ids: [user.id] });
  const userDays = user && (await daysOfUser(tx, accountId, user.id));
  const zone = userDays?.zone ?? workspace?.time_zone ?? 'UTC';
  const full_day = input.full_day ?? false;
  const span = spanOf(input, { full_day, zone, senderZone: zoneIn(input) });
  const others = tx.selectFrom('absences').where('account_id', '=', accountId);
  refuse([
    ...problems,
    ...absenceSpanProblems(span, zone),
    ...zoneProblems(input.time_zone),
    ...(await takenProblems(others, 'external_id', input.external_id, 'absence of this account')),
    ...(await followerProblems(tx, actor, input)),
  ]);

  const { half_start = false, half_end = false } = input;
  const { rows, ...amount } = measure(
    { ...span, kind: type!.kind, full_day, half_start, half_end },
    userDays!,
    input.use_custom_values ? input : undefined,
  );
  const { id } = await tx
    .insertInto('absences')
    .values({
      ...pick(input, stored),
      account_id: accountId,
      workspace_id: workspace!.id,
      user_id: user!.id,
      absence_type_id: type!.id,
      uuid: randomUUID(),
      secure_id: asText(input.secure_id) || randomUUID(),
      import_id: asText(input.import_id),
      outlook_id: asText(input.outlook_id),
      title: input.title?.trim() ? input.title : type!.title,
      ...span,
      ...amount,
      full_day,
      time_zone: zoneIn(input) ?? null,
      use_custom_values: input.use_custom_values ?? false,
      created_by_user_id: actor.userId,
      batch_id: input.batch_id,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();

  await storeAbsenceDays(tx, accountId, { id, user_id: user!.id }, rows);
  const owner = { absence_id: id };
  const summary = `${spanInWords({ ...span, full_day }, zone)}, ${type!.title}`;
  const message = `${actor.username} created the absence: ${summary}.`;
  await addSystemNotes(tx, accountId, [{ owner, content: message }], now);
  const notes = (input.notes ?? []).map((content) => ({ owner, content }));
  await addUserNotes(tx, actor, notes, now);
  await setFollowers(tx, actor, [owner], numericIds(input.follower_ids ?? []).numbers);
  const absence = await findAbsence(tx, actor, id);
  absenceEvents.record(tx, actor, 'requested', { before: null, after: absence }, now);
  await notifyApprovers(tx, actor, absence, 'requested', now);
  return absence;
}

const zoneIn = ({ time_zone }: NewAbsence): string | undefined => (time_zone ? zoneNamed(time_zone) : undefined);

const asText = (id: Id | undefined): string | undefined => (id === undefined ? undefined : String(id));

/** The public API, whose actor has no workspace, gives no followers. */
const followerProblems = async (
  db: Db,
  { workspace, ...actor }: Actor,
  { follower_ids }: NewAbsence,
): Promise<Problem[]> =>
  workspace && follower_ids ? memberProblems(db, { ...actor, workspace }, 'follower_ids', follower_ids) : [];
