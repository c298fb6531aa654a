import { sql } from 'kysely';
import type { Actor } from '../core/permissions.ts';
import { wholeSeconds } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { addSystemNotes } from '../notes/notes.ts';
import { noteOf } from './note_texts.ts';
import { sumBreaks } from './break_rows.ts';
import { judgeAround } from '../working_time_rules/warnings.ts';

/** Ends what is running of a user who goes, in one workspace or in all, and writes down who ended it. */
export async function endRunning(
  db: Db,
  actor: Actor,
  userId: number,
  workspaceId: number | null,
  now: Date,
): Promise<void> {
  const { accountId } = actor;
  const running = await db
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
  for (const { id, starts_at, workspace_id, time_zone } of running) {
    const { ends_at } = await endOne(db, accountId, id, wholeSeconds(now));
    const content = noteOf.deletedUser(actor.username);
    await addSystemNotes(db, accountId, [{ owner: { time_tracking_id: id }, content }], now);
    await judgeAround(
      db,
      { accountId, workspace: { id: workspace_id, time_zone } },
      [{ user_id: userId, starts_at, ends_at }],
      now,
    );
  }
}

/** Ends a tracking and its open break; one second after they began, where they begin only now or later. */
async function endOne(db: Db, accountId: number, id: number, now: Date): Promise<{ ends_at: Date | null }> {
  await sql`
    update breaks set ends_at = greatest(${now}::timestamptz, starts_at + interval '1 second'), updated_at = ${now}
    where account_id = ${accountId} and time_tracking_id = ${id} and ends_at is null`.execute(db);
  await sumBreaks(db, accountId, id);
  const lastBreak = db
    .selectFrom('breaks')
    .select((eb) => eb.fn.max('breaks.ends_at').as('last'))
    .where('breaks.account_id', '=', accountId)
    .where('breaks.time_tracking_id', '=', id);
  const end = sql<Date>`greatest(${now}::timestamptz, starts_at + interval '1 second', (${lastBreak}))`;
  return db
    .updateTable('time_trackings')
    .set({ ends_at: end, actual_ends_at: sql<Date>`coalesce(actual_ends_at, ${end})`, updated_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .returning('ends_at')
    .executeTakeFirstOrThrow();
}
