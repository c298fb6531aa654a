import { sql } from 'kysely';
import type { OpenTransaction } from '../db/open_transaction.ts';
import type { EventActor } from './record.ts';
import { changeAndRecord } from './record_rows.ts';

/*
 * Records that lose a reference, because what they refer to is deleted. Each of them gets an event.
 */

/** Takes an area off the time trackings and shifts that are in it. Those of closed months keep it: nothing changes them. */
export async function clearArea(tx: OpenTransaction, actor: EventActor, areaId: number, now: Date): Promise<void> {
  const changesOf = (attribute: string) => sql`${JSON.stringify({ [attribute]: [areaId, null] })}::jsonb as changes`;
  const inArea = sql`account_id = ${actor.accountId} and area_id = ${areaId}`;
  // A closing at the same time is either seen, or waits for these locks and reads what the area left: see month_lock in the schema.
  await sql`select pg_advisory_xact_lock_shared(wanted.lock) from (
    select distinct month_lock(account_id, user_id) as lock from time_trackings where ${inArea} order by lock) wanted`.execute(
    tx,
  );
  await changeAndRecord(
    tx,
    actor,
    'time_tracking.updated',
    {
      change: sql`update time_trackings set area_id = null where ${inArea} and not ${isClosed(actor)} returning workspace_id, id, uuid, external_id, user_id`,
      columns: sql`workspace_id bigint, id bigint, uuid uuid, external_id text, user_id bigint`,
      rows: sql`select *, ${changesOf('area_id')} from changed`,
    },
    now,
  );
  await changeAndRecord(
    tx,
    actor,
    'shift.updated',
    {
      change: sql`update shifts set area_id = null where ${inArea} returning workspace_id, id`,
      columns: sql`workspace_id bigint, id bigint`,
      rows: sql`select *, ${noUser}, ${changesOf('working_area_id')} from changed`,
    },
    now,
  );
}

/** Takes a tag off the time trackings, shifts and actions that carry it. */
export async function removeTag(tx: OpenTransaction, actor: EventActor, tagId: number, now: Date): Promise<void> {
  const { accountId } = actor;
  const tagged = sql`account_id = ${accountId} and tag_id = ${tagId}`;
  /** The tags of a record before and after. The tag is removed already. */
  const changesOf = (table: string, reference: string) => sql`(
    select jsonb_build_object('tag_ids', jsonb_build_array(jsonb_agg(tag_id order by tag_id),
      coalesce(jsonb_agg(tag_id order by tag_id) filter (where tag_id <> ${tagId}), '[]')))
    from (
      select carried.tag_id from ${sql.table(table)} carried
      where carried.account_id = ${accountId} and carried.${sql.ref(reference)} = record.id
      union select ${tagId}::bigint) before) as changes`;
  await changeAndRecord(
    tx,
    actor,
    'time_tracking.updated',
    {
      change: sql`delete from time_tracking_tags where ${tagged} returning time_tracking_id`,
      columns: sql`time_tracking_id bigint`,
      rows: sql`
        select workspace_id, id, uuid, external_id, user_id, ${changesOf('time_tracking_tags', 'time_tracking_id')}
        from changed join time_trackings record on record.account_id = ${accountId} and record.id = changed.time_tracking_id`,
    },
    now,
  );
  await changeAndRecord(
    tx,
    actor,
    'shift.updated',
    {
      change: sql`delete from shift_tags where ${tagged} returning shift_id`,
      columns: sql`shift_id bigint`,
      rows: sql`
        select workspace_id, id, ${noUser}, ${changesOf('shift_tags', 'shift_id')}
        from changed join shifts record on record.account_id = ${accountId} and record.id = changed.shift_id`,
    },
    now,
  );
  await changeAndRecord(
    tx,
    actor,
    'tagging.deleted',
    {
      change: sql`delete from taggings where ${tagged} returning id, action_id`,
      columns: sql`id uuid, action_id uuid`,
      rows: sql`
        select action.workspace_id, changed.id, null::uuid as uuid, null as external_id, action.user_id,
          jsonb_build_object('tag_id', jsonb_build_array(${tagId}::bigint, null),
            'taggable_id', jsonb_build_array(changed.action_id, null)) as changes
        from changed join actions action on action.account_id = ${accountId} and action.id = changed.action_id`,
    },
    now,
  );
}

const noUser = sql`null::uuid as uuid, null as external_id, null::bigint as user_id`;

/** Whether a time tracking lies in a closed month of its user, or before one. */
const isClosed = ({ accountId }: EventActor) => sql`exists (
  select from accounting_periods closed
  where closed.account_id = ${accountId} and closed.user_id = time_trackings.user_id and closed.reopened_at is null
    and closed.ends_at > time_trackings.starts_at)`;
