import { sql } from 'kysely';
import { refuse, type Problem } from '../../../platform/core/errors.ts';
import { isUuid, numericId, numericIds, unknownIds, type Id } from '../../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../../platform/core/permissions.ts';
import { idsInBatch, startBatch } from '../../../platform/batches/batches.ts';
import type { Db } from '../../../platform/db/connection.ts';
import { applyConditions } from '../../../platform/db/list/conditions.ts';
import { readFilters } from '../../../platform/db/list/read_filters.ts';
import { administeredBy, confirmableBy } from '../../../platform/db/visibility.ts';
import { memberProblems } from '../../../organisation/users/memberships.ts';
import { tagProblems } from '../../../organisation/tags/tags.ts';
import { planFor, timeTrackingCollection } from '../list/list.ts';

/** One action on many time trackings. The contract says and checks which attributes each action needs. */
export interface TimeTrackingBatch {
  action: 'tag' | 'follower' | 'note' | 'confirm' | 'unconfirm' | 'destroy';
  ids?: readonly Id[] | Readonly<Record<string, Id>>;
  tag_ids?: readonly Id[];
  override_tags?: boolean;
  follower_ids?: readonly Id[];
  note?: { content: string };
  all?: boolean;
  filter?: Readonly<Record<string, string>>;
}

/** Checks a batch and starts it. Its steps are in steps.ts. */
export async function batchTimeTrackings(db: Db, actor: WorkspaceActor, batch: TimeTrackingBatch, now: Date) {
  const { action, tag_ids = [], follower_ids = [] } = batch;
  const isAll = isDecision(action) && batch.all === true;
  const given = isAll ? [] : idsInBatch('ids', batch.ids!);
  const { numbers, refused, own } = await findPermitted(db, actor, given, action);
  refuse([
    ...unknownIds('ids', refused, 'time tracking of this workspace that you administer'),
    ...ownProblems(own),
    ...(action === 'tag' ? await tagProblems(db, actor, 'tag_ids', tag_ids) : []),
    ...(action === 'follower' ? await memberProblems(db, actor, 'follower_ids', follower_ids) : []),
  ]);
  const input = {
    tag: { tag_ids: numericIds(tag_ids).numbers, override_tags: batch.override_tags === true },
    follower: { follower_ids: numericIds(follower_ids).numbers },
    note: { content: batch.note?.content },
    confirm: {},
    unconfirm: {},
    destroy: {},
  }[action];
  const ids = isAll ? await matchingIds(db, actor, batch, now) : numbers;
  return startBatch(db, actor, { action: `time_trackings.${action}`, itemType: 'time_tracking', ids, input }, now);
}

/** Whether an action is about the confirmation. It can be applied to all time trackings that match filters. */
const isDecision = (action: TimeTrackingBatch['action']): boolean => action === 'confirm' || action === 'unconfirm';

/** The time trackings to which the actor may apply an action. */
const permitted = (actor: WorkspaceActor, action: TimeTrackingBatch['action']) => {
  if (isDecision(action)) return confirmableBy(actor, 'time_tracking');
  const administered = administeredBy(actor, 'time_tracking');
  return action === 'destroy'
    ? sql<boolean>`(${administered} and (not time_trackings.confirmed or ${confirmableBy(actor, 'time_tracking')}))`
    : administered;
};

const ownProblems = (ids: readonly Id[]): Problem[] =>
  ids.map((id) => ({
    code: 'unusable_reference',
    pointer: 'ids',
    title: `ids names ${JSON.stringify(id)}, which is your own time tracking. The workspace requires four eyes: another admin decides about its confirmation.`,
  }));

/**
 * The numeric ids of time trackings named by either form of id. `refused` are the ids that are not of one that the actor
 * administers, `own` those of their own that only others may confirm.
 */
async function findPermitted(
  db: Db,
  actor: WorkspaceActor,
  ids: readonly Id[],
  action: TimeTrackingBatch['action'],
): Promise<{ numbers: number[]; refused: Id[]; own: Id[] }> {
  const uuids = ids.map(String).filter(isUuid);
  const idsByUuid = uuids.length === 0 ? new Map<string, number>() : await idsOfUuids(db, actor, uuids);
  const numberOf = (id: Id): number | undefined => numericId(id) ?? idsByUuid.get(String(id).toLowerCase());
  // A time tracking that no longer exists stays in the batch and counts as done.
  const numbers = ids.map(numberOf).filter((id) => id !== undefined);
  const found = db
    .selectFrom('time_trackings')
    .where('time_trackings.account_id', '=', actor.accountId)
    .where('time_trackings.workspace_id', '=', actor.workspace.id)
    .where(sql<boolean>`time_trackings.id = any(${numbers}::bigint[])`);
  const { count } = await found
    .where(permitted(actor, action))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  // Usually all are permitted. Only if not, a second query finds out which.
  if (count === new Set(ids.map(numberOf)).size) return { refused: [], own: [], numbers };
  const rows = await found
    .select([
      'time_trackings.id',
      administeredBy(actor, 'time_tracking').as('is_administered'),
      permitted(actor, action).as('is_permitted'),
    ])
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  const isMissing = (id: Id): boolean =>
    action === 'destroy' && (numberOf(id) !== undefined || isUuid(String(id))) && !known.has(numberOf(id) ?? 0);
  const rowOf = (id: Id) => known.get(numberOf(id) ?? 0);
  return {
    refused: ids.filter((id) => !rowOf(id)?.is_administered && !isMissing(id)),
    own: ids.filter((id) => rowOf(id)?.is_administered && !rowOf(id)!.is_permitted),
    numbers,
  };
}

/** The numeric ids of punched time trackings of the workspace, by their UUIDs. */
async function idsOfUuids(db: Db, actor: WorkspaceActor, uuids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('time_trackings')
    .select(['id', 'uuid'])
    .where('account_id', '=', actor.accountId)
    .where('workspace_id', '=', actor.workspace.id)
    .where(sql<boolean>`uuid = any(${uuids}::uuid[])`)
    .execute();
  return new Map(rows.map(({ id, uuid }) => [uuid!, id]));
}

/** The finished time trackings that match the filters, whose confirmation the actor may decide about, and that the action changes. */
async function matchingIds(
  db: Db,
  actor: WorkspaceActor,
  { action, filter = {} }: TimeTrackingBatch,
  now: Date,
): Promise<number[]> {
  const { shape, values } = planFor(actor, { hasPermissions: false }, now);
  const { visible, named, timeZone } = timeTrackingCollection(db, shape, values);
  const filterable = { columns: {}, named, timeZone };
  const { conditions, ignoredParameters } = readFilters(filterable, filter);
  refuse(ignoredParameters);
  const decidable = visible
    .where('time_trackings.confirmed', '=', action === 'unconfirm')
    .where('time_trackings.ends_at', 'is not', null)
    .where(confirmableBy(actor, 'time_tracking'));
  const rows = await applyConditions({ ...filterable, visible: decidable }, conditions)
    .select('time_trackings.id')
    .orderBy('time_trackings.starts_at')
    .orderBy('time_trackings.id')
    .execute();
  return rows.map(({ id }) => id);
}
