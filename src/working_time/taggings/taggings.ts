import { sql } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import { findAction } from '../punches/actions.ts';
import { createActionTagging, taggingEvents } from '../punches/taggings.ts';
import { AppError, notFound, refuse } from '../../platform/core/errors.ts';
import { isUuid, numericId, unknownIds, type Id } from '../../platform/core/ids.ts';
import { authorize, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { ofNoTable } from '../../platform/db/list/computed_list.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { readableBy } from '../../platform/db/visibility.ts';
import { tagProblems } from '../../organisation/tags/tags.ts';
import { factsOf } from '../time_trackings/rows.ts';
import { findTimeTracking, lockTimeTracking } from '../time_trackings/time_trackings.ts';
import { editTimeTracking } from '../time_trackings/update.ts';

type NewTagging = components['schemas']['RecordTaggingCreation']['data']['attributes'];

export interface Tagging {
  readonly id: string;
  readonly tag_id: number;
  readonly taggable_type: components['schemas']['TaggableType'];
  readonly taggable_id: string;
}

const columns = listColumns('listTaggings', 'taggings', {
  taggable_type: { kind: 'text', value: sql.ref('taggings.taggable_type') },
  taggable_id: { kind: 'text', value: sql.ref('taggings.taggable_id') },
});

/** The taggings of the workspace, on records that fulfil the conditions. */
const taggingRows = (
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  { timeTrackings, actions } = { timeTrackings: sql<boolean>`true`, actions: sql<boolean>`true` },
) =>
  db.selectFrom(
    sql<Tagging>`(
      select tagging.id, tagging.tag_id, 'TimeTracking' as taggable_type,
        coalesce(time_trackings.uuid::text, time_trackings.id::text) as taggable_id
      from time_tracking_tags tagging
      join time_trackings on time_trackings.account_id = ${accountId} and time_trackings.id = tagging.time_tracking_id
      where tagging.account_id = ${accountId} and time_trackings.workspace_id = ${workspace.id} and ${timeTrackings}
      union all
      select tagging.id, tagging.tag_id, 'WorkingSessionAction', actions.id::text
      from taggings tagging
      join actions on actions.account_id = ${accountId} and actions.id = tagging.action_id
      where tagging.account_id = ${accountId} and actions.workspace_id = ${workspace.id} and ${actions})`.as<'taggings'>(
      sql`taggings`,
    ),
  );

/** The taggings of the records that the actor may read. */
export function listTaggings(db: Db, actor: WorkspaceActor, selection: Selection) {
  const source = taggingRows(db, actor, {
    timeTrackings: readableBy(actor, 'time_tracking'),
    actions: readableBy(actor, 'action'),
  });
  const rows = source.selectAll();
  return list(
    db,
    {
      visible: ofNoTable(source),
      rows,
      id: 'taggings.id',
      idKind: 'uuid',
      columns,
      timeZone: actor.workspace.time_zone,
    },
    selection,
  );
}

/** One tagging of a record that the actor may read; 404 and 403 otherwise. */
export async function findTagging(db: Db, actor: WorkspaceActor, ref: Id): Promise<Tagging> {
  const row = isUuid(String(ref))
    ? await taggingRows(db, actor).selectAll().where('taggings.id', '=', String(ref)).executeTakeFirst()
    : undefined;
  if (!row) throw notFound('tagging');
  if (row.taggable_type === 'TimeTracking') await findTimeTracking(db, actor, row.taggable_id);
  else await findAction(db, actor, row.taggable_id);
  return row;
}

/** Puts a tag on a time tracking or an action. A tag that it has already changes nothing. */
export async function createTagging(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  { tag_id, taggable_type, taggable_id }: NewTagging,
  now: Date,
): Promise<Tagging> {
  if (taggable_type === 'TimeTracking') return tagTimeTracking(tx, actor, taggable_id, tag_id, now);
  const { id, action_id, ...tagging } = await createActionTagging(tx, actor, String(taggable_id), tag_id, now).catch(
    isUnknown('taggable_id', taggable_id, 'action of this workspace'),
  );
  return { id, taggable_type, taggable_id: action_id, tag_id: tagging.tag_id };
}

async function tagTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  trackingRef: Id,
  tagRef: Id,
  now: Date,
): Promise<Tagging> {
  const tracking = await lockTimeTracking(tx, actor, trackingRef).catch(
    isUnknown('taggable_id', trackingRef, 'time tracking of this workspace'),
  );
  authorize(actor, 'tag', 'time_tracking', factsOf(tracking));
  const tagId = numericId(tagRef);
  if (tagId === undefined || !tracking.tag_ids.includes(tagId)) {
    refuse(await tagProblems(tx, actor, 'tag_id', [tagRef]));
    await editTimeTracking(tx, actor, tracking, { tag_ids: [...tracking.tag_ids, tagId!] }, now);
  }
  return taggingRows(tx, actor, {
    timeTrackings: sql<boolean>`time_trackings.id = ${tracking.id}`,
    actions: sql<boolean>`false`,
  })
    .selectAll()
    .where('taggings.tag_id', '=', tagId!)
    .executeTakeFirstOrThrow();
}

/** Takes a tag off its record and returns the tagging as it was. */
export async function deleteTagging(tx: OpenTransaction, actor: WorkspaceActor, ref: Id, now: Date): Promise<Tagging> {
  const tagging = await findTagging(tx, actor, ref);
  if (tagging.taggable_type === 'TimeTracking') {
    const tracking = await lockTimeTracking(tx, actor, tagging.taggable_id);
    authorize(actor, 'tag', 'time_tracking', factsOf(tracking));
    const tag_ids = tracking.tag_ids.filter((id) => id !== tagging.tag_id);
    // Somebody else was faster.
    if (tag_ids.length === tracking.tag_ids.length) throw notFound('tagging');
    await editTimeTracking(tx, actor, tracking, { tag_ids }, now);
    return tagging;
  }
  const { user_id, workspace_id, ...action } = await findAction(tx, actor, tagging.taggable_id);
  authorize(actor, 'tag', 'action', { ...action, user_id });
  const deleted = await tx
    .deleteFrom('taggings')
    .where('account_id', '=', actor.accountId)
    .where('id', '=', tagging.id)
    .returning('id')
    .executeTakeFirst();
  if (!deleted) throw notFound('tagging');
  taggingEvents.record(tx, actor, 'deleted', { before: { ...tagging, user_id, workspace_id }, after: null }, now);
  return tagging;
}

/** A record that a request refers to is unknown: that is 400, not 404. */
const isUnknown =
  (pointer: string, ref: Id, what: string) =>
  (error: unknown): never => {
    if (error instanceof AppError && error.status === 404) refuse(unknownIds(pointer, [ref], what));
    throw error;
  };
