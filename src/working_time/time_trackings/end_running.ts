import { sql } from 'kysely';
import type { Actor } from '../../platform/core/permissions.ts';
import { wholeSeconds } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { addSystemNotes } from '../../platform/notes/notes.ts';
import { refreshWarnings } from '../working_time_rules/warnings.ts';
import { sumBreaks } from './break_rows.ts';
import { noteOf } from './change_notes.ts';
import { stateOf, timeTrackingEvents } from './events.ts';
import { timeTrackingById } from './rows.ts';

/** Ends the running time trackings of a user who leaves a workspace, or all workspaces if `workspaceId` is null, and notes who ended them. */
export async function endRunning(
  tx: OpenTransaction,
  actor: Actor,
  userId: number,
  workspaceId: number | null,
  now: Date,
): Promise<void> {
  const { accountId } = actor;
  const running = await lockRunning(tx, accountId, userId, workspaceId);
  for (const { id, starts_at, workspace_id, time_zone } of running) {
    const key = { accountId, workspaceId: workspace_id, id };
    const [before] = await timeTrackingById(tx, key);
    const { ends_at } = await endOne(tx, accountId, id, wholeSeconds(now));
    const content = noteOf.deletedUser(actor.username);
    await addSystemNotes(tx, accountId, [{ owner: { time_tracking_id: id }, content }], now);
    await refreshWarnings(
      tx,
      { accountId, workspace: { id: workspace_id, time_zone } },
      [{ user_id: userId, starts_at, ends_at }],
      now,
    );
    const [after] = await timeTrackingById(tx, key);
    timeTrackingEvents.record(tx, actor, 'updated', { before: stateOf(before!), after: stateOf(after!) }, now);
  }
}

const lockRunning = (tx: OpenTransaction, accountId: number, userId: number, workspaceId: number | null) =>
  tx
    .selectFrom('time_trackings as tracking')
    .innerJoin('workspaces as workspace', (join) =>
      join.on('workspace.account_id', '=', accountId).onRef('workspace.id', '=', 'tracking.workspace_id'),
    )
    .where('tracking.account_id', '=', accountId)
    .where('tracking.user_id', '=', userId)
    .where('tracking.ends_at', 'is', null)
    .where(workspaceId === null ? sql<boolean>`true` : sql<boolean>`tracking.workspace_id = ${workspaceId}`)
    .select(['tracking.id', 'tracking.starts_at', 'tracking.workspace_id', 'workspace.time_zone'])
    .orderBy('tracking.id')
    .forUpdate('tracking')
    .execute();

/** In UTC, where it is the same on every server. Citus lets an update use nothing else. */
const aSecondLater = sql`((starts_at at time zone 'UTC') + interval '1 second') at time zone 'UTC'`;

/** Ends a time tracking and its open break now, or one second after its start if that is later. */
async function endOne(db: Db, accountId: number, id: number, now: Date): Promise<{ ends_at: Date | null }> {
  await sql`
    update breaks set ends_at = greatest(${now}::timestamptz, ${aSecondLater}), updated_at = ${now}
    where account_id = ${accountId} and time_tracking_id = ${id} and ends_at is null`.execute(db);
  await sumBreaks(db, accountId, id);
  const lastBreak = db
    .selectFrom('breaks')
    .select((eb) => eb.fn.max('breaks.ends_at').as('last'))
    .where('breaks.account_id', '=', accountId)
    .where('breaks.time_tracking_id', '=', id);
  const end = sql<Date>`greatest(${now}::timestamptz, ${aSecondLater}, (${lastBreak}))`;
  return db
    .updateTable('time_trackings')
    .set({ ends_at: end, actual_ends_at: sql<Date>`coalesce(actual_ends_at, ${end})`, updated_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('ends_at')
    .executeTakeFirstOrThrow();
}
