import { sql } from 'kysely';
import type { components } from '../../../generated/public.ts';
import { notFound } from '../../platform/core/errors.ts';
import type { Names } from '../../platform/core/names.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { rowNamed } from '../../platform/db/names.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { storedBreaks } from '../time_trackings/rows.ts';

/* The public API calls a time tracking a working session, and names it without its location. */

const tagsOfSession = (accountId: number) => sql<components['schemas']['Filter'][]>`(
  select coalesce(json_agg(json_build_object(
    'id', tag.id, 'title', tag.title, 'active', tag.active, 'external_id', tag.external_id, 'location_id', tag.workspace_id) order by tag.id), '[]')
  from time_tracking_tags tagging join tags tag on tag.account_id = ${accountId} and tag.id = tagging.tag_id
  where tagging.account_id = ${accountId} and tagging.time_tracking_id = time_trackings.id)`;

// prettier-ignore
const columns = [
  'id', 'workspace_id', 'user_id', 'area_id', 'starts_at', 'ends_at', 'actual_starts_at', 'actual_ends_at', 'confirmed', 'last_editor_id',
  'force_custom_break_duration', 'custom_break_s', 'manual_pause_min', 'external_id', 'start_signature_id', 'end_signature_id', 'secure_id',
  'created_at', 'updated_at',
] as const;

const sessionRows = (db: Db, { accountId }: Actor) =>
  db
    .selectFrom('time_trackings')
    .innerJoin('workspaces as location', (join) =>
      join.on('location.account_id', '=', accountId).onRef('location.id', '=', 'time_trackings.workspace_id'),
    )
    .where('time_trackings.account_id', '=', accountId)
    .where('location.deleted_at', 'is', null)
    .select(columns.map((column) => `time_trackings.${column}` as const))
    .select([
      'location.time_zone',
      storedBreaks(accountId).as('stored_breaks'),
      tagsOfSession(accountId).as('filters'),
    ]);

export type SessionRow = Awaited<ReturnType<ReturnType<typeof sessionRows>['executeTakeFirstOrThrow']>>;

/** One working session of the enterprise; 404 otherwise. */
export async function findSession(db: Db, actor: Actor, names: Names): Promise<SessionRow> {
  const row = await rowNamed('time_trackings', names, (condition) => sessionRows(db, actor).where(condition).execute());
  if (!row) throw notFound('working session');
  return row;
}

/** Working sessions of the enterprise, by id. */
export const sessionsByIds = (db: Db, actor: Actor, ids: readonly number[]): Promise<SessionRow[]> =>
  rowsByIds(sessionRows(db, actor), 'time_trackings.id', ids);

/** A working session that was just written. */
export const readSession = (db: Db, actor: Actor, id: number): Promise<SessionRow> =>
  findSession(db, actor, { id, prefix: '' });
