import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type { OpenTransaction } from '../db/open_transaction.ts';
import type { Placeholders } from '../db/placeholders.ts';
import { statement } from '../db/statement.ts';
import { actorColumns, type Changes, type EventActor } from '../events/record.ts';
import { eventInsertion } from '../events/record_rows.ts';

/*
 * One statement writes punches, what they do to their time trackings, and the notes and events about it. When a shift begins, punches
 * arrive by the hundred. Starts and changes have a statement each, because triggers run for every kind of write in a
 * statement, also if it writes no row.
 */

export interface PunchRow {
  readonly accountId: number;
  readonly workspaceId: number;
  /** The punches of one statement have different users. */
  readonly userId: number;
  readonly actor: EventActor;
  readonly actionId: string;
  readonly actionType: string;
  readonly deviceId: string | null;
  readonly actionTime: Date;
  readonly notes: readonly string[];
  /** What changes about the time tracking. */
  readonly changes: Changes;
  readonly now: Date;
  /** A punch starts a time tracking, or changes the running one, which may end it. */
  readonly tracking: Start | Change;
}

interface Start {
  readonly uuid: string;
  readonly startsAt: Date;
  readonly assignmentId: string | null;
}

interface Change {
  readonly id: number;
  readonly endsAt: Date | null;
}

interface WrittenTracking {
  readonly id: number;
  readonly user_id: number;
}

type StartPunch = Omit<PunchRow, 'tracking'> & Start;
type ChangePunch = Omit<PunchRow, 'tracking'> & Change;

/** The punches that start a time tracking, and those that change the running one. */
const byEffect = (punches: readonly PunchRow[]): { starts: StartPunch[]; changes: ChangePunch[] } => ({
  starts: punches.flatMap(({ tracking, ...punch }) => ('startsAt' in tracking ? [{ ...punch, ...tracking }] : [])),
  changes: punches.flatMap(({ tracking, ...punch }) => ('id' in tracking ? [{ ...punch, ...tracking }] : [])),
});

/** The queries that store punches. The unique index refuses a start if another time tracking is running by now. */
export function punchQueries(tx: OpenTransaction, punches: readonly PunchRow[]): CompiledQuery<WrittenTracking>[] {
  const { starts, changes } = byEffect(punches);
  const queries: CompiledQuery<WrittenTracking>[] = [];
  if (starts.length > 0)
    queries.push(
      start.query(tx, {
        ...columnsOf(starts),
        trackingUuids: starts.map(({ uuid }) => uuid),
        startTimes: starts.map(({ startsAt }) => startsAt),
        assignmentIds: starts.map(({ assignmentId }) => assignmentId),
      }),
    );
  if (changes.length > 0)
    queries.push(
      change.query(tx, {
        ...columnsOf(changes),
        trackingIds: changes.map(({ id }) => id),
        endTimes: changes.map(({ endsAt }) => endsAt),
      }),
    );
  return queries;
}

const columnsOf = (punches: readonly Omit<PunchRow, 'tracking'>[]) => ({
  accountId: punches[0]!.accountId,
  workspaceIds: punches.map(({ workspaceId }) => workspaceId),
  userIds: punches.map(({ userId }) => userId),
  editorIds: punches.map(({ actor }) => actor.userId),
  actionIds: punches.map(({ actionId }) => actionId),
  actionTypes: punches.map(({ actionType }) => actionType),
  deviceIds: punches.map(({ deviceId }) => deviceId),
  actionTimes: punches.map(({ actionTime }) => actionTime),
  nows: punches.map(({ now }) => now),
  ...actorsOf(punches.map(({ actor }) => actorColumns(actor))),
  changes: punches.map(({ changes }) => JSON.stringify(changes)),
  noteUserIds: punches.flatMap(({ userId, notes }) => notes.map(() => userId)),
  notes: punches.flatMap(({ notes }) => notes),
});

/** Punches of several users share a statement, so each has its own actor. */
const actorsOf = (actors: readonly ReturnType<typeof actorColumns>[]) => ({
  actorTypes: actors.map(({ actorType }) => actorType),
  actorIds: actors.map(({ actorId }) => actorId),
  requestIds: actors.map(({ requestId }) => requestId),
});

type PunchColumns = ReturnType<typeof columnsOf>;

interface StartColumns extends PunchColumns {
  readonly trackingUuids: readonly string[];
  readonly startTimes: readonly Date[];
  readonly assignmentIds: readonly (string | null)[];
}

const start = statement<StartColumns, WrittenTracking>((_db, values) =>
  writePunches(
    values,
    sql`
      with punch as materialized (
        select * from unnest(${punchArrays(values)}, ${values.trackingUuids}::uuid[], ${values.startTimes}::timestamptz[], ${values.assignmentIds}::text[])
          as punch (${punchColumns}, tracking_uuid, starts_at, assignment_id)
      ), tracking as (
        insert into time_trackings (
          account_id, uuid, workspace_id, user_id, starts_at, actual_starts_at, created_by, last_editor_id, created_at, updated_at, assignment_id)
        select ${values.accountId}, tracking_uuid, workspace_id, user_id, starts_at, starts_at, 'actions', editor_id, now, now, assignment_id
        from punch
        returning id, uuid, external_id, user_id
      ), event as (
        ${eventsOfPunches(values, 'time_tracking.created')}
      )`,
  ),
);

interface ChangeColumns extends PunchColumns {
  readonly trackingIds: readonly number[];
  readonly endTimes: readonly (Date | null)[];
}

const change = statement<ChangeColumns, WrittenTracking>((_db, values) =>
  writePunches(
    values,
    sql`
      with punch as materialized (
        select * from unnest(${punchArrays(values)}, ${values.trackingIds}::bigint[], ${values.endTimes}::timestamptz[])
          as punch (${punchColumns}, tracking_id, ends_at)
      ), tracking as (
        update time_trackings set
          ends_at = punch.ends_at, actual_ends_at = coalesce(actual_ends_at, punch.ends_at), last_editor_id = punch.editor_id, updated_at = punch.now
        from punch where account_id = ${values.accountId} and id = punch.tracking_id
        returning id, uuid, external_id, time_trackings.user_id
      ), event as (
        ${eventsOfPunches(values, 'time_tracking.updated')}
      )`,
  ),
);

const punchColumns = sql.raw(
  'workspace_id, user_id, editor_id, action_id, action_type, device_id, action_time, now, actor_type, actor_id, request_id, changes',
);

const punchArrays = (values: Placeholders<PunchColumns>) => sql`
  ${values.workspaceIds}::bigint[], ${values.userIds}::bigint[], ${values.editorIds}::bigint[], ${values.actionIds}::uuid[],
  ${values.actionTypes}::text[], ${values.deviceIds}::text[], ${values.actionTimes}::timestamptz[], ${values.nows}::timestamptz[],
  ${values.actorTypes}::text[], ${values.actorIds}::text[], ${values.requestIds}::text[], ${values.changes}::jsonb[]`;

const eventsOfPunches = (
  { accountId }: Placeholders<PunchColumns>,
  name: 'time_tracking.created' | 'time_tracking.updated',
) =>
  eventInsertion({
    accountId,
    name,
    at: sql.ref('record.now'),
    actorType: sql.ref('record.actor_type'),
    actorId: sql.ref('record.actor_id'),
    requestId: sql.ref('record.request_id'),
    rows: sql`(
      select punch.workspace_id, tracking.id, tracking.uuid, tracking.external_id, tracking.user_id, punch.changes,
        punch.now, punch.actor_type, punch.actor_id, punch.request_id
      from punch join tracking on tracking.user_id = punch.user_id)`,
  });

/** Adds the notes and the actions to a statement that has the tables `punch` and `tracking`. */
const writePunches = (values: Placeholders<PunchColumns>, trackings: RawBuilder<unknown>) => sql<WrittenTracking>`
  ${trackings}, note as (
    insert into notes (account_id, time_tracking_id, type, content, created_at, updated_at)
    select ${values.accountId}, tracking.id, 'SystemNote', note.content, punch.now, punch.now
    from unnest(${values.noteUserIds}::bigint[], ${values.notes}::text[]) with ordinality note (user_id, content, position)
    join punch on punch.user_id = note.user_id join tracking on tracking.user_id = note.user_id order by note.position
    returning account_id
  ), action as (
    insert into actions (account_id, id, workspace_id, user_id, time_tracking_id, action_type, device_id, action_time, created_at, updated_at)
    select ${values.accountId}, action_id, workspace_id, punch.user_id, tracking.id, action_type, device_id, action_time, now, now
    from punch join tracking on tracking.user_id = punch.user_id
    returning account_id
  )
  select tracking.id, tracking.user_id from tracking`;
