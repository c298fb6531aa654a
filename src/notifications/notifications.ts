import { sql } from 'kysely';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { Placeholders } from '../db/placeholders.ts';
import { statement } from '../db/statement.ts';
import { ownerColumn, ownerColumns, ownerId, type Owner } from '../notes/owner.ts';

export interface NewNotification {
  /** The addressee. */
  readonly user_id: number;
  readonly title: string;
  readonly message: string;
  /** The record it is about. */
  readonly owner: Owner | null;
}

/** Notifies one user. */
export async function notify(
  db: Db,
  accountId: number,
  workspaceId: number,
  { user_id, title, message, owner }: NewNotification,
  now: Date,
): Promise<void> {
  await db
    .insertInto('notifications')
    .values({
      account_id: accountId,
      workspace_id: workspaceId,
      type: 'notification',
      user_id,
      title,
      message,
      ...(owner && ownerColumns(owner)),
      created_at: now,
      updated_at: now,
    })
    .execute();
}

/** What the followers of a record are told about it. */
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
      order by news.id, follower.user_id`,
  );
};

const notificationsOfFollowers = (isLinked: boolean) => ({
  time_tracking_id: notificationOfFollowers('time_trackings', 'time_tracking_followers', 'time_tracking_id', isLinked),
  absence_id: notificationOfFollowers('absences', 'absence_followers', 'absence_id', isLinked),
});

const followerNotification = notificationsOfFollowers(true);
const deletionNotification = notificationsOfFollowers(false);

export interface Warning {
  readonly rule: string;
  readonly title: string;
  readonly message: string;
}

/** A warning that is stored already. */
export interface StandingWarning extends Warning {
  readonly id: number;
  readonly user_id: number;
}

/** The warnings that a time tracking should have, and those that are stored. */
export interface Judgement {
  readonly timeTracking: { readonly id: number; readonly user_id: number };
  readonly warnings: readonly Warning[];
  readonly standing: readonly StandingWarning[];
}

/** Stores the warnings that each time tracking should have, and deletes the others. */
export async function setWarnings(
  db: Db,
  accountId: number,
  workspaceId: number,
  judgements: readonly Judgement[],
  now: Date,
): Promise<void> {
  const outdated = judgements.flatMap(({ warnings, standing }) =>
    standing.filter(({ rule }) => warnings.every((warning) => warning.rule !== rule)),
  );
  if (outdated.length > 0) await warningDeletion(db, { accountId, ids: outdated.map(({ id }) => id) });
  const changed = judgements.flatMap(({ timeTracking: { id, user_id }, warnings, standing }) =>
    warnings
      .filter((warning) => !standing.some((other) => other.user_id === user_id && isSame(warning, other)))
      .map((warning) => ({ user_id, time_tracking_id: id, ...warning })),
  );
  if (changed.length === 0) return;
  await warningUpsert(db, {
    accountId,
    workspaceId,
    userIds: changed.map(({ user_id }) => user_id),
    timeTrackingIds: changed.map(({ time_tracking_id }) => time_tracking_id),
    rules: changed.map(({ rule }) => rule),
    titles: changed.map(({ title }) => title),
    messages: changed.map(({ message }) => message),
    now,
  });
}

interface ChangedWarnings {
  accountId: number;
  workspaceId: number;
  userIds: readonly number[];
  timeTrackingIds: readonly number[];
  rules: readonly string[];
  titles: readonly string[];
  messages: readonly string[];
  now: Date;
}

const warningDeletion = statement(
  (_db, { accountId, ids }: Placeholders<{ accountId: number; ids: readonly number[] }>) => sql<object>`
    delete from notifications where account_id = ${accountId} and id = any(${ids}::bigint[])`,
);

const warningUpsert = statement(
  (
    _db,
    { accountId, workspaceId, userIds, timeTrackingIds, rules, titles, messages, now }: Placeholders<ChangedWarnings>,
  ) => sql<object>`
    insert into notifications (account_id, workspace_id, type, user_id, time_tracking_id, rule, title, message, created_at, updated_at)
    select ${accountId}, ${workspaceId}, 'trigger_warning', warning.user_id, warning.time_tracking_id, warning.rule, warning.title, warning.message, ${now}, ${now}
    from unnest(${userIds}::bigint[], ${timeTrackingIds}::bigint[], ${rules}::text[], ${titles}::text[], ${messages}::text[])
      warning (user_id, time_tracking_id, rule, title, message)
    on conflict (account_id, time_tracking_id, rule) where rule is not null
    do update set user_id = excluded.user_id, title = excluded.title, message = excluded.message, updated_at = excluded.updated_at`,
);

const isSame = (one: Warning, other: Warning): boolean =>
  one.rule === other.rule && one.title === other.title && one.message === other.message;
