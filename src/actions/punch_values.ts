import { sql, type CompiledQuery, type Selectable } from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { DrawIds } from '../db/distribution/draw_ids.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { statement } from '../db/statement.ts';
import { actorColumns } from '../events/record.ts';
import { sumOfBreaks } from '../time_trackings/break_rows.ts';
import { byEffect, type ChangePunch, type PunchRow, type StartPunch } from './punch_rows.ts';

/*
 * The rows of punches where accounts are distributed over several servers. Citus executes a statement that writes several tables
 * part by part and copies rows in between, and also copies selected rows that are inserted. Lists of values and updates go to the
 * server of the account as they are. So each table has a statement of its own here.
 */

type Tracking = Pick<Selectable<DB['time_trackings']>, 'id' | 'uuid' | 'external_id' | 'user_id'>;

/** The queries that store punches, and their time trackings. */
export async function punchValueQueries(
  tx: OpenTransaction,
  punches: readonly PunchRow[],
  drawIds: DrawIds,
): Promise<{ trackings: readonly Tracking[]; queries: readonly CompiledQuery<never>[] }> {
  const { starts, changes } = byEffect(punches);
  const ids = await drawIds({
    time_trackings: starts.length,
    notes: punches.reduce((sum, { notes }) => sum + notes.length, 0),
    breaks: changes.reduce((sum, { breaks }) => sum + breaks.begun.length, 0),
  });
  const started = numbered(starts, ids.time_trackings).map((punch) => ({ ...punch, externalId: null }));
  const trackings = [...started, ...changes].map(({ id, uuid, externalId, userId }) => ({
    id,
    uuid,
    external_id: externalId,
    user_id: userId,
  }));
  const trackingOf = new Map(trackings.map((tracking) => [tracking.user_id, tracking]));
  // A running time tracking cannot be gone, because its user is locked.
  const written = punches.map((punch) => ({ punch, tracking: trackingOf.get(punch.userId)! }));
  const queries = [
    ...startQueries(tx, started),
    ...breakValues(tx, changes, ids.breaks),
    ...breakEndQueries(tx, changes),
    ...changeQueries(tx, changes),
    eventValues(tx, written),
    ...noteValues(tx, written, ids.notes),
    actionValues(tx, written),
  ];
  return { trackings, queries };
}

/** Gives each row the id that was drawn for it. */
const numbered = <Row extends object>(rows: readonly Row[], ids: readonly number[]): (Row & { id: number })[] =>
  rows.map((row, index) => ({ ...row, id: ids[index]! }));

const startQueries = (
  tx: OpenTransaction,
  punches: readonly (StartPunch & { readonly id: number })[],
): CompiledQuery<never>[] =>
  punches.length === 0
    ? []
    : [
        tx
          .insertInto('time_trackings')
          .values(
            punches.map(({ accountId, id, uuid, workspaceId, userId, startsAt, assignmentId, actor, now }) => ({
              account_id: accountId,
              id,
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
          .compile() as CompiledQuery<never>,
      ];

function breakValues(
  tx: OpenTransaction,
  punches: readonly ChangePunch[],
  ids: readonly number[],
): CompiledQuery<never>[] {
  const begun = punches.flatMap(({ accountId, id, breaks, now }) =>
    breaks.begun.map(({ startsAt, createdBy }) => ({
      account_id: accountId,
      time_tracking_id: id,
      starts_at: startsAt,
      created_by: createdBy,
      created_at: now,
      updated_at: now,
    })),
  );
  const rows = numbered(begun, ids);
  return rows.length === 0 ? [] : [tx.insertInto('breaks').values(rows).compile() as CompiledQuery<never>];
}

function breakEndQueries(tx: OpenTransaction, punches: readonly ChangePunch[]): CompiledQuery<never>[] {
  const ended = punches.flatMap(({ breaks, now }) => breaks.ended.map((one) => ({ ...one, now })));
  if (ended.length === 0) return [];
  return [
    breakEnd.query(tx, {
      accountId: punches[0]!.accountId,
      ids: ended.map(({ id }) => id),
      endTimes: ended.map(({ endsAt }) => endsAt),
      nows: ended.map(({ now }) => now),
    }),
  ];
}

interface BreakEndColumns {
  readonly accountId: number;
  readonly ids: readonly number[];
  readonly endTimes: readonly Date[];
  readonly nows: readonly Date[];
}

const breakEnd = statement<BreakEndColumns, never>(
  (_db, { accountId, ids, endTimes, nows }) => sql<never>`
    update breaks pause set ends_at = punch.ends_at, updated_at = punch.now
    from unnest(${ids}::bigint[], ${endTimes}::timestamptz[], ${nows}::timestamptz[]) punch (break_id, ends_at, now)
    where pause.account_id = ${accountId} and pause.id = punch.break_id`,
);

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

/** A time tracking also stores the sum of its breaks, which are written before. */
const change = statement<ChangeColumns, never>(
  (_db, { accountId, trackingIds, endTimes, editorIds, nows }) => sql<never>`
    update time_trackings tracking set
      ends_at = punch.ends_at, actual_ends_at = coalesce(tracking.actual_ends_at, punch.ends_at),
      breaks_s = ${sumOfBreaks(accountId, sql.ref('tracking.id'))},
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

function noteValues(tx: OpenTransaction, written: readonly Written[], ids: readonly number[]): CompiledQuery<never>[] {
  const unnumbered = written.flatMap(({ punch: { accountId, notes, now }, tracking }) =>
    notes.map((content) => ({
      account_id: accountId,
      time_tracking_id: tracking.id,
      type: 'SystemNote',
      content,
      created_at: now,
      updated_at: now,
    })),
  );
  const rows = numbered(unnumbered, ids);
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
