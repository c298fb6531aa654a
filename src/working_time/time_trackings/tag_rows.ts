import { sql } from 'kysely';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';

/** Makes the tags of a time tracking exactly these. */
export async function replaceTags(
  db: Db,
  { accountId }: Actor,
  timeTrackingId: number,
  tagIds: readonly number[],
): Promise<void> {
  await sql`
    delete from time_tracking_tags
    where account_id = ${accountId} and time_tracking_id = ${timeTrackingId} and tag_id <> all(${tagIds}::bigint[])`.execute(
    db,
  );
  await addTags(db, accountId, [timeTrackingId], tagIds);
}

/** Puts tags on time trackings. */
export async function addTags(
  db: Db,
  accountId: number,
  timeTrackingIds: readonly number[],
  tagIds: readonly number[],
): Promise<void> {
  if (tagIds.length === 0) return;
  await sql`
    insert into time_tracking_tags (account_id, time_tracking_id, tag_id)
    select ${accountId}, tracking.id, tag.id from unnest(${timeTrackingIds}::bigint[]) tracking (id), unnest(${tagIds}::bigint[]) tag (id)
    on conflict do nothing
    returning account_id`.execute(db);
}
