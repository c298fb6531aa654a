import { sql } from 'kysely';
import { invalid, notFound } from '../core/errors.ts';
import { isUuid, numericId, type Id } from '../core/ids.ts';
import { authorize, type Actor, type WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { bind, type Placeholders } from '../db/placeholders.ts';
import { statement } from '../db/statement.ts';
import { together } from '../db/pipeline.ts';
import { attachments } from '../files/attachments.ts';
import { signatures } from '../files/signatures.ts';
import { noteOf } from './note_texts.ts';
import { recordChanges } from './notes_and_followers.ts';
import { factsOf, timeTrackingRows, type TimeTrackingRow } from './rows.ts';
import { judgeAround } from '../working_time_rules/warnings.ts';

/** One time tracking of the actor's workspace that he may read, by either form of its id; 404 and 403 otherwise. */
export async function findTimeTracking(db: Db, actor: WorkspaceActor, ref: Id): Promise<TimeTrackingRow> {
  const name = nameOf(ref);
  const [row] = name
    ? await shown[name.column](db, {
        accountId: actor.accountId,
        workspaceId: actor.workspace.id,
        value: name.value as never,
      })
    : [];
  if (!row) throw notFound('time tracking');
  authorize(actor, 'read', 'time_tracking', factsOf(row));
  return row;
}

const shownBy = (column: 'time_trackings.id' | 'time_trackings.uuid') =>
  statement(
    (
      db,
      {
        accountId,
        workspaceId,
        value,
      }: Placeholders<{ accountId: number; workspaceId: number; value: number & string }>,
    ) => timeTrackingRows(db, { accountId, workspaceId }).where(column, '=', value),
  );

const shown = {
  'time_trackings.id': shownBy('time_trackings.id'),
  'time_trackings.uuid': shownBy('time_trackings.uuid'),
};

/** The same, with its row locked first: whoever changes a tracking or its breaks waits here for whoever is before him. */
export async function lockTimeTracking(db: Db, actor: WorkspaceActor, ref: Id): Promise<TimeTrackingRow> {
  const name = nameOf(ref);
  const [isLocked, row] = await together([
    name !== undefined && hold(db, actor, name),
    findTimeTracking(db, actor, ref),
  ]);
  // It was given to another user at this very moment.
  return isLocked ? row : lockTimeTracking(db, actor, ref);
}

/**
 * Locks a tracking, and before that its user: his clock and all judgements of his work are changed by those who hold him. In
 * this order everywhere, so that nobody waits for somebody who waits for him. False where there is no such tracking.
 */
export async function hold(db: Db, actor: WorkspaceActor, { column, value }: Name): Promise<boolean> {
  const { rows } = await sql`
    select time_trackings.id from time_trackings
    join users "user" on "user".account_id = ${actor.accountId} and "user".id = time_trackings.user_id
    where time_trackings.account_id = ${actor.accountId} and time_trackings.workspace_id = ${actor.workspace.id} and ${sql.ref(column)} = ${value}
    for no key update of "user" for update of time_trackings`.execute(db);
  return rows.length > 0;
}

/** What notes and files belong to, as those who may read the tracking may add to it. */
export async function ownerNamed(db: Db, actor: WorkspaceActor, ref: Id): Promise<{ time_tracking_id: number }> {
  return { time_tracking_id: (await findTimeTracking(db, actor, ref)).id };
}

/** A tracking that the actor may sign. */
export async function findSignable(db: Db, actor: WorkspaceActor, ref: Id): Promise<TimeTrackingRow> {
  const row = await findTimeTracking(db, actor, ref);
  authorize(actor, 'sign', 'time_tracking', factsOf(row));
  return row;
}

/** A tracking that the actor has just written, also where he may no longer read it. */
export async function readTimeTracking(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  id: number,
): Promise<TimeTrackingRow> {
  const [row] = await shown['time_trackings.id'](db, { accountId, workspaceId: workspace.id, value: id as never });
  return row!;
}

/** Trackings that other records refer to. */
export const timeTrackingsByIds = async (
  db: Db,
  { accountId, workspace }: Actor,
  ids: readonly number[],
): Promise<TimeTrackingRow[]> =>
  ids.length === 0 || workspace === null
    ? []
    : timeTrackingRows(db, bind({ accountId, workspaceId: workspace.id }))
        .where('time_trackings.id', 'in', [...new Set(ids)])
        .orderBy('time_trackings.id')
        .execute();

/** Confirms a finished tracking. One that is confirmed already stays as it is. */
export async function confirmTimeTracking(db: Db, actor: WorkspaceActor, ref: Id, now: Date): Promise<TimeTrackingRow> {
  const row = await lockTimeTracking(db, actor, ref);
  authorize(actor, 'confirm', 'time_tracking', factsOf(row));
  if (row.ends_at === null) throw invalid('base', stillRunning);
  if (row.confirmed) return row;
  await db
    .updateTable('time_trackings')
    .set({ confirmed: true, last_editor_id: actor.userId, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', row.id)
    .execute();
  await recordChanges(db, actor, [{ tracking: row, notes: [noteOf.confirmation(actor.username)] }], now);
  return readTimeTracking(db, actor, row.id);
}

export const stillRunning = 'The time tracking is running and can be confirmed only once it has ended.';

/** Deletes a tracking with all that hangs on it, and returns it as it was, without the notes. */
export async function deleteTimeTracking(db: Db, actor: WorkspaceActor, ref: Id, now: Date): Promise<TimeTrackingRow> {
  const row = await lockTimeTracking(db, actor, ref);
  authorize(actor, 'destroy', 'time_tracking', factsOf(row));
  await removeTimeTrackings(db, actor, [row.id], now);
  return { ...row, note_ids: [], system_notes_count: 0 };
}

/** Removes trackings, which are locked, and the files that the database would not find by itself. */
export async function removeTimeTrackings(
  db: Db,
  actor: WorkspaceActor,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  const { accountId } = actor;
  if (ids.length === 0) return;
  const owners = ids.map((id) => ({ time_tracking_id: id }));
  await attachments.removeOf(db, accountId, owners);
  await signatures.removeOf(db, accountId, owners);
  const removed = await db
    .deleteFrom('time_trackings')
    .where('account_id', '=', accountId)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .returning(['user_id', 'starts_at', 'ends_at'])
    .execute();
  await judgeAround(db, actor, removed, now);
}

interface Name {
  readonly column: 'time_trackings.id' | 'time_trackings.uuid';
  readonly value: number | string;
}

/** The column that a reference is about, or undefined where it can be no id of ours. */
function nameOf(ref: Id): Name | undefined {
  const id = numericId(ref);
  if (id !== undefined) return { column: 'time_trackings.id', value: id };
  return isUuid(String(ref)) ? { column: 'time_trackings.uuid', value: String(ref) } : undefined;
}
