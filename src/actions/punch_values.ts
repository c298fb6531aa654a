import { sql, type CompiledQuery, type Selectable } from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { statement } from '../db/statement.ts';
import { actorColumns } from '../events/record.ts';
import { byEffect, type ChangePunch, type PunchRow, type StartPunch } from './punch_rows.ts';

/*
 * The rows of punches where accounts are distributed over several servers. Citus executes a statement that writes several tables
 * part by part and copies rows in between, and also copies selected rows that are inserted. Lists of values and updates go to the
 * server of the account as they are. So each table has a statement of its own here.
 */

type Tracking = Pick<Selectable<DB['time_trackings']>, 'id' | 'uuid' | 'external_id' | 'user_id'>;

/** Starts the time trackings of punches. Returns all time trackings with the queries that store the rest. */
export async function writePunchValues(
  tx: OpenTransaction,
  punches: readonly PunchRow[],
): Promise<{ trackings: readonly Tracking[]; queries: readonly CompiledQuery<never>[] }> {
  const { starts, changes } = byEffect(punches);
  const changed = changes.map(({ id, uuid, externalId, userId }) => ({
    id,
    uuid,
    external_id: externalId,
    user_id: userId,
  }));
  const trackings = [...(await insertTrackings(tx, starts)), ...changed];
  const trackingOf = new Map(trackings.map((tracking) => [tracking.user_id, tracking]));
  // A running time tracking cannot be gone, because its user is locked.
  const written = punches.map((punch) => ({ punch, tracking: trackingOf.get(punch.userId)! }));
  const queries = [
    ...changeQueries(tx, changes),
    eventValues(tx, written),
    ...noteValues(tx, written),
    actionValues(tx, written),
  ];
  return { trackings, queries };
}

async function insertTrackings(tx: OpenTransaction, punches: readonly StartPunch[]): Promise<Tracking[]> {
  if (punches.length === 0) return [];
  return tx
    .insertInto('time_trackings')
    .values(
      punches.map(({ accountId, uuid, workspaceId, userId, startsAt, assignmentId, actor, now }) => ({
        account_id: accountId,
        uuid,
        workspace_id: workspaceId,
        user_id: userId,
        starts_at: startsAt,
        actual_starts_at: startsAt,
        created_by: 'actions',
        last_editor_id: actor.userId,
        created_at: now,
        updated_at: now,
        assignment_id: assignmentId,
      })),
    )
    .returning(['id', 'uuid', 'external_id', 'user_id'])
    .execute();
}

const changeQueries = (tx: OpenTransaction, punches: readonly ChangePunch[]): CompiledQuery<never>[] =>
  punches.length === 0
    ? []
    : [
        change.query(tx, {
          accountId: punches[0]!.accountId,
          trackingIds: punches.map(({ id }) => id),
          endTimes: punches.map(({ endsAt }) => endsAt),
          editorIds: punches.map(({ actor }) => actor.userId),
          nows: punches.map(({ now }) => now),
        }),
      ];

interface ChangeColumns {
  readonly accountId: number;
  readonly trackingIds: readonly number[];
  readonly endTimes: readonly (Date | null)[];
  readonly editorIds: readonly (number | null)[];
  readonly nows: readonly Date[];
}

const change = statement<ChangeColumns, never>(
  (_db, { accountId, trackingIds, endTimes, editorIds, nows }) => sql<never>`
    update time_trackings tracking set
      ends_at = punch.ends_at, actual_ends_at = coalesce(tracking.actual_ends_at, punch.ends_at),
      last_editor_id = punch.editor_id, updated_at = punch.now
    from unnest(${trackingIds}::bigint[], ${endTimes}::timestamptz[], ${editorIds}::bigint[], ${nows}::timestamptz[])
      punch (tracking_id, ends_at, editor_id, now)
    where tracking.account_id = ${accountId} and tracking.id = punch.tracking_id`,
);

interface Written {
  readonly punch: PunchRow;
  readonly tracking: Tracking;
}

/** The server of the account numbers the events: see `db/distribution/events.ts`. */
const eventValues = (tx: OpenTransaction, written: readonly Written[]): CompiledQuery<never> =>
  tx
    .insertInto('events')
    .values(
      written.map(({ punch, tracking }) => {
        const { actorType, actorId, requestId } = actorColumns(punch.actor);
        return {
          account_id: punch.accountId,
          transaction_id: '0',
          workspace_id: punch.workspaceId,
          at: punch.now,
          actor_type: actorType,
          actor_id: actorId,
          request_id: requestId,
          name: 'startsAt' in punch.tracking ? 'time_tracking.created' : 'time_tracking.updated',
          record_type: 'time_tracking',
          record_id: String(tracking.id),
          record_uuid: tracking.uuid,
          external_id: tracking.external_id,
          user_id: tracking.user_id,
          changes: JSON.stringify(punch.changes),
        };
      }),
    )
    .compile() as CompiledQuery<never>;

function noteValues(tx: OpenTransaction, written: readonly Written[]): CompiledQuery<never>[] {
  const rows = written.flatMap(({ punch: { accountId, notes, now }, tracking }) =>
    notes.map((content) => ({
      account_id: accountId,
      time_tracking_id: tracking.id,
      type: 'SystemNote',
      content,
      created_at: now,
      updated_at: now,
    })),
  );
  return rows.length === 0 ? [] : [tx.insertInto('notes').values(rows).compile() as CompiledQuery<never>];
}

const actionValues = (tx: OpenTransaction, written: readonly Written[]): CompiledQuery<never> =>
  tx
    .insertInto('actions')
    .values(
      written.map(({ punch, tracking }) => ({
        account_id: punch.accountId,
        id: punch.actionId,
        workspace_id: punch.workspaceId,
        user_id: punch.userId,
        time_tracking_id: tracking.id,
        action_type: punch.actionType,
        device_id: punch.deviceId,
        action_time: punch.actionTime,
        created_at: punch.now,
        updated_at: punch.now,
      })),
    )
    .compile() as CompiledQuery<never>;
