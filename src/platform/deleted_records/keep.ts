import { sql } from 'kysely';
import type { Actor } from '../core/permissions.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { storedRecords, type RecordType } from './stored_rows.ts';

/** Keeps records that the caller has locked and is about to delete, with everything they carry. */
export async function keepDeleted(
  tx: OpenTransaction,
  { accountId, username }: Actor,
  type: RecordType,
  ids: readonly number[],
  now: Date,
): Promise<void> {
  const { table, reference, computed, carried } = storedRecords[type];
  const carriedRows = carried.map(
    (name) => sql`${sql.lit(name)}, (
      select coalesce(jsonb_agg(to_jsonb(item)), '[]') from ${sql.table(name)} item
      where item.account_id = ${accountId} and item.${sql.ref(reference)} = record.id)`,
  );
  const isTracking = type === 'time_tracking';
  // Punches outlive the time tracking that they made, and lose their reference to it.
  const actions = sql`'actions', (
    select coalesce(jsonb_agg(action.id), '[]') from actions action
    where action.account_id = ${accountId} and action.time_tracking_id = record.id)`;
  const members = [
    sql`${sql.lit(table)}, jsonb_build_array(to_jsonb(record) - ${computed}::text[])`,
    ...carriedRows,
    ...(isTracking ? [actions] : []),
  ];
  await sql`
    with kept as materialized (
      select record.workspace_id, record.user_id, ${isTracking ? sql`record.area_id` : sql`null::bigint`}, ${type}::text, record.id,
        ${isTracking ? sql`record.uuid` : sql`null::uuid`}, record.starts_at, record.ends_at, jsonb_build_object(${sql.join(members)})
      from ${sql.table(table)} record
      where record.account_id = ${accountId} and record.id = any(${ids}::bigint[])
    )
    insert into deleted_records (
      account_id, workspace_id, user_id, area_id, record_type, record_id, record_uuid, starts_at, ends_at, stored_rows, deleted_by, deleted_at)
    select ${accountId}::bigint, kept.*, ${username}, ${now}::timestamptz from kept
    returning account_id`.execute(tx);
  for (const files of carried.filter((name) => name === 'attachments' || name === 'signatures'))
    await sql`
      update files set deleted_record_id = kept.id
      from ${sql.table(files)} item
      join deleted_records kept
        on kept.account_id = ${accountId} and kept.record_type = ${type} and kept.record_id = item.${sql.ref(reference)}
      where item.account_id = ${accountId} and item.${sql.ref(reference)} = any(${ids}::bigint[])
        and files.account_id = ${accountId} and files.id = item.file_id`.execute(tx);
}
