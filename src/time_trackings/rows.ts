import { sql } from 'kysely';
import type { Facts } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { Span } from './worked_time.ts';

/** Where time trackings are looked at. */
export interface TimeTrackingScope {
  readonly accountId: number;
  readonly workspace: { readonly id: number };
}

/** The time trackings of a workspace, with the ids of all that hangs on them. Every sub-select finds its rows by index. */
export function timeTrackingRows(db: Db, { accountId, workspace }: TimeTrackingScope) {
  return db
    .selectFrom('time_trackings')
    .where('time_trackings.account_id', '=', accountId)
    .where('time_trackings.workspace_id', '=', workspace.id)
    .selectAll('time_trackings')
    .select([
      sql<StoredBreak[]>`(
        select coalesce(json_agg(json_build_object('id', pause.id, 'starts_at', pause.starts_at, 'ends_at', pause.ends_at) order by pause.starts_at, pause.id), '[]')
        from breaks pause where pause.account_id = ${accountId} and pause.time_tracking_id = time_trackings.id)`.as('stored_breaks'),
      sql<number[]>`array(
        select tagging.tag_id from time_tracking_tags tagging
        where tagging.account_id = ${accountId} and tagging.time_tracking_id = time_trackings.id order by tagging.tag_id)`.as('tag_ids'),
      sql<number[]>`array(
        select follower.user_id from time_tracking_followers follower
        where follower.account_id = ${accountId} and follower.time_tracking_id = time_trackings.id order by follower.user_id)`.as('follower_ids'),
      sql<number[]>`array(
        select note.id from notes note
        where note.account_id = ${accountId} and note.time_tracking_id = time_trackings.id order by note.id)`.as('note_ids'),
      sql<number>`(
        select count(*) from notes note
        where note.account_id = ${accountId} and note.time_tracking_id = time_trackings.id and note.type = 'SystemNote')`.as('system_notes_count'),
      sql<number[]>`array(
        select attachment.id from attachments attachment
        where attachment.account_id = ${accountId} and attachment.time_tracking_id = time_trackings.id order by attachment.id)`.as('attachment_ids'),
      sql<number[]>`array(
        select signature.id from signatures signature
        where signature.account_id = ${accountId} and signature.time_tracking_id = time_trackings.id order by signature.id)`.as('signature_ids'),
      sql<number[]>`array(
        select member.area_id from area_members member
        where member.account_id = ${accountId} and member.user_id = time_trackings.user_id)`.as('user_area_ids'),
    ]);
}

/** A break as it lies inside a row: JSON knows no times. */
interface StoredBreak {
  readonly id: number;
  readonly starts_at: string;
  readonly ends_at: string | null;
}

export type TimeTrackingRow = Awaited<ReturnType<ReturnType<typeof timeTrackingRows>['executeTakeFirstOrThrow']>>;

/** The id that v3 shows: a punched tracking keeps its UUID for its whole life. */
export const shownId = ({ uuid, id }: Pick<TimeTrackingRow, 'uuid' | 'id'>): string => uuid ?? String(id);

/** The breaks of a row, in order of time. */
export const breaksOf = ({ stored_breaks }: Pick<TimeTrackingRow, 'stored_breaks'>): (Span & { readonly id: number })[] =>
  stored_breaks.map(({ id, starts_at, ends_at }) => ({ id, starts_at: new Date(starts_at), ends_at: ends_at === null ? null : new Date(ends_at) }));

/** What the rules need to know of a time tracking. */
export const factsOf = (row: Pick<TimeTrackingRow, 'user_id' | 'area_id' | 'uuid' | 'user_area_ids' | 'follower_ids'>): Facts['time_tracking'] => ({
  user_id: row.user_id,
  area_ids: row.area_id === null ? row.user_area_ids : [...row.user_area_ids, row.area_id],
  follower_ids: row.follower_ids,
  isPunched: row.uuid !== null,
});
