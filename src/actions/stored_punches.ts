import { sql } from 'kysely';
import { statement } from '../db/statement.ts';

/*
 * A punch, what it does to its tracking and the notes about that are written by one statement: punches come in by the hundred
 * when a shift begins.
 */

export interface StoredPunch {
  accountId: number;
  workspaceId: number;
  userId: number;
  editorId: number | null;
  actionId: string;
  actionType: string;
  deviceId: string | null;
  actionTime: Date;
  notes: readonly string[];
  now: Date;
}

/** To be named after a table `tracking`, with the id of the one tracking that was written. */
const consequences = ({ accountId, workspaceId, userId, actionId, actionType, deviceId, actionTime, notes, now }: StoredPunch) => sql`
  note as (
    insert into notes (account_id, time_tracking_id, type, content, created_at, updated_at)
    select ${accountId}, tracking.id, 'SystemNote', note.content, ${now}, ${now}
    from tracking, unnest(${notes}::text[]) with ordinality note (content, position) order by note.position
  ), action as (
    insert into actions (account_id, id, workspace_id, user_id, time_tracking_id, action_type, device_id, action_time, created_at, updated_at)
    select ${accountId}, ${actionId}, ${workspaceId}, ${userId}, tracking.id, ${actionType}, ${deviceId}, ${actionTime}, ${now}, ${now} from tracking
  )`;

/** Begins a tracking of its own UUID, and returns its id. Should another one run by now, the index refuses. */
export const storeStart = statement((_db, punch: StoredPunch & { uuid: string; startsAt: Date }) => {
  const { accountId, workspaceId, userId, editorId, uuid, startsAt, now } = punch;
  return sql<{ id: number }>`
    with tracking as (
      insert into time_trackings (account_id, uuid, workspace_id, user_id, starts_at, actual_starts_at, created_by, last_editor_id, created_at, updated_at)
      values (${accountId}, ${uuid}, ${workspaceId}, ${userId}, ${startsAt}, ${startsAt}, 'actions', ${editorId}, ${now}, ${now})
      returning id
    ), ${consequences(punch)}
    select tracking.id from tracking`;
});

/** Ends the running tracking, or leaves it running where there is no end; breaks and tags are somebody else's. */
export const storeFurther = statement((_db, punch: StoredPunch & { timeTrackingId: number; endsAt: Date | null }) => {
  const { accountId, timeTrackingId, endsAt, editorId, now } = punch;
  return sql<{ id: number }>`
    with tracking as (
      update time_trackings set ends_at = ${endsAt}, actual_ends_at = coalesce(actual_ends_at, ${endsAt}), last_editor_id = ${editorId}, updated_at = ${now}
      where account_id = ${accountId} and id = ${timeTrackingId}
      returning id
    ), ${consequences(punch)}
    select tracking.id from tracking`;
});
