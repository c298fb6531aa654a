import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type { Db } from '../db/connection.ts';
import type { Placeholders } from '../db/placeholders.ts';
import { statement } from '../db/statement.ts';

/*
 * Punches, what they do to their trackings and the notes about that are written by one statement: they come in by the hundred
 * when a shift begins.
 */

export interface StoredPunch {
  readonly accountId: number;
  readonly workspaceId: number;
  /** No two that are written together are for the same user. */
  readonly userId: number;
  readonly editorId: number | null;
  readonly actionId: string;
  readonly actionType: string;
  readonly deviceId: string | null;
  readonly actionTime: Date;
  readonly notes: readonly string[];
  readonly now: Date;
  /** The running tracking; without one, the punch begins a tracking that gets this UUID. */
  readonly tracking: { readonly id: number } | { readonly uuid: string };
  /** When what it begins begins, or what was running ends; null where that runs on. */
  readonly moment: Date | null;
}

/** A tracking that was written. Its breaks and tags are somebody else's. */
interface Written {
  readonly id: number;
  readonly user_id: number;
}

/** Stores punches. Should another tracking run by now where one is to begin, the index refuses. */
export function storing(db: Db, punches: readonly StoredPunch[]): CompiledQuery<Written> {
  const ids = punches.map(({ tracking }) => ('id' in tracking ? tracking.id : null));
  const uuids = punches.map(({ tracking }) => ('uuid' in tracking ? tracking.uuid : null));
  const kind = !ids.includes(null) ? 'steps' : ids.some((id) => id !== null) ? 'both' : 'starts';
  return stores[kind].query(db, { ...columnsOf(punches), ids, uuids });
}

const columnsOf = (punches: readonly StoredPunch[]) => ({
  accountId: punches[0]!.accountId,
  workspaceIds: punches.map(({ workspaceId }) => workspaceId),
  userIds: punches.map(({ userId }) => userId),
  editorIds: punches.map(({ editorId }) => editorId),
  actionIds: punches.map(({ actionId }) => actionId),
  actionTypes: punches.map(({ actionType }) => actionType),
  deviceIds: punches.map(({ deviceId }) => deviceId),
  actionTimes: punches.map(({ actionTime }) => actionTime),
  nows: punches.map(({ now }) => now),
  moments: punches.map(({ moment }) => moment),
  noteUserIds: punches.flatMap(({ userId, notes }) => notes.map(() => userId)),
  notes: punches.flatMap(({ notes }) => notes),
});

type Columns = ReturnType<typeof columnsOf> & {
  readonly ids: readonly (number | null)[];
  readonly uuids: readonly (string | null)[];
};

const begun = ({ accountId }: Placeholders<Columns>) => sql`(
  insert into time_trackings (account_id, uuid, workspace_id, user_id, starts_at, actual_starts_at, created_by, last_editor_id, created_at, updated_at)
  select ${accountId}, tracking_uuid, workspace_id, user_id, moment, moment, 'actions', editor_id, now, now from punch where tracking_id is null
  returning id, user_id)`;

const takenFurther = ({ accountId }: Placeholders<Columns>) => sql`(
  update time_trackings set
    ends_at = punch.moment, actual_ends_at = coalesce(actual_ends_at, punch.moment), last_editor_id = punch.editor_id, updated_at = punch.now
  from punch where account_id = ${accountId} and id = punch.tracking_id
  returning id, time_trackings.user_id)`;

/** One statement for each kind of group: to get ready for what none of them does costs time, too. */
const storingWith = (trackings: (values: Placeholders<Columns>) => RawBuilder<unknown>) =>
  statement(
    (_db, values: Placeholders<Columns>) => sql<Written>`
      with punch as materialized (
        select * from unnest(
          ${values.workspaceIds}::bigint[], ${values.userIds}::bigint[], ${values.editorIds}::bigint[], ${values.actionIds}::uuid[],
          ${values.actionTypes}::text[], ${values.deviceIds}::text[], ${values.actionTimes}::timestamptz[], ${values.nows}::timestamptz[],
          ${values.ids}::bigint[], ${values.uuids}::uuid[], ${values.moments}::timestamptz[]
        ) as punch (workspace_id, user_id, editor_id, action_id, action_type, device_id, action_time, now, tracking_id, tracking_uuid, moment)
      ), ${trackings(values)}, note as (
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

const stores = {
  starts: storingWith((values) => sql`tracking as ${begun(values)}`),
  steps: storingWith((values) => sql`tracking as ${takenFurther(values)}`),
  both: storingWith(
    (values) => sql`
      begun as ${begun(values)}, taken_further as ${takenFurther(values)},
      tracking as (select id, user_id from begun union all select id, user_id from taken_further)`,
  ),
};
