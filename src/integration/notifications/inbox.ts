import { sql, type SqlBool } from 'kysely';
import type { BatchStep } from '../../platform/batches/batches.ts';
import { idsInBatch, startBatch } from '../../platform/batches/batches.ts';
import { notFound, refuse } from '../../platform/core/errors.ts';
import { numericId, numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import { authorize, may, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { namedFilter, onlyIdsIn, parser, type NamedFilter } from '../../platform/db/list/filters.ts';
import { concernsAreas } from '../../platform/db/list/area_condition.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { areasOf, readableBy, userRank } from '../../platform/db/visibility.ts';
import { eventsOf, recordEvents } from '../../platform/events/record.ts';

const columns = listColumns('listNotifications', 'notifications');

/** The notifications of a workspace, with the rank and the areas of the user, and the area of the time tracking that a warning is about. */
const notificationRows = (db: Db, { accountId, workspace }: WorkspaceActor) =>
  db
    .selectFrom('notifications')
    .leftJoin('time_trackings as tracking', (join) =>
      join.on('tracking.account_id', '=', accountId).onRef('tracking.id', '=', 'notifications.time_tracking_id'),
    )
    .where('notifications.account_id', '=', accountId)
    .where('notifications.workspace_id', '=', workspace.id)
    .selectAll('notifications')
    .select([
      'tracking.uuid as time_tracking_uuid',
      userRank(accountId, sql.ref('notifications.user_id'), workspace.id).as('user_rank'),
      areasOf(accountId, sql.ref('notifications.user_id'), sql.ref('tracking.area_id')).as('area_ids'),
    ]);

export type NotificationRow = Awaited<ReturnType<ReturnType<typeof notificationRows>['executeTakeFirstOrThrow']>>;

const notificationEvents = eventsOf<NotificationRow>()('notification', [
  'type',
  'title',
  'message',
  'rule',
  'time_tracking_id',
  'absence_id',
]);

/** The notifications that the actor may read, and therefore delete. */
const visibleTo = (db: Db, actor: WorkspaceActor) =>
  db
    .selectFrom('notifications')
    .where('notifications.account_id', '=', actor.accountId)
    .where('notifications.workspace_id', '=', actor.workspace.id)
    .where(readableBy(actor, 'notification'));

/** The actor's own notifications, and the warnings about users they administer. */
export function listNotifications(db: Db, actor: WorkspaceActor, selection: Selection) {
  const rows = notificationRows(db, actor);
  return list(
    db,
    {
      visible: visibleTo(db, actor),
      rows,
      id: 'notifications.id',
      columns,
      named: notificationFilters(actor.accountId),
      timeZone: actor.workspace.time_zone,
    },
    selection,
  );
}

const notificationFilters = (accountId: number): Record<string, NamedFilter> => ({
  user_id: namedFilter(onlyIdsIn('user_id'), (ids) => sql`notifications.user_id = any(${ids}::bigint[])`),
  area_id: namedFilter(onlyIdsIn('area_id'), (ids) => concernsAreas('notifications', accountId, ids)),
  rule: namedFilter(rulesIn, (rules) => sql`notifications.rule = any(${rules}::text[])`),
});

/** The names of rules. Unknown ones match nothing. */
const rulesIn = parser({ allowed: 'names of rules, separated by commas' }, (text) =>
  /^\w+(\s*,\s*\w+)*$/.test(text) ? text.split(',').map((name) => name.trim()) : undefined,
);

/** Deletes one notification of a type and returns it as it was; 404 and 403 otherwise. */
export async function deleteNotification(
  db: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  type: string,
  now: Date,
): Promise<NotificationRow> {
  const id = numericId(ref);
  const row =
    id === undefined
      ? undefined
      : await notificationRows(db, actor)
          .where('notifications.id', '=', id)
          .where('notifications.type', '=', type)
          .executeTakeFirst();
  if (!row) throw notFound('notification');
  authorize(actor, 'destroy', 'notification', row);
  await remove(db, actor, [row], now);
  return row;
}

/** Starts the deletion of some notifications, or of all that the actor may delete. One that does not exist counts as deleted. */
export async function startDeletion(
  db: Db,
  actor: WorkspaceActor,
  input: { all?: boolean; ids?: readonly Id[] | Readonly<Record<string, Id>> },
  now: Date,
) {
  const ids = input.all
    ? await visibleIds(db, actor)
    : await deletableIds(db, actor, idsInBatch('ids', input.ids ?? []));
  return startBatch(db, actor, { action: 'notifications.destroy', itemType: 'notification', ids, input: {} }, now);
}

const visibleIds = async (db: Db, actor: WorkspaceActor): Promise<number[]> =>
  (await visibleTo(db, actor).select('notifications.id').orderBy('notifications.id').execute()).map(({ id }) => id);

async function deletableIds(db: Db, actor: WorkspaceActor, ids: readonly Id[]): Promise<number[]> {
  const { numbers, impossible } = numericIds(ids);
  const refused = (await notificationsByIds(db, actor, numbers))
    .filter((row) => !may(actor, 'destroy', 'notification', row))
    .map((row) => String(row.id));
  refuse(unknownIds('ids', [...impossible, ...refused], 'notification that you may delete'));
  return numbers;
}

export const notificationsByIds = (db: Db, actor: WorkspaceActor, ids: readonly number[]): Promise<NotificationRow[]> =>
  rowsByIds(notificationRows(db, actor), 'notifications.id', ids);

/** Deletes notifications. Another request may have deleted some of them meanwhile, which leave no event here. */
async function remove(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  rows: readonly NotificationRow[],
  now: Date,
): Promise<void> {
  const deleted = await tx
    .deleteFrom('notifications')
    .where('account_id', '=', actor.accountId)
    .where(sql<SqlBool>`id = any(${rows.map(({ id }) => id)}::bigint[])`)
    .returningAll()
    .execute();
  // As they were when they were deleted: their texts may have changed since they were read.
  const last = new Map(deleted.map((row) => [row.id, row]));
  const events = rows.flatMap((row) =>
    last.has(row.id) ? (notificationEvents.eventOf('deleted', { ...row, ...last.get(row.id)! }, null) ?? []) : [],
  );
  recordEvents(tx, actor, events, now);
}

/** The steps of batches on notifications. They check the rights that the actor has at that moment. */
export const notificationSteps: Readonly<Record<string, BatchStep>> = {
  'notifications.destroy': async (tx, actor, ids, _input, _batchId, now) => {
    const rows = await notificationsByIds(tx, actor, ids);
    const allowed = rows.filter((row) => may(actor, 'destroy', 'notification', row));
    await remove(tx, actor, allowed, now);
    const refused = rows.filter((row) => !allowed.includes(row));
    return refused.map(({ id }) => ({ id, reason: 'You are not authorized to delete this notification.' }));
  },
};
