import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { isUuid } from '../../platform/core/ids.ts';
import { may, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { bareIdsIn, namedFilter, parser, type NamedFilter } from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { readableEvents } from './readable_changes.ts';
import type { RecordType } from '../../platform/events/record.ts';

const columns = listColumns('listEvents', 'events');

const eventRows = (db: Db, accountId: number) =>
  db.selectFrom('events').where('events.account_id', '=', accountId).selectAll('events');

export type EventRow = Awaited<ReturnType<ReturnType<typeof eventRows>['executeTakeFirstOrThrow']>>;

/** The events of the actor's workspace and of its members: all for its admins, those about themselves for everybody else. */
export async function listEvents(db: Db, actor: WorkspaceActor, selection: Selection) {
  const { accountId, workspace } = actor;
  const visible = db
    .selectFrom('events')
    .where('events.account_id', '=', accountId)
    .where(may(actor, 'read_events', 'workspace', workspace) ? isOfWorkspace(actor) : isOwn(actor));
  const rows = eventRows(db, accountId);
  const collection = { visible, rows, id: 'events.id', columns, timeZone: workspace.time_zone, named };
  const page = await list(db, collection, selection);
  return { ...page, rows: await readableEvents(db, actor, page.rows) };
}

/** Account admins see what belongs to the whole account. Admins of the workspace see of that what is about its members. */
function isOfWorkspace(actor: WorkspaceActor): RawBuilder<SqlBool> {
  const members = sql`
    select member.user_id from memberships member
    where member.account_id = ${actor.accountId} and member.workspace_id = ${actor.workspace.id}`;
  const isOfMember = may(actor, 'read_all_events', 'account', {}) ? sql`true` : sql`events.user_id in (${members})`;
  return sql`(events.workspace_id = ${actor.workspace.id} or events.workspace_id is null and ${isOfMember})`;
}

/**
 * What users may read about themselves in every state. Others are missing here: a shift may be a draft, a warning is for admins, a
 * document may be kept from the user it is about.
 */
const ownTypes: readonly RecordType[] = [
  'absence',
  'access_token',
  'accounting_period',
  'assumed_role',
  'calendar_feed',
  'note',
  'preference',
  'tagging',
  'target_hour',
  'time_account_entry',
  'time_tracking',
  'user',
  'vacation_entitlement',
  'working_time_violation',
];

const isOwn = ({ userId, workspace }: WorkspaceActor): RawBuilder<SqlBool> => sql`(
  events.user_id = ${userId} and (events.workspace_id = ${workspace.id} or events.workspace_id is null)
  and events.record_type = any(${ownTypes}::text[]))`;

/** Ids as the APIs show them, numbers or UUIDs. Other matchers compare the number. */
const recordIdsIn = parser({ allowed: 'ids, separated by commas' }, (text) => {
  const ids = text.replace(/^(eq|in):/, '');
  return ids.includes(':') ? undefined : ids.split(',').map((id) => id.trim().toLowerCase());
});

const named: Readonly<Record<string, NamedFilter>> = {
  record_id: namedFilter(
    recordIdsIn,
    (ids) => sql`(events.record_id = any(${ids}::text[]) or events.record_uuid = any(${ids.filter(isUuid)}::uuid[]))`,
  ),
  user_id: namedFilter(bareIdsIn, (ids) => sql`events.user_id = any(${ids}::bigint[])`),
};

/** One event of an account, if it is still kept. */
export const eventWithId = (db: Db, accountId: number, id: number): Promise<EventRow | undefined> =>
  eventRows(db, accountId).where('events.id', '=', id).executeTakeFirst();

/** Whether the last event of the same record says that it was deleted. */
export async function isDeletedNow(db: Db, { account_id, record_type, record_id }: EventRow): Promise<boolean> {
  const last = await eventRows(db, account_id)
    .where('events.record_type', '=', record_type)
    .where('events.record_id', '=', record_id)
    .orderBy('events.epoch', 'desc')
    .orderBy('events.transaction_id', 'desc')
    .orderBy('events.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.name.endsWith('.deleted') ?? false;
}
