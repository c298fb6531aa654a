import { sql, type CompiledQuery, type Selectable } from 'kysely';
import type { DB } from '../../generated/db.ts';
import { nearestAssignment } from '../assignments/links.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { statement } from '../db/statement.ts';
import { actorColumns } from '../events/record.ts';
import { byEffect, startedWork, type ChangePunch, type PunchRow, type StartPunch } from './punch_rows.ts';

/*
 * The rows of punches where accounts are distributed over several servers. Citus executes a statement that writes several tables
 * part by part and copies rows in between, and also copies selected rows that are inserted. Lists of values and updates go to the
 * server of the account as they are. So each table has a statement of its own here, and what one of them needs from another is
 * read first.
 */

type Tracking = Pick<Selectable<DB['time_trackings']>, 'id' | 'uuid' | 'external_id' | 'user_id' | 'assignment_id'>;

/** Writes the time trackings of punches. Returns them with the queries that store the rest. */
export async function writePunchValues(
  tx: OpenTransaction,
  punches: readonly PunchRow[],
): Promise<{ trackings: readonly Tracking[]; queries: readonly CompiledQuery<never>[] }> {
  const { starts, changes } = byEffect(punches);
  const trackings = [...(await insertTrackings(tx, starts)), ...(await changeTrackings(tx, changes))];
  const trackingOf = new Map(trackings.map((tracking) => [tracking.user_id, tracking]));
  const written = punches.map((punch) => {
    const tracking = trackingOf.get(punch.userId);
    if (!tracking) throw new Error('The time tracking of a punch is gone, although its user is locked.');
    return { punch, tracking };
  });
  return { trackings, queries: [eventValues(tx, written), ...noteValues(tx, written), actionValues(tx, written)] };
}

async function insertTrackings(tx: OpenTransaction, punches: readonly StartPunch[]): Promise<Tracking[]> {
  if (punches.length === 0) return [];
  const assignments = await nearestAssignments(tx, {
    accountId: punches[0]!.accountId,
    workspaceIds: punches.map(({ workspaceId }) => workspaceId),
    userIds: punches.map(({ userId }) => userId),
    startTimes: punches.map(({ startsAt }) => startsAt),
  });
  const assignmentOf = new Map(assignments.map(({ user_id, assignment_id }) => [user_id, assignment_id]));
  return tx
    .insertInto('time_trackings')
    .values(
      punches.map(({ accountId, uuid, workspaceId, userId, startsAt, actor, now }) => ({
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
        assignment_id: assignmentOf.get(userId)!,
      })),
    )
    .returning(['id', 'uuid', 'external_id', 'user_id', 'assignment_id'])
    .execute();
}

interface StartedWork {
  readonly accountId: number;
  readonly workspaceIds: readonly number[];
  readonly userIds: readonly number[];
  readonly startTimes: readonly Date[];
}

const nearestAssignments = statement<StartedWork, { user_id: number; assignment_id: string | null }>(
  (_db, { accountId, workspaceIds, userIds, startTimes }) => sql<{ user_id: number; assignment_id: string | null }>`
    select punch.user_id, ${nearestAssignment({ accountId, ...startedWork })} as assignment_id
    from unnest(${workspaceIds}::bigint[], ${userIds}::bigint[], ${startTimes}::timestamptz[])
      punch (workspace_id, user_id, starts_at)`,
);

const changeTrackings = async (tx: OpenTransaction, punches: readonly ChangePunch[]): Promise<Tracking[]> =>
  punches.length === 0
    ? []
    : change(tx, {
        accountId: punches[0]!.accountId,
        trackingIds: punches.map(({ id }) => id),
        endTimes: punches.map(({ endsAt }) => endsAt),
        editorIds: punches.map(({ actor }) => actor.userId),
        nows: punches.map(({ now }) => now),
      });

interface ChangeColumns {
  readonly accountId: number;
  readonly trackingIds: readonly number[];
  readonly endTimes: readonly (Date | null)[];
  readonly editorIds: readonly (number | null)[];
  readonly nows: readonly Date[];
}

const change = statement<ChangeColumns, Tracking>(
  (_db, { accountId, trackingIds, endTimes, editorIds, nows }) => sql<Tracking>`
    update time_trackings tracking set
      ends_at = punch.ends_at, actual_ends_at = coalesce(tracking.actual_ends_at, punch.ends_at),
      last_editor_id = punch.editor_id, updated_at = punch.now
    from unnest(${trackingIds}::bigint[], ${endTimes}::timestamptz[], ${editorIds}::bigint[], ${nows}::timestamptz[])
      punch (tracking_id, ends_at, editor_id, now)
    where tracking.account_id = ${accountId} and tracking.id = punch.tracking_id
    returning tracking.id, tracking.uuid, tracking.external_id, tracking.user_id, tracking.assignment_id`,
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
          name: 'uuid' in punch.tracking ? 'time_tracking.created' : 'time_tracking.updated',
          record_type: 'time_tracking',
          record_id: String(tracking.id),
          record_uuid: tracking.uuid,
          external_id: tracking.external_id,
          user_id: tracking.user_id,
          changes: JSON.stringify(changesOf(punch, tracking)),
        };
      }),
    )
    .compile() as CompiledQuery<never>;

/** A start also has the shift that it belongs to. */
const changesOf = ({ changes, tracking: start }: PunchRow, { assignment_id }: Tracking): PunchRow['changes'] =>
  'uuid' in start && assignment_id !== null ? { ...changes, assignment_id: [null, assignment_id] } : changes;

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
