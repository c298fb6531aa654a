import { sql } from 'kysely';
import { notFound } from '../../platform/core/errors.ts';
import { isUuid } from '../../platform/core/ids.ts';
import { authorize, type Actor, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import {
  bareIdsIn,
  idsIn,
  indexed,
  lookedUp,
  namedFilter,
  parser,
  text,
  time,
  uuid,
  type Columns,
  type NamedFilter,
} from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { readableBy, userRank } from '../../platform/db/visibility.ts';

/** The time tracking of an action once it has ended; null if it was deleted. */
const workingSessionId = (accountId: number) => sql<string | null>`(
  select coalesce(tracking.uuid::text, tracking.id::text) from time_trackings tracking
  where tracking.account_id = ${accountId} and tracking.id = actions.time_tracking_id and tracking.ends_at is not null)`;

const columnsOf = (accountId: number): Columns => ({
  id: uuid('actions.id'),
  action_type: text('actions.action_type'),
  working_session_id: lookedUp(text(workingSessionId(accountId))),
  action_time: time('actions.action_time'),
  created_at: indexed(time('actions.created_at')),
  updated_at: time('actions.updated_at'),
});

/** The filters by time tracking that an index answers. Others read the time tracking of every action. */
const workingSessionFilter = (accountId: number): NamedFilter =>
  namedFilter(
    parser(
      {
        allowed: 'ids or UUIDs, separated by commas',
        isComplete: (given) =>
          given.startsWith('present:') || given.split(',').every((id) => isUuid(id) || idsIn.isComplete(id)),
      },
      (given) => {
        const [, wanted] = /^present:(true|false)$/.exec(given) ?? [];
        if (wanted !== undefined) return { isPresent: wanted === 'true' };
        return given.includes(':') ? undefined : { uuids: given.split(',').filter(isUuid), ids: idsIn(given) };
      },
    ),
    (value) => {
      if ('isPresent' in value) {
        const running = sql`array(select id from time_trackings where account_id = ${accountId} and ends_at is null)`;
        const isAbsent = sql<boolean>`(actions.time_tracking_id is null or actions.time_tracking_id = any(${running}))`;
        return value.isPresent ? sql<boolean>`not ${isAbsent}` : isAbsent;
      }
      const { uuids, ids } = value;
      return sql<boolean>`actions.time_tracking_id = any(array(
        select id from time_trackings where account_id = ${accountId} and ends_at is not null
          and (uuid = any(${uuids}::uuid[]) or (uuid is null and id = any(${ids}::bigint[])))))`;
    },
  );

/** Actions with the rank and the areas of their user, which decide who may read them. */
const actionRows = (db: Db, accountId: number) =>
  db
    .selectFrom('actions')
    .where('actions.account_id', '=', accountId)
    .selectAll('actions')
    .select([
      workingSessionId(accountId).as('working_session_id'),
      userRank(accountId, sql.ref('actions.user_id'), sql.ref('actions.workspace_id')).as('user_rank'),
      sql<number[]>`array(
        select member.area_id from area_members member
        where member.account_id = ${accountId} and member.user_id = actions.user_id)`.as('area_ids'),
    ]);

export type ActionRow = Awaited<ReturnType<ReturnType<typeof actionRows>['executeTakeFirstOrThrow']>>;

/** An action without the numeric id of its time tracking, which is not shown. */
export type ShownAction = Omit<ActionRow, 'time_tracking_id'>;

/** One action of the actor's workspace that they may read; 404 and 403 otherwise. */
export async function findAction(db: Db, actor: WorkspaceActor, ref: string): Promise<ActionRow> {
  const row = isUuid(ref)
    ? await actionRows(db, actor.accountId)
        .where('actions.id', '=', ref)
        .where('actions.workspace_id', '=', actor.workspace.id)
        .executeTakeFirst()
    : undefined;
  if (!row) throw notFound('action');
  authorize(actor, 'read', 'action', row);
  return row;
}

export const actionsByIds = (db: Db, { accountId }: Actor, ids: readonly string[]): Promise<ActionRow[]> =>
  rowsByIds(actionRows(db, accountId), 'actions.id', ids);

/** The actions that the actor may read: their own, and those of users they administer. */
export function listActions(db: Db, actor: WorkspaceActor, selection: Selection) {
  const { accountId, workspace } = actor;
  const visible = db
    .selectFrom('actions')
    .where('actions.account_id', '=', accountId)
    .where('actions.workspace_id', '=', workspace.id)
    .where(readableBy(actor, 'action'));
  return list(
    db,
    {
      visible,
      rows: actionRows(db, accountId),
      id: 'actions.id',
      idKind: 'uuid',
      columns: columnsOf(accountId),
      timeZone: workspace.time_zone,
      named: {
        user_id: namedFilter(bareIdsIn, (ids) => sql`actions.user_id = any(${ids}::bigint[])`),
        working_session_id: workingSessionFilter(accountId),
      },
      // Several punches can have the same second. Their ids ascend in the order in which they arrived.
      defaultSort: ['action_time'],
    },
    selection,
  );
}
