import { sql, type CompiledQuery } from 'kysely';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { statement } from '../db/statement.ts';

/*
 * One statement writes punches, what they do to their time trackings, and the notes about it. When a shift begins, punches
 * arrive by the hundred.
 */

export interface PunchRow {
  readonly accountId: number;
  readonly workspaceId: number;
  /** The punches of one statement have different users. */
  readonly userId: number;
  readonly editorId: number | null;
  readonly actionId: string;
  readonly actionType: string;
  readonly deviceId: string | null;
  readonly actionTime: Date;
  readonly notes: readonly string[];
  readonly now: Date;
  /** A punch starts a time tracking, or changes the running one, which may end it. */
  readonly tracking:
    { readonly uuid: string; readonly startsAt: Date } | { readonly id: number; readonly endsAt: Date | null };
}

interface WrittenTracking {
  readonly id: number;
  readonly user_id: number;
}

/** The query that stores punches. The unique index refuses a start if another time tracking is running by now. */
export function insertPunches(tx: OpenTransaction, punches: readonly PunchRow[]): CompiledQuery<WrittenTracking> {
  const trackings = punches.map(({ tracking }) => tracking);
  return insertion.query(tx, {
    accountId: punches[0]!.accountId,
    workspaceIds: punches.map(({ workspaceId }) => workspaceId),
    userIds: punches.map(({ userId }) => userId),
    editorIds: punches.map(({ editorId }) => editorId),
    actionIds: punches.map(({ actionId }) => actionId),
    actionTypes: punches.map(({ actionType }) => actionType),
    deviceIds: punches.map(({ deviceId }) => deviceId),
    actionTimes: punches.map(({ actionTime }) => actionTime),
    nows: punches.map(({ now }) => now),
    trackingIds: trackings.map((tracking) => ('id' in tracking ? tracking.id : null)),
    trackingUuids: trackings.map((tracking) => ('uuid' in tracking ? tracking.uuid : null)),
    startTimes: trackings.map((tracking) => ('uuid' in tracking ? tracking.startsAt : null)),
    endTimes: trackings.map((tracking) => ('id' in tracking ? tracking.endsAt : null)),
    noteUserIds: punches.flatMap(({ userId, notes }) => notes.map(() => userId)),
    notes: punches.flatMap(({ notes }) => notes),
  });
}

interface PunchColumns {
  accountId: number;
  workspaceIds: readonly number[];
  userIds: readonly number[];
  editorIds: readonly (number | null)[];
  actionIds: readonly string[];
  actionTypes: readonly string[];
  deviceIds: readonly (string | null)[];
  actionTimes: readonly Date[];
  nows: readonly Date[];
  trackingIds: readonly (number | null)[];
  trackingUuids: readonly (string | null)[];
  startTimes: readonly (Date | null)[];
  endTimes: readonly (Date | null)[];
  noteUserIds: readonly number[];
  notes: readonly string[];
}

const insertion = statement<PunchColumns, WrittenTracking>(
  (_db, values) => sql<WrittenTracking>`
    with punch as materialized (
      select * from unnest(
        ${values.workspaceIds}::bigint[], ${values.userIds}::bigint[], ${values.editorIds}::bigint[], ${values.actionIds}::uuid[],
        ${values.actionTypes}::text[], ${values.deviceIds}::text[], ${values.actionTimes}::timestamptz[], ${values.nows}::timestamptz[],
        ${values.trackingIds}::bigint[], ${values.trackingUuids}::uuid[], ${values.startTimes}::timestamptz[], ${values.endTimes}::timestamptz[]
      ) as punch (workspace_id, user_id, editor_id, action_id, action_type, device_id, action_time, now, tracking_id, tracking_uuid, starts_at, ends_at)
    ), started as (
      insert into time_trackings (account_id, uuid, workspace_id, user_id, starts_at, actual_starts_at, created_by, last_editor_id, created_at, updated_at)
      select ${values.accountId}, tracking_uuid, workspace_id, user_id, starts_at, starts_at, 'actions', editor_id, now, now
      from punch where tracking_id is null
      returning id, user_id
    ), changed as (
      update time_trackings set
        ends_at = punch.ends_at, actual_ends_at = coalesce(actual_ends_at, punch.ends_at), last_editor_id = punch.editor_id, updated_at = punch.now
      from punch where account_id = ${values.accountId} and id = punch.tracking_id
      returning id, time_trackings.user_id
    ), tracking as (
      select id, user_id from started union all select id, user_id from changed
    ), note as (
      insert into notes (account_id, time_tracking_id, type, content, created_at, updated_at)
      select ${values.accountId}, tracking.id, 'SystemNote', note.content, punch.now, punch.now
      from unnest(${values.noteUserIds}::bigint[], ${values.notes}::text[]) with ordinality note (user_id, content, position)
      join punch on punch.user_id = note.user_id join tracking on tracking.user_id = note.user_id order by note.position
    ), action as (
      insert into actions (account_id, id, workspace_id, user_id, time_tracking_id, action_type, device_id, action_time, created_at, updated_at)
      select ${values.accountId}, action_id, workspace_id, punch.user_id, tracking.id, action_type, device_id, action_time, now, now
      from punch join tracking on tracking.user_id = punch.user_id
    )
    select tracking.id, tracking.user_id from tracking`,
);
