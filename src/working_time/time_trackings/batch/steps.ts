import { sql } from 'kysely';
import type { BatchStep, Failure } from '../../../platform/batches/batches.ts';
import type { WorkspaceActor } from '../../../platform/core/permissions.ts';
import type { Db } from '../../../platform/db/connection.ts';
import { lockUsersOfTimeTrackings } from '../../../platform/db/locks.ts';
import type { OpenTransaction } from '../../../platform/db/open_transaction.ts';
import { isAnyOf } from '../../../platform/db/rows_by_ids.ts';
import { administeredBy, confirmableBy } from '../../../platform/db/visibility.ts';
import { recordEvents } from '../../../platform/events/record.ts';
import { commonValues, eventInsertion } from '../../../platform/events/record_rows.ts';
import { setFollowers } from '../../../platform/followers/followers.ts';
import { addUserNotes } from '../../../platform/notes/notes.ts';
import { noteOf, recordChanges } from '../change_notes.ts';
import { stillRunning } from '../confirm.ts';
import { timeTrackingEvents } from '../events.ts';
import { removeTimeTrackings } from '../delete.ts';
import { relatedIds } from '../rows.ts';
import { tagTitles } from '../store_changes.ts';
import { addTags } from '../tag_rows.ts';

/*
 * The steps of batches on time trackings. Each locks its time trackings first, by id, and checks the rights that the actor has
 * now.
 */

/** Time trackings in the same state. */
interface LockedGroup {
  readonly is_administered: boolean;
  readonly is_confirmable: boolean;
  readonly is_running: boolean;
  readonly confirmed: boolean;
  readonly ids: readonly number[];
}

/** Locks time trackings and sorts their ids by what the steps may do to them. */
async function lockAdministered(tx: OpenTransaction, actor: WorkspaceActor, ids: readonly number[]) {
  const { rows: groups } = await sql<LockedGroup>`
    select is_administered, is_confirmable, is_running, confirmed, array_agg(id) as ids
    from (
      select time_trackings.id, ${administeredBy(actor, 'time_tracking')} as is_administered,
        ${confirmableBy(actor, 'time_tracking')} as is_confirmable, ends_at is null as is_running, confirmed
      from time_trackings
      where account_id = ${actor.accountId} and workspace_id = ${actor.workspace.id} and id = any(${ids}::bigint[])
      order by id for update) locked
    group by 1, 2, 3, 4`.execute(tx);
  const idsWhere = (matches: (group: LockedGroup) => boolean): number[] =>
    groups.filter(matches).flatMap((group) => group.ids);
  const found = new Set(idsWhere(() => true));
  const failed = (failing: readonly number[], reason: string): Failure[] => failing.map((id) => ({ id, reason }));
  return {
    ids: idsWhere((group) => group.is_administered),
    running: idsWhere((group) => group.is_confirmable && group.is_running),
    unconfirmed: idsWhere((group) => group.is_confirmable && !group.is_running && !group.confirmed),
    confirmed: idsWhere((group) => group.is_confirmable && group.confirmed),
    deletable: idsWhere((group) => (group.confirmed ? group.is_confirmable : group.is_administered)),
    /** Those of the actor that only others may confirm, or delete once they are confirmed. */
    ownFailures: ({ ofConfirmed }: { ofConfirmed: boolean }) =>
      failed(
        idsWhere((group) => group.is_administered && !group.is_confirmable && group.confirmed === ofConfirmed),
        'The workspace requires four eyes: another admin decides about the confirmation of your own time.',
      ),
    failures: failed(
      idsWhere((group) => !group.is_administered),
      'You do not administer this time tracking any more.',
    ),
    missing: failed(
      ids.filter((id) => !found.has(id)),
      'The time tracking is no longer there.',
    ),
  };
}

const confirm: BatchStep = async (tx, actor, ids, _input, _batchId, now) => {
  const { unconfirmed, running, failures, missing, ownFailures } = await lockAdministered(tx, actor, ids);
  await setConfirmed(tx, actor, unconfirmed, 'time_tracking.confirmed', now);
  const notes = [noteOf.confirmation(actor.username)];
  await recordChanges(tx, actor, unconfirmed.map((id) => ({ tracking: { id }, notes })), now); // prettier-ignore
  const stillOpen = running.map((id) => ({ id, reason: stillRunning }));
  return [...failures, ...missing, ...stillOpen, ...ownFailures({ ofConfirmed: false })];
};

/** A time tracking that is not confirmed counts as done. */
const unconfirm: BatchStep = async (tx, actor, ids, _input, _batchId, now) => {
  const { confirmed, failures, missing, ownFailures } = await lockAdministered(tx, actor, ids);
  await setConfirmed(tx, actor, confirmed, 'time_tracking.reset', now);
  const notes = [noteOf.unconfirmation(actor.username)];
  await recordChanges(tx, actor, confirmed.map((id) => ({ tracking: { id }, notes })), now); // prettier-ignore
  return [...failures, ...missing, ...ownFailures({ ofConfirmed: true })];
};

const tag: BatchStep = async (tx, actor, ids, input: { tag_ids: number[]; override_tags: boolean }, _batchId, now) => {
  const { ids: administered, failures, missing } = await lockAdministered(tx, actor, ids);
  const rows = await labelsOf(tx, actor, administered);
  const wanted = (row: Labelled): number[] =>
    [...new Set([...input.tag_ids, ...(input.override_tags ? [] : row.tag_ids)])].sort((a, b) => a - b);
  const changed = rows.filter((row) => wanted(row).join() !== row.tag_ids.join());
  const changedIds = changed.map(({ id }) => id);
  if (input.override_tags) {
    await sql`
      delete from time_tracking_tags
      where account_id = ${actor.accountId} and time_tracking_id = any(${changedIds}::bigint[]) and tag_id <> all(${input.tag_ids}::bigint[])`.execute(
      tx,
    );
  }
  await addTags(tx, actor.accountId, changedIds, input.tag_ids);
  await tx
    .updateTable('time_trackings')
    .set({ last_editor_id: actor.userId, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where(isAnyOf('id', changedIds))
    .execute();
  const events = changed.map((row) => timeTrackingEvents.eventOf('updated', row, { ...row, tag_ids: wanted(row) })!);
  recordEvents(tx, actor, events, now);
  const titles = await tagTitles(tx, actor, [...new Set([...input.tag_ids, ...changed.flatMap((row) => row.tag_ids)])]);
  const named = (tagIds: readonly number[]) => tagIds.map((id) => titles.get(id)!);
  await recordChanges(
    tx,
    actor,
    changed.map((tracking) => ({
      tracking,
      notes: [noteOf.tags(actor.username, named(tracking.tag_ids), named(wanted(tracking)))],
    })),
    now,
  );
  return [...failures, ...missing];
};

/** A time tracking with its tags and followers. */
interface Labelled {
  readonly id: number;
  readonly uuid: string | null;
  readonly workspace_id: number;
  readonly external_id: string | null;
  readonly user_id: number;
  readonly tag_ids: readonly number[];
  readonly follower_ids: readonly number[];
}

async function labelsOf(db: Db, { accountId }: WorkspaceActor, ids: readonly number[]): Promise<Labelled[]> {
  const { rows } = await sql<Labelled>`
    select id, uuid, workspace_id, external_id, user_id, ${relatedIds(accountId, 'time_tracking_tags', 'tag_id')} as tag_ids,
      ${relatedIds(accountId, 'time_tracking_followers', 'user_id')} as follower_ids
    from time_trackings where account_id = ${accountId} and id = any(${ids}::bigint[])`.execute(db);
  return rows;
}

const owner = (id: number) => ({ time_tracking_id: id });

const follower: BatchStep = async (tx, actor, ids, input: { follower_ids: number[] }, _batchId, now) => {
  const { ids: administered, failures, missing } = await lockAdministered(tx, actor, ids);
  const rows = await labelsOf(tx, actor, administered);
  await setFollowers(tx, actor, administered.map(owner), input.follower_ids);
  const follower_ids = [...new Set(input.follower_ids)].sort((a, b) => a - b);
  const events = rows.map((row) => timeTrackingEvents.eventOf('updated', row, { ...row, follower_ids }));
  recordEvents(tx, actor, events.filter((event) => event !== undefined), now); // prettier-ignore
  return [...failures, ...missing];
};

const note: BatchStep = async (tx, actor, ids, input: { content: string }, _batchId, now) => {
  const { ids: administered, failures, missing } = await lockAdministered(tx, actor, ids);
  const notes = administered.map((id) => ({ owner: owner(id), content: input.content }));
  await addUserNotes(tx, actor, notes, now);
  return [...failures, ...missing];
};

/** A time tracking that no longer exists counts as deleted. */
const destroy: BatchStep = async (tx, actor, ids, _input, _batchId, now) => {
  await lockUsersOfTimeTrackings(tx, { accountId: actor.accountId, timeTrackingIds: ids });
  const { deletable, failures, ownFailures } = await lockAdministered(tx, actor, ids);
  await removeTimeTrackings(tx, actor, deletable, now);
  return [...failures, ...ownFailures({ ofConfirmed: true })];
};

/** Confirms time trackings that are not confirmed, or takes that back from those that are, and records it. */
async function setConfirmed(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ids: readonly number[],
  name: 'time_tracking.confirmed' | 'time_tracking.reset',
  now: Date,
): Promise<void> {
  const confirmed = name === 'time_tracking.confirmed';
  const changes = JSON.stringify({ confirmed: [!confirmed, confirmed] });
  const edited = tx
    .selectFrom('time_trackings')
    .select(['workspace_id', 'id', 'uuid', 'external_id', 'user_id', sql`${changes}::jsonb`.as('changes')])
    .where('account_id', '=', actor.accountId)
    .where(isAnyOf('id', ids));
  await tx
    .updateTable('time_trackings')
    .set({ confirmed, last_editor_id: actor.userId, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where(isAnyOf('id', ids))
    .execute();
  await eventInsertion({ ...commonValues(actor, now), name, rows: sql`(${edited})` }).execute(tx);
}

export const timeTrackingSteps: Readonly<Record<string, BatchStep>> = {
  'time_trackings.tag': tag,
  'time_trackings.follower': follower,
  'time_trackings.note': note,
  'time_trackings.confirm': confirm,
  'time_trackings.unconfirm': unconfirm,
  'time_trackings.destroy': destroy,
};
