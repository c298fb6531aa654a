import { sql } from 'kysely';
import { mayAdminister, rank, type WorkspaceActor } from '../core/permissions.ts';
import type { BatchStep, Failure } from '../batch_actions/batches.ts';
import type { Db } from '../db/connection.ts';
import { statement } from '../db/statement.ts';
import { setFollowersOf } from '../followers/followers.ts';
import { addNotes } from '../notes/notes.ts';
import { noteOf } from './changes.ts';
import { tagTitles } from './differences.ts';
import { recordChanges } from './effects.ts';
import { addTags } from './tags.ts';
import { removeTimeTrackings, stillRunning } from './time_trackings.ts';

/*
 * What batches do to some trackings at once. The rights are those the actor has now, and the rows are locked first, in one
 * order, so that two batches wait for each other instead of standing in each other's way.
 */

/** What the steps need to know of a tracking. */
interface Locked {
  readonly id: number;
  readonly user_id: number;
  readonly area_id: number | null;
  readonly is_running: boolean;
  readonly confirmed: boolean;
}

const lock = statement(
  (_db, { accountId, workspaceId, ids }: { accountId: number; workspaceId: number; ids: readonly number[] }) => sql<Locked>`
    select id, user_id, area_id, ends_at is null as is_running, confirmed from time_trackings
    where account_id = ${accountId} and workspace_id = ${workspaceId} and id = any(${ids}::bigint[])
    order by id for update`,
);

async function lockAdministered(
  db: Db,
  actor: WorkspaceActor,
  ids: readonly number[],
): Promise<{ rows: Locked[]; ids: number[]; failures: Failure[]; gone: Failure[] }> {
  const found = await lock(db, { accountId: actor.accountId, workspaceId: actor.workspace.id, ids });
  const there = new Set(found.map(({ id }) => id));
  const areaIds = await areasOf(db, actor, found);
  const isAdministered = ({ user_id, area_id }: Locked): boolean => {
    const own = areaIds.get(user_id) ?? [];
    return mayAdminister(actor, { area_ids: area_id === null ? own : [...own, area_id] });
  };
  const rows = found.filter(isAdministered);
  const administered = new Set(rows);
  const others = found.filter((row) => !administered.has(row));
  return {
    rows,
    ids: rows.map(({ id }) => id),
    failures: others.map(({ id }) => ({ id, reason: 'You do not administer this time tracking any more.' })),
    gone: ids.filter((id) => !there.has(id)).map((id) => ({ id, reason: 'The time tracking is no longer there.' })),
  };
}

/** The areas of the users of trackings, where it depends on them whether the actor administers these. */
async function areasOf(db: Db, { accountId, rank: own }: WorkspaceActor, rows: readonly Locked[]): Promise<Map<number, number[]>> {
  if (own >= rank.workspaceAdmin) return new Map();
  const userIds = [...new Set(rows.map(({ user_id }) => user_id))];
  const { rows: users } = await sql<{ user_id: number; area_ids: number[] }>`
    select user_id, array_agg(area_id) as area_ids from area_members
    where account_id = ${accountId} and user_id = any(${userIds}::bigint[]) group by user_id`.execute(db);
  return new Map(users.map(({ user_id, area_ids }) => [user_id, area_ids]));
}

const confirm: BatchStep = async (db, actor, ids, _input, _batchId, now) => {
  const { rows, failures, gone } = await lockAdministered(db, actor, ids);
  const running = rows.filter((row) => row.is_running);
  const open = rows.filter((row) => !row.is_running && !row.confirmed).map(({ id }) => id);
  await touch(db, { ...editor(actor, now), ids: open, isConfirmed: true });
  const notes = [noteOf.confirmation(actor.username)];
  await recordChanges(db, actor, open.map((id) => ({ tracking: { id }, notes })), now); // prettier-ignore
  return [...failures, ...gone, ...running.map(({ id }) => ({ id, reason: stillRunning }))];
};

const tag: BatchStep = async (db, actor, ids, input: { tag_ids: number[]; override_tags: boolean }, _batchId, now) => {
  const { ids: administered, failures, gone } = await lockAdministered(db, actor, ids);
  const rows = await tagsOf(db, actor, administered);
  const wanted = (row: Tagged): number[] => [...new Set([...input.tag_ids, ...(input.override_tags ? [] : row.tag_ids)])].sort((a, b) => a - b);
  const changed = rows.filter((row) => wanted(row).join() !== row.tag_ids.join());
  const changedIds = changed.map(({ id }) => id);
  if (input.override_tags) {
    await sql`
      delete from time_tracking_tags
      where account_id = ${actor.accountId} and time_tracking_id = any(${changedIds}::bigint[]) and tag_id <> all(${input.tag_ids}::bigint[])`.execute(db);
  }
  await addTags(db, actor.accountId, changedIds, input.tag_ids);
  await touch(db, { ...editor(actor, now), ids: changedIds, isConfirmed: false });
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
  await setFollowersOf(db, actor, administered.map(owner), input.follower_ids);
  return [...failures, ...gone];
};

const note: BatchStep = async (db, actor, ids, input: { content: string }, _batchId, now) => {
  const { ids: administered, failures, gone } = await lockAdministered(db, actor, ids);
  await addNotes(db, actor, administered.map(owner), input.content, now);
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
  (_db, { accountId, ids }: { accountId: number; ids: readonly number[] }) => sql<object>`
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
  (_db, { accountId, userId, ids, isConfirmed, now }: Touch) => sql<object>`
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
