import { sql } from 'kysely';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { Placeholders } from '../db/placeholders.ts';
import { statement } from '../db/statement.ts';
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
  const inserted = await insertion(db, {
    accountId,
    workspaceId,
    userIds: notifications.map(({ user_id }) => user_id),
    titles: notifications.map(({ title }) => title),
    messages: notifications.map(({ message }) => message),
    timeTrackingIds: owners.map((columns) => columns?.time_tracking_id ?? null),
    absenceIds: owners.map((columns) => columns?.absence_id ?? null),
    now,
  });
  const wanting = await addressees(db, { accountId, userIds: inserted.map(({ user_id }) => user_id) });
  for (const { id, user_id } of inserted)
    if (wanting.some((addressee) => addressee.id === user_id))
      await enqueue(db, 'notification_mail', { accountId, notificationId: id });
}

interface InsertedNotifications {
  accountId: number;
  workspaceId: number;
  userIds: readonly number[];
  titles: readonly string[];
  messages: readonly string[];
  timeTrackingIds: readonly (number | null)[];
  absenceIds: readonly (number | null)[];
  now: Date;
}

const insertion = statement(
  (
    _db,
    {
      accountId,
      workspaceId,
      userIds,
      titles,
      messages,
      timeTrackingIds,
      absenceIds,
      now,
    }: Placeholders<InsertedNotifications>,
  ) => sql<{ id: number; user_id: number }>`
    insert into notifications (account_id, workspace_id, type, user_id, title, message, time_tracking_id, absence_id, created_at, updated_at)
    select ${accountId}::bigint, ${workspaceId}::bigint, 'notification', notice.user_id, notice.title, notice.message,
      notice.time_tracking_id, notice.absence_id, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${userIds}::bigint[], ${titles}::text[], ${messages}::text[], ${timeTrackingIds}::bigint[], ${absenceIds}::bigint[])
      with ordinality notice (user_id, title, message, time_tracking_id, absence_id, position)
    order by notice.position
    returning id, user_id`,
);

/** The users who want notifications by mail too. */
const addressees = statement<{ accountId: number; userIds: readonly number[] }, { id: number }>(
  (_db, { accountId, userIds }) => sql<{ id: number }>`
    select id from users where account_id = ${accountId} and id = any(${userIds}::bigint[]) and mail_notifications`,
);

/** A message to the followers of a record. */
export interface FollowerNews {
  readonly owner: Owner;
  readonly message: string;
}

/** Notifies the followers of records of one kind, all under one title. The actor is not notified. */
export const notifyFollowers = (db: Db, actor: Actor, title: string, news: readonly FollowerNews[], now: Date) =>
  sendNews(followerNotification, db, actor, title, news, now);

/** Notifies the followers of records that are about to be deleted. The notification outlives the record and refers to none. */
export const notifyFollowersOfDeletion = (
  db: Db,
  actor: Actor,
  title: string,
  news: readonly FollowerNews[],
  now: Date,
) => sendNews(deletionNotification, db, actor, title, news, now);

async function sendNews(
  statements: typeof followerNotification,
  db: Db,
  { accountId, userId }: Actor,
  title: string,
  news: readonly FollowerNews[],
  now: Date,
): Promise<void> {
  const [first] = news;
  if (first === undefined) return;
  await statements[ownerColumn(first.owner)](db, {
    accountId,
    userId,
    title,
    ids: news.map(({ owner }) => ownerId(owner)),
    messages: news.map(({ message }) => message),
    now,
  });
}

interface FollowerNotification {
  accountId: number;
  userId: number | null;
  title: string;
  ids: readonly number[];
  messages: readonly string[];
  now: Date;
}

const notificationOfFollowers = (owners: string, followers: string, ownerIdColumn: string, isLinked: boolean) => {
  const column = sql.ref(ownerIdColumn);
  return statement(
    (_db, { accountId, userId, title, ids, messages, now }: Placeholders<FollowerNotification>) => sql<object>`
      insert into notifications (account_id, workspace_id, type, user_id, title, message, ${column}, created_at, updated_at)
      select ${accountId}, owner.workspace_id, 'notification', follower.user_id, ${title}, news.message, ${isLinked ? sql`owner.id` : sql`null::bigint`}, ${now}, ${now}
      from unnest(${ids}::bigint[], ${messages}::text[]) news (id, message)
      join ${sql.table(followers)} follower on follower.account_id = ${accountId} and follower.${column} = news.id
      join ${sql.table(owners)} owner on owner.account_id = ${accountId} and owner.id = news.id
      where follower.user_id is distinct from ${userId}
      order by news.id, follower.user_id
      returning account_id`,
  );
};

const notificationsOfFollowers = ({ isLinked }: { isLinked: boolean }) => ({
  time_tracking_id: notificationOfFollowers('time_trackings', 'time_tracking_followers', 'time_tracking_id', isLinked),
  absence_id: notificationOfFollowers('absences', 'absence_followers', 'absence_id', isLinked),
});

const followerNotification = notificationsOfFollowers({ isLinked: true });
const deletionNotification = notificationsOfFollowers({ isLinked: false });
