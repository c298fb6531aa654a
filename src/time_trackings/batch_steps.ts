import { sql } from 'kysely';
import type { WorkspaceActor } from '../core/permissions.ts';
import type { BatchStep, Failure } from '../batch_actions/batches.ts';
import type { Db } from '../db/connection.ts';
import type { Placeholders } from '../db/placeholders.ts';
import { statement } from '../db/statement.ts';
import { administeredBy } from '../db/visibility.ts';
import { setFollowers } from '../followers/followers.ts';
import { addUserNotes } from '../notes/notes.ts';
import { noteOf } from './note_texts.ts';
import { tagTitles } from './differences.ts';
import { recordChanges } from './notes_and_followers.ts';
import { addTags } from './tags.ts';
import { removeTimeTrackings, stillRunning } from './time_trackings.ts';

/*
 * What batches do to some trackings at once. The rights are those the actor has now, and the rows are locked first, in one
 * order, so that two batches wait for each other instead of standing in each other's way.
 */

/** Trackings that are alike in what the steps need to know. */
interface Alike {
  readonly is_administered: boolean;
  readonly is_running: boolean;
  readonly confirmed: boolean;
  readonly ids: readonly number[];
}

async function lockAdministered(db: Db, actor: WorkspaceActor, ids: readonly number[]) {
  const { rows: found } = await sql<Alike>`
    select is_administered, is_running, confirmed, array_agg(id) as ids
    from (
      select time_trackings.id, ${administeredBy(actor, 'time_tracking')} as is_administered, ends_at is null as is_running, confirmed
      from time_trackings
      where account_id = ${actor.accountId} and workspace_id = ${actor.workspace.id} and id = any(${ids}::bigint[])
      order by id for update) locked
    group by 1, 2, 3`.execute(db);
  const idsThat = (is: (group: Alike) => boolean): number[] => found.filter(is).flatMap((group) => group.ids);
  const there = new Set(idsThat(() => true));
  const failed = (failing: readonly number[], reason: string): Failure[] => failing.map((id) => ({ id, reason }));
  return {
    ids: idsThat((group) => group.is_administered),
    running: idsThat((group) => group.is_administered && group.is_running),
    open: idsThat((group) => group.is_administered && !group.is_running && !group.confirmed),
    failures: failed(
      idsThat((group) => !group.is_administered),
      'You do not administer this time tracking any more.',
    ),
    gone: failed(
      ids.filter((id) => !there.has(id)),
      'The time tracking is no longer there.',
    ),
  };
}

const confirm: BatchStep = async (db, actor, ids, _input, _batchId, now) => {
  const { open, running, failures, gone } = await lockAdministered(db, actor, ids);
  await touch(db, { ...editor(actor, now), ids: open, isConfirmed: true });
  const notes = [noteOf.confirmation(actor.username)];
  await recordChanges(db, actor, open.map((id) => ({ tracking: { id }, notes })), now); // prettier-ignore
  return [...failures, ...gone, ...running.map((id) => ({ id, reason: stillRunning }))];
};

const tag: BatchStep = async (db, actor, ids, input: { tag_ids: number[]; override_tags: boolean }, _batchId, now) => {
  const { ids: administered, failures, gone } = await lockAdministered(db, actor, ids);
  const rows = await tagsOf(db, actor, administered);
  const wanted = (row: Tagged): number[] =>
    [...new Set([...input.tag_ids, ...(input.override_tags ? [] : row.tag_ids)])].sort((a, b) => a - b);
  const changed = rows.filter((row) => wanted(row).join() !== row.tag_ids.join());
  const changedIds = changed.map(({ id }) => id);
  if (input.override_tags) {
    await sql`
      delete from time_tracking_tags
      where account_id = ${actor.accountId} and time_tracking_id = any(${changedIds}::bigint[]) and tag_id <> all(${input.tag_ids}::bigint[])`.execute(
      db,
    );
  }
  await addTags(db, actor.accountId, changedIds, input.tag_ids);
  await touch(db, { ...editor(actor, now), ids: changedIds, isConfirmed: false });
  const titles = await tagTitles(db, actor, [...new Set([...input.tag_ids, ...changed.flatMap((row) => row.tag_ids)])]);
  const named = (tagIds: readonly number[]) => tagIds.map((id) => titles.get(id)!);
  await recordChanges(
    db,
    actor,
    changed.map((tracking) => ({
      tracking,
      notes: [noteOf.tags(actor.username, named(tracking.tag_ids), named(wanted(tracking)))],
    })),
    now,
  );
  return [...failures, ...gone];
};

interface Tagged {
  readonly id: number;
  readonly tag_ids: readonly number[];
}

async function tagsOf(db: Db, { accountId }: WorkspaceActor, ids: readonly number[]): Promise<Tagged[]> {
  const { rows } = await sql<Tagged>`
    select tracking.id, array(
      select tag.tag_id from time_tracking_tags tag where tag.account_id = ${accountId} and tag.time_tracking_id = tracking.id order by tag.tag_id) as tag_ids
    from unnest(${ids}::bigint[]) tracking (id)`.execute(db);
  return rows;
}

const owner = (id: number) => ({ time_tracking_id: id });

const follower: BatchStep = async (db, actor, ids, input: { follower_ids: number[] }) => {
  const { ids: administered, failures, gone } = await lockAdministered(db, actor, ids);
  await setFollowers(db, actor, administered.map(owner), input.follower_ids);
  return [...failures, ...gone];
};

const note: BatchStep = async (db, actor, ids, input: { content: string }, _batchId, now) => {
  const { ids: administered, failures, gone } = await lockAdministered(db, actor, ids);
  const notes = administered.map((id) => ({ owner: owner(id), content: input.content }));
  await addUserNotes(db, actor, notes, now);
  return [...failures, ...gone];
};

/** One that is no longer there is as gone as it should be. */
const destroy: BatchStep = async (db, actor, ids, _input, _batchId, now) => {
  await holdUsers(db, { accountId: actor.accountId, ids });
  const { ids: administered, failures } = await lockAdministered(db, actor, ids);
  await removeTimeTrackings(db, actor, administered, now);
  return failures;
};

/** Whoever takes away somebody's work holds him first, as for a change to a single tracking. */
const holdUsers = statement(
  (_db, { accountId, ids }: Placeholders<{ accountId: number; ids: readonly number[] }>) => sql<object>`
    select from users where account_id = ${accountId} and id = any(array(
      select tracking.user_id from time_trackings tracking where tracking.account_id = ${accountId} and tracking.id = any(${ids}::bigint[])))
    order by id for no key update`,
);

interface Touch {
  accountId: number;
  userId: number | null;
  ids: readonly number[];
  isConfirmed: boolean;
  now: Date;
}

const editor = ({ accountId, userId }: WorkspaceActor, now: Date) => ({ accountId, userId, now });

/** Says who was the last to change trackings, and confirms them where that is the change. */
const touch = statement(
  (_db, { accountId, userId, ids, isConfirmed, now }: Placeholders<Touch>) => sql<object>`
    update time_trackings set confirmed = confirmed or ${isConfirmed}, last_editor_id = ${userId}, updated_at = ${now}
    where account_id = ${accountId} and id = any(${ids}::bigint[])`,
);

export const timeTrackingSteps: Readonly<Record<string, BatchStep>> = {
  'time_trackings.tag': tag,
  'time_trackings.follower': follower,
  'time_trackings.note': note,
  'time_trackings.confirm': confirm,
  'time_trackings.destroy': destroy,
};
