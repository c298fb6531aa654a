import { sql } from 'kysely';
import { invalid, notFound } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import { authorize, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { bareIdsIn, namedFilter } from '../../platform/db/list/filters.ts';
import { concernsAreas } from '../../platform/db/list/area_condition.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { areasOf, readableBy, userRank } from '../../platform/db/visibility.ts';
import { eventsOf } from '../../platform/events/record.ts';

const columns = listColumns('listWorkingTimeViolations', 'working_time_violations');

/** The violations of a workspace with the rank and the areas of the user, and the area of the time tracking. */
const violationRows = (db: Db, { accountId, workspace }: WorkspaceActor) =>
  db
    .selectFrom('working_time_violations')
    .leftJoin('time_trackings as tracking', (join) =>
      join
        .on('tracking.account_id', '=', accountId)
        .onRef('tracking.id', '=', 'working_time_violations.time_tracking_id'),
    )
    .where('working_time_violations.account_id', '=', accountId)
    .where('working_time_violations.workspace_id', '=', workspace.id)
    .selectAll('working_time_violations')
    .select([
      'tracking.uuid as time_tracking_uuid',
      userRank(accountId, sql.ref('working_time_violations.user_id'), workspace.id).as('user_rank'),
      areasOf(accountId, sql.ref('working_time_violations.user_id'), sql.ref('tracking.area_id')).as('area_ids'),
    ]);

export type ViolationRow = Awaited<ReturnType<ReturnType<typeof violationRows>['executeTakeFirstOrThrow']>>;

/** The actor's own violations, and those of users and time trackings they administer. */
export function listViolations(db: Db, actor: WorkspaceActor, selection: Selection) {
  const { accountId, workspace } = actor;
  const visible = db
    .selectFrom('working_time_violations')
    .where('working_time_violations.account_id', '=', accountId)
    .where('working_time_violations.workspace_id', '=', workspace.id)
    .where(readableBy(actor, 'working_time_violation'));
  return list(
    db,
    {
      visible,
      rows: violationRows(db, actor),
      id: 'working_time_violations.id',
      columns,
      timeZone: workspace.time_zone,
      named: {
        user_id: namedFilter(bareIdsIn, (ids) => sql`working_time_violations.user_id = any(${ids}::bigint[])`),
        area_id: namedFilter(bareIdsIn, (ids) => concernsAreas('working_time_violations', accountId, ids)),
      },
    },
    selection,
  );
}

/** One violation of the actor's workspace that they may read; 404 and 403 otherwise. */
export async function findViolation(db: Db, actor: WorkspaceActor, ref: Id): Promise<ViolationRow> {
  const id = numericId(ref);
  const row =
    id === undefined
      ? undefined
      : await violationRows(db, actor).where('working_time_violations.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('working-time violation');
  authorize(actor, 'read', 'working_time_violation', row);
  return row;
}

const violationEvents = eventsOf<ViolationRow>()('working_time_violation', [
  'acknowledged_at',
  'acknowledged_by_user_id',
  'acknowledgement_reason',
]);

/** Notes who knows about a violation, when and why. */
export async function acknowledgeViolation(
  db: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  reason: string,
  now: Date,
): Promise<ViolationRow> {
  const row = await findViolation(db, actor, ref);
  authorize(actor, 'acknowledge', 'working_time_violation', row);
  // Of two acknowledgements at the same time, the second changes nothing.
  const acknowledged = await db
    .updateTable('working_time_violations')
    .set({
      acknowledged_at: now,
      acknowledged_by_user_id: actor.userId,
      acknowledgement_reason: reason,
      updated_at: now,
    })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', row.id)
    .where('acknowledged_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  const after = await findViolation(db, actor, row.id);
  if (!acknowledged) throw invalid('wrong_state', 'base', `The violation ${row.id} is already acknowledged.`);
  violationEvents.record(db, actor, 'acknowledged', { before: row, after }, now);
  return after;
}
