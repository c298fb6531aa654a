import { sql } from 'kysely';
import { refuse } from '../../platform/core/errors.ts';
import type { Ref } from '../../platform/core/names.ts';
import { authorize, type Actor, type WorkspaceActor } from '../../platform/core/permissions.ts';
import { localDay } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { findToChange } from '../../platform/db/record_locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import type { EventActor } from '../../platform/events/record.ts';
import { forgetReplacedAvatar } from '../../platform/files/avatars.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import { moveDefaultTargetHour } from '../../days/balance/default_target_hour.ts';
import { remeasureAbsences } from '../../days/balance/remeasure_absences.ts';
import { assignmentProblems, setAbsenceTypes, setAreas, setTags } from './assignments.ts';
import { registerEmail, unregisterEmail, withdrawInvitation } from './emails.ts';
import { joinWorkspace, pinProblems, setPin } from './memberships.ts';
import { recordUser } from './events/user_events.ts';
import { setRole } from './role_changes.ts';
import { factsOfUser, type UserRow } from './rows.ts';
import { attributeProblems, columnsOf, type NewUser, type UserChange, type UserInput } from './user_attributes.ts';
import { findUser } from './users.ts';

/** Creates a user in the actor's workspace. A user with an e-mail address is invited by mail. */
export async function createUser(
  db: OpenTransaction,
  actor: WorkspaceActor,
  input: NewUser,
  now: Date,
): Promise<UserRow> {
  const { accountId, workspace } = actor;
  refuse([
    ...(await attributeProblems(db, actor, input, null)),
    ...(await pinProblems(db, actor, input.identifier_pin, null)),
    ...(await assignmentProblems(db, actor, input)),
  ]);
  const start_of_accounting = input.start_of_accounting ?? localDay(now, workspace.time_zone);
  const id = await insertUser(db, accountId, { ...input, start_of_accounting }, { created_in_workspace: true }, now);
  await joinWorkspace(db, { accountId, workspaceId: workspace.id, userId: id }, input.identifier_pin, now);
  await setAreas(db, actor, id, input.area_ids ?? [], now);
  await setTags(db, actor, id, input.filter_ids ?? []);
  if (input.absence_type_ids) await setAbsenceTypes(db, actor, id, input.absence_type_ids);
  if (input.email) await enqueue(db, 'invitation', { accountId, userId: id });
  const after = await findUser(db, actor, id);
  recordUser(db, actor, 'created', { before: null, after }, now);
  return after;
}

/** Inserts the row of a user, and registers their e-mail address. The database adds their first target hour. Returns the id. */
export async function insertUser(
  db: Db,
  accountId: number,
  input: UserInput & { username: string; start_of_accounting: string },
  own: { created_in_workspace: boolean; is_account_admin?: boolean; password_hash?: string },
  now: Date,
): Promise<number> {
  const { id } = await db
    .insertInto('users')
    .values({
      ...(await columnsOf(db, accountId, input, now)),
      ...own,
      account_id: accountId,
      username: input.username,
      start_of_accounting: input.start_of_accounting,
      recognition_color_variant: sql<number>`1 + floor(random() * 8)`,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (input.email) await registerEmail(db, { accountId, id, isInvited: !own.password_hash }, input.email);
  return id;
}

/** Changes what is given and leaves the rest alone. */
export async function updateUser(
  db: OpenTransaction,
  actor: WorkspaceActor,
  ref: Ref,
  change: UserChange,
  now: Date,
): Promise<UserRow> {
  const user = await findToChange(db, actor, 'users', ref, (found) => findUser(db, actor, found));
  authorize(actor, 'update', 'user', factsOfUser(user));
  if (changesEmail(user, change)) authorize(actor, 'change_email', 'user', factsOfUser(user));
  refuse([
    ...(await attributeProblems(db, actor, change, user)),
    ...(await pinProblems(db, actor, change.identifier_pin, user.id)),
    ...(await assignmentProblems(db, actor, change)),
  ]);
  await storeUserChange(db, actor, user, change, now);
  await remeasureAfter(db, actor, user, change, now);
  const tagIds = change.tag_ids ?? change.filter_ids;
  if (change.identifier_pin) await setPin(db, actor, user.id, change.identifier_pin);
  if (change.area_ids) await setAreas(db, actor, user.id, change.area_ids, now);
  if (tagIds) await setTags(db, actor, user.id, tagIds);
  if (change.absence_type_ids) await setAbsenceTypes(db, actor, user.id, change.absence_type_ids);
  if (change.role_ids) await setRole(db, actor, user, change.role_ids);
  const after = await findUser(db, actor, user.id);
  recordUser(db, actor, 'updated', { before: user, after }, now);
  return after;
}

/** The attributes that decide how much an absence takes of a day. */
const calendarAttributes = [
  'time_zone',
  'start_of_accounting',
  'holiday_region',
  'holiday_region_from',
  'calc_vacation_options',
  'hours_on_vacation_day',
] as const;

/** Measures the absences of the user again where the change concerns their days. */
async function remeasureAfter(
  db: OpenTransaction,
  actor: Actor,
  user: UserRow,
  change: UserChange,
  now: Date,
): Promise<void> {
  if (calendarAttributes.every((name) => change[name] === undefined)) return;
  const resetsConfirmed = change.reset_confirmed_absences === true;
  await remeasureAbsences(db, actor, [user.id], { from: null, resetsConfirmed }, now);
}

const changesEmail = (user: UserRow, { email }: UserChange): boolean => email !== undefined && email !== user.email;

/** Updates the row of a user, and the directory of e-mail addresses. */
export async function storeUserChange(
  db: OpenTransaction,
  actor: EventActor,
  user: UserRow,
  change: UserInput,
  now: Date,
): Promise<void> {
  await db
    .updateTable('users')
    .set({ ...(await columnsOf(db, user.account_id, change, now)), updated_at: now })
    .where('account_id', '=', user.account_id)
    .where('id', '=', user.id)
    .execute();
  await moveDefaultTargetHour(db, actor, user, change.start_of_accounting, now);
  await forgetReplacedAvatar(db, user, change);
  // Another case of its letters makes no other address.
  if (!changesEmail(user, change) || change.email?.toLowerCase() === user.email?.toLowerCase()) return;
  await unregisterEmail(db, user.account_id, user.id);
  // The links that were mailed to the old address must not work any more.
  await withdrawInvitation(db, actor, user.id, now);
  await db
    .deleteFrom('reset_tokens')
    .where('account_id', '=', user.account_id)
    .where('user_id', '=', user.id)
    .execute();
  if (!change.email) return;
  const { account_id: accountId, id, password_hash } = user;
  await registerEmail(db, { accountId, id, isInvited: password_hash === null }, change.email);
  if (password_hash !== null) await enqueue(db, 'email_confirmation', { accountId, userId: id });
}
