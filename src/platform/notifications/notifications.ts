import { sql } from 'kysely';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { isAnyOf } from '../db/rows_by_ids.ts';
import { enqueue } from '../jobs/queue.ts';
import { ownerColumn, ownerColumns, ownerId, type Owner } from '../notes/owner.ts';

export interface NewNotification {
  /** The addressee. */
  readonly user_id: number;
  readonly title: string;
  readonly message: string;
  /** The record it is about. */
  readonly owner: Owner | null;
}

/** Notifies one user, also by mail if they want it. */
export const notify = (db: Db, accountId: number, workspaceId: number, notification: NewNotification, now: Date) =>
  notifyAll(db, accountId, workspaceId, [notification], now);

/** Notifies users, also by mail those who want it. */
export async function notifyAll(
  db: Db,
  accountId: number,
  workspaceId: number,
  notifications: readonly NewNotification[],
  now: Date,
): Promise<void> {
  if (notifications.length === 0) return;
  const owners = notifications.map(({ owner }) => owner && ownerColumns(owner));
  const { rows: inserted } = await sql<{ id: number; user_id: number }>`
    insert into notifications (account_id, workspace_id, type, user_id, title, message, time_tracking_id, absence_id, created_at, updated_at)
    select ${accountId}::bigint, ${workspaceId}::bigint, 'notification', notice.user_id, notice.title, notice.message,
      notice.time_tracking_id, notice.absence_id, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${notifications.map(({ user_id }) => user_id)}::bigint[], ${notifications.map(({ title }) => title)}::text[],
      ${notifications.map(({ message }) => message)}::text[],
      ${owners.map((columns) => columns?.time_tracking_id ?? null)}::bigint[],
      ${owners.map((columns) => columns?.absence_id ?? null)}::bigint[])
      with ordinality notice (user_id, title, message, time_tracking_id, absence_id, position)
    order by notice.position
    returning id, user_id`.execute(db);
  const wanting = await db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where(
      isAnyOf(
        'id',
        inserted.map(({ user_id }) => user_id),
      ),
    ) // prettier-ignore
    .where('mail_notifications', '=', true)
    .execute();
  for (const { id, user_id } of inserted)
    if (wanting.some((addressee) => addressee.id === user_id))
      await enqueue(db, 'notification_mail', { accountId, notificationId: id });
}

/** A message to the followers of a record. */
export interface FollowerNews {
  readonly owner: Owner;
  readonly message: string;
}

/** Notifies the followers of records of one kind, all under one title. The actor is not notified. */
export const notifyFollowers = (db: Db, actor: Actor, title: string, news: readonly FollowerNews[], now: Date) =>
  sendNews(db, actor, title, news, { isLinked: true }, now);

/** Notifies the followers of records that are about to be deleted. The notification outlives the record and refers to none. */
export const notifyFollowersOfDeletion = (
  db: Db,
  actor: Actor,
  title: string,
  news: readonly FollowerNews[],
  now: Date,
) => sendNews(db, actor, title, news, { isLinked: false }, now);

const tablesOf = {
  time_tracking_id: { owners: 'time_trackings', followers: 'time_tracking_followers' },
  absence_id: { owners: 'absences', followers: 'absence_followers' },
} as const;

async function sendNews(
  db: Db,
  { accountId, userId }: Actor,
  title: string,
  news: readonly FollowerNews[],
  { isLinked }: { readonly isLinked: boolean },
  now: Date,
): Promise<void> {
  if (news.length === 0) return;
  const name = ownerColumn(news[0]!.owner);
  const column = sql.ref(name);
  const { owners, followers } = tablesOf[name];
  await sql`
    insert into notifications (account_id, workspace_id, type, user_id, title, message, ${column}, created_at, updated_at)
    select ${accountId}, owner.workspace_id, 'notification', follower.user_id, ${title}, news.message,
      ${isLinked ? sql`owner.id` : sql`null::bigint`}, ${now}, ${now}
    from unnest(${news.map(({ owner }) => ownerId(owner))}::bigint[], ${news.map(({ message }) => message)}::text[]) news (id, message)
    join ${sql.table(followers)} follower on follower.account_id = ${accountId} and follower.${column} = news.id
    join ${sql.table(owners)} owner on owner.account_id = ${accountId} and owner.id = news.id
    where follower.user_id is distinct from ${userId}
    order by news.id, follower.user_id
    returning account_id`.execute(db);
}
