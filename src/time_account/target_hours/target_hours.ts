import { sql } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import { earliestOf } from '../../days/calendar/dates.ts';
import { invalid, refuse, repeatedStartDate, type Problem } from '../../platform/core/errors.ts';
import type { Id } from '../../platform/core/ids.ts';
import type { Actor, WorkspaceActor } from '../../platform/core/permissions.ts';
import { pick, storedAttributes } from '../../platform/core/pick.ts';
import type { Db } from '../../platform/db/connection.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf } from '../../platform/events/record.ts';
import { remeasureAbsences } from '../../days/balance/remeasure_absences.ts';
import type { UserRow } from '../../organisation/users/rows.ts';
import { lockForChange, recordOf } from '../../organisation/users/records_of_user.ts';
import { findUser, showUser } from '../../organisation/users/users.ts';
import { changedCycle, type CycleDay, type CycleInput } from './cycle.ts';
import { targetHourRows, type TargetHourRow } from './rows.ts';
import { blankWeek, changedWeek, weekAttributes, weekProblems, type Week } from './week.ts';

type Schemas = components['schemas'];

type NewTargetHour = Schemas['TargetHourCreation']['data']['attributes'];
type TargetHourChange = Schemas['TargetHourUpdate']['data']['attributes'];

/** A target hour and the user whose it is. */
export interface TargetHourOf {
  readonly row: TargetHourRow;
  readonly user: UserRow;
}

const stored = storedAttributes({
  table: 'target_hours',
  schemas: ['TargetHourCreation', 'TargetHourUpdate'],
  handled: [...weekAttributes, 'rhythm_type', 'target_working_days_attributes'],
});

const columns = listColumns('listTargetHours', 'target_hours');

const targetHourEvents = eventsOf<TargetHourRow>()('target_hour', [
  ...stored,
  'rhythm_type',
  ...(Object.keys(blankWeek) as (keyof Week)[]),
  'cycle',
]);

/** One target hour of a user that the actor may read in full. */
export async function findTargetHour(db: Db, actor: WorkspaceActor, userRef: Id, ref: Id): Promise<TargetHourOf> {
  const user = await showUser(db, actor, userRef);
  return { user, row: await targetHourOf(db, user, ref) };
}

/** The target hours of a user that the actor may read in full, and who wrote the last one when. */
export async function listTargetHours(db: Db, actor: WorkspaceActor, userRef: Id, selection: Selection) {
  const user = await showUser(db, actor, userRef);
  const { accountId, workspace } = actor;
  const visible = db
    .selectFrom('target_hours')
    .where('target_hours.account_id', '=', accountId)
    .where('target_hours.user_id', '=', user.id);
  const rows = targetHourRows(db, accountId);
  const collection = {
    visible,
    rows,
    id: 'target_hours.id',
    columns,
    timeZone: workspace.time_zone,
    defaultSort: ['start_date'],
  };
  const lastWritten = await rows
    .where('target_hours.user_id', '=', user.id)
    .orderBy('target_hours.updated_at', 'desc')
    // The database gives a new user their first one, in the same second perhaps. Nobody has written it.
    .orderBy(sql`target_hours.updated_by_user_id is null`)
    .orderBy('target_hours.id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return { user, lastWritten, ...(await list(db, collection, selection)) };
}

/** Gives a user another target hour. The one before it ends where it begins. One that nobody has written gives way to it. */
export async function createTargetHour(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  userRef: Id,
  input: NewTargetHour,
  now: Date,
): Promise<TargetHourOf> {
  const user = await lockForChange(tx, actor, await findUser(tx, actor, userRef), 'change_target_hours');
  const { week, cycle, problems } = rhythmOf(null, input);
  const unwritten = await targetHourRows(tx, user.account_id)
    .where('target_hours.user_id', '=', user.id)
    .where('target_hours.start_date', '=', input.start_date)
    .where('target_hours.updated_by_user_id', 'is', null)
    .executeTakeFirst();
  refuse([...(await startDateProblems(tx, user, input.start_date, unwritten?.id ?? null)), ...problems]);
  if (unwritten) await removeTargetHour(tx, actor, unwritten, now);
  const { id } = await tx
    .insertInto('target_hours')
    .values({
      ...pick(input, stored),
      ...week,
      rhythm_type: cycle === null ? 'weekly' : 'free',
      account_id: user.account_id,
      user_id: user.id,
      updated_by_user_id: actor.userId,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await storeCycle(tx, user.account_id, id, cycle ?? []);
  const row = await targetHourOf(tx, user, id);
  targetHourEvents.record(tx, actor, 'created', { before: null, after: row }, now);
  await remeasure(tx, actor, row, [row.start_date], input, now);
  return { user, row };
}

/** Changes what is given and leaves the rest alone. A rhythm of the other type starts from nothing. */
export async function updateTargetHour(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  userRef: Id,
  ref: Id,
  change: TargetHourChange,
  now: Date,
): Promise<TargetHourOf> {
  const user = await lockForChange(tx, actor, await findUser(tx, actor, userRef), 'change_target_hours');
  const before = await targetHourOf(tx, user, ref);
  const { week, cycle, problems } = rhythmOf(before, change);
  refuse([...(await startDateProblems(tx, user, change.start_date, before.id)), ...problems]);
  await tx
    .updateTable('target_hours')
    .set({
      ...pick(change, stored),
      ...week,
      rhythm_type: cycle === null ? 'weekly' : 'free',
      updated_by_user_id: actor.userId,
      updated_at: now,
    })
    .where('account_id', '=', user.account_id)
    .where('id', '=', before.id)
    .execute();
  await storeCycle(tx, user.account_id, before.id, cycle ?? []);
  const row = await targetHourOf(tx, user, before.id);
  targetHourEvents.record(tx, actor, 'updated', { before, after: row }, now);
  await remeasure(tx, actor, row, [before.start_date, row.start_date], change, now);
  return { user, row };
}

/** Deletes a target hour and returns it as it was. The one before it lasts longer. A user keeps at least one. */
export async function deleteTargetHour(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  userRef: Id,
  ref: Id,
  options: RemeasureOptions,
  now: Date,
): Promise<TargetHourOf> {
  const user = await lockForChange(tx, actor, await findUser(tx, actor, userRef), 'change_target_hours');
  const row = await targetHourOf(tx, user, ref);
  const another = await targetHourRows(tx, user.account_id)
    .where('target_hours.user_id', '=', user.id)
    .where('target_hours.id', '<>', row.id)
    .executeTakeFirst();
  if (!another)
    throw invalid('protected', 'base', 'The last target hour of a user cannot be deleted. Change it instead.');
  await removeTargetHour(tx, actor, row, now);
  await remeasure(tx, actor, row, [row.start_date], options, now);
  return { user, row };
}

async function removeTargetHour(tx: OpenTransaction, actor: Actor, row: TargetHourRow, now: Date): Promise<void> {
  await tx.deleteFrom('target_hours').where('account_id', '=', actor.accountId).where('id', '=', row.id).execute();
  targetHourEvents.record(tx, actor, 'deleted', { before: row, after: null }, now);
}

interface RemeasureOptions {
  readonly reset_confirmed_absences?: boolean | null;
}

/** Measures the absences of the user again, from the first of the days on. */
const remeasure = (
  tx: OpenTransaction,
  actor: Actor,
  { user_id }: TargetHourRow,
  days: readonly string[],
  { reset_confirmed_absences }: RemeasureOptions,
  now: Date,
): Promise<void> =>
  remeasureAbsences(
    tx,
    actor,
    [user_id],
    { from: earliestOf(days), resetsConfirmed: reset_confirmed_absences === true },
    now,
  );

const targetHourOf = (db: Db, user: UserRow, ref: Id): Promise<TargetHourRow> =>
  recordOf(targetHourRows(db, user.account_id), { table: 'target_hours', noun: 'target hour' }, user, ref);

/** The rhythm after a change: a week, or a cycle beside a blank week. `before` is null for a new target hour. */
function rhythmOf(
  before: TargetHourRow | null,
  input: TargetHourChange,
): { week: Week; cycle: readonly CycleDay[] | null; problems: Problem[] } {
  const days: CycleInput | undefined = input.target_working_days_attributes;
  const kept = days?.filter(({ _destroy }) => _destroy !== true) ?? [];
  const type = input.rhythm_type ?? (kept.length > 0 ? 'free' : (before?.rhythm_type ?? 'weekly'));
  if (type === 'free') {
    const { days: cycle, problems } = changedCycle(before?.cycle ?? [], days);
    return { week: blankWeek, cycle, problems };
  }
  const week = changedWeek(before?.rhythm_type === 'weekly' ? before : blankWeek, input);
  return { week, cycle: null, problems: [...weekProblems(week), ...superfluousDays(kept.length)] };
}

const superfluousDays = (count: number): Problem[] =>
  count === 0
    ? []
    : [
        {
          code: 'contradiction',
          pointer: 'target_working_days_attributes',
          title: `target_working_days_attributes must be left out where rhythm_type is "weekly", but had ${count} days.`,
        },
      ];

/** Replaces the days of the cycle. Days that stay keep their ids. */
async function storeCycle(db: Db, accountId: number, targetHourId: number, days: readonly CycleDay[]): Promise<void> {
  await db
    .deleteFrom('target_working_days')
    .where('account_id', '=', accountId)
    .where('target_hour_id', '=', targetHourId)
    .execute();
  const rows = days.map((day, position) => ({
    ...day,
    account_id: accountId,
    target_hour_id: targetHourId,
    position,
  }));
  if (rows.length > 0) await db.insertInto('target_working_days').values(rows).execute();
}

/** The problem of a day on which another target hour of the user begins. */
async function startDateProblems(
  db: Db,
  user: UserRow,
  start_date: string | undefined,
  exceptId: number | null,
): Promise<Problem[]> {
  if (start_date === undefined) return [];
  const other = await db
    .selectFrom('target_hours')
    .select('id')
    .where('account_id', '=', user.account_id)
    .where('user_id', '=', user.id)
    .where('start_date', '=', start_date)
    .where('id', 'is distinct from', exceptId)
    .executeTakeFirst();
  return other ? [repeatedStartDate(start_date)] : [];
}
