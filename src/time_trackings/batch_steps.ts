import { sql } from 'kysely';
import { mayAdminister, type WorkspaceActor } from '../core/permissions.ts';
import type { BatchStep, Failure } from '../batch_actions/batches.ts';
import type { Db } from '../db/connection.ts';
import { setFollowers } from '../followers/followers.ts';
import { createNote } from '../notes/notes.ts';
import { noteOf } from './changes.ts';
import { tagTitles } from './differences.ts';
import { recordChanges } from './effects.ts';
import { factsOf, type TimeTrackingRow } from './rows.ts';
import { addTags } from './tags.ts';
import { removeTimeTrackings, stillRunning, timeTrackingsByIds } from './time_trackings.ts';

/*
 * What batches do to some trackings at once. The rights are those the actor has now, and the rows are locked first, in one
 * order, so that two batches wait for each other instead of standing in each other's way.
 */

async function lockAdministered(
  db: Db,
  actor: WorkspaceActor,
  ids: readonly number[],
): Promise<{ rows: TimeTrackingRow[]; failures: Failure[]; gone: Failure[] }> {
  await sql`
    select from time_trackings where account_id = ${actor.accountId} and workspace_id = ${actor.workspace.id} and id = any(${ids}::bigint[])
    order by id for update`.execute(db);
  const found = await timeTrackingsByIds(db, actor, ids);
  const there = new Set(found.map(({ id }) => id));
  const rows = found.filter((row) => mayAdminister(actor, factsOf(row)));
  const others = found.filter((row) => !rows.includes(row));
  return {
    rows,
    failures: others.map(({ id }) => ({ id, reason: 'You do not administer this time tracking any more.' })),
    gone: ids.filter((id) => !there.has(id)).map((id) => ({ id, reason: 'The time tracking is no longer there.' })),
  };
}

const confirm: BatchStep = async (db, actor, ids, _input, _batchId, now) => {
  const { rows, failures, gone } = await lockAdministered(db, actor, ids);
  const running = rows.filter((row) => row.ends_at === null);
  const open = rows.filter((row) => row.ends_at !== null && !row.confirmed);
  await touch(db, actor, open, { confirmed: true }, now);
  const notes = [noteOf.confirmation(actor.username)];
  await recordChanges(
    db,
    actor,
    open.map((tracking) => ({ tracking, notes })),
    now,
  );
  return [...failures, ...gone, ...running.map(({ id }) => ({ id, reason: stillRunning }))];
};

const tag: BatchStep = async (db, actor, ids, input: { tag_ids: number[]; override_tags: boolean }, _batchId, now) => {
  const { rows, failures, gone } = await lockAdministered(db, actor, ids);
  const wanted = (row: TimeTrackingRow): number[] => [...new Set([...input.tag_ids, ...(input.override_tags ? [] : row.tag_ids)])].sort((a, b) => a - b);
  const changed = rows.filter((row) => wanted(row).join() !== row.tag_ids.join());
  const changedIds = changed.map(({ id }) => id);
  if (input.override_tags) {
    await sql`
      delete from time_tracking_tags
      where account_id = ${actor.accountId} and time_tracking_id = any(${changedIds}::bigint[]) and tag_id <> all(${input.tag_ids}::bigint[])`.execute(db);
  }
  await addTags(db, actor.accountId, changedIds, input.tag_ids);
  await touch(db, actor, changed, {}, now);
  const titles = await tagTitles(db, actor, [...new Set([...input.tag_ids, ...changed.flatMap((row) => row.tag_ids)])]);
  const named = (tagIds: readonly number[]) => tagIds.map((id) => titles.get(id)!);
  await recordChanges(
    db,
    actor,
    changed.map((tracking) => ({ tracking, notes: [noteOf.tags(actor.username, named(tracking.tag_ids), named(wanted(tracking)))] })),
    now,
  );
  return [...failures, ...gone];
};

const follower: BatchStep = async (db, actor, ids, input: { follower_ids: number[] }) => {
  const { rows, failures, gone } = await lockAdministered(db, actor, ids);
  for (const { id } of rows) await setFollowers(db, actor, { time_tracking_id: id }, input.follower_ids);
  return [...failures, ...gone];
};

const note: BatchStep = async (db, actor, ids, input: { content: string }, _batchId, now) => {
  const { rows, failures, gone } = await lockAdministered(db, actor, ids);
  for (const { id } of rows) await createNote(db, actor, { time_tracking_id: id }, input.content, now);
  return [...failures, ...gone];
};

/** One that is no longer there is as gone as it should be. */
const destroy: BatchStep = async (db, actor, ids, _input, _batchId, now) => {
  const { rows, failures } = await lockAdministered(db, actor, ids);
  await removeTimeTrackings(db, actor, rows, now);
  return failures;
};

async function touch(db: Db, actor: WorkspaceActor, rows: readonly TimeTrackingRow[], change: { confirmed?: true }, now: Date): Promise<void> {
  if (rows.length === 0) return;
  await db
    .updateTable('time_trackings')
    .set({ ...change, last_editor_id: actor.userId, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute();
}

export const timeTrackingSteps: Readonly<Record<string, BatchStep>> = {
  'time_trackings.tag': tag,
  'time_trackings.follower': follower,
  'time_trackings.note': note,
  'time_trackings.confirm': confirm,
  'time_trackings.destroy': destroy,
};
