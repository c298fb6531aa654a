import { sql } from 'kysely';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { Placeholders } from '../db/placeholders.ts';
import { statement } from '../db/statement.ts';
import { sharedTexts, type SharedTexts } from '../db/texts.ts';
import { ownerColumn, ownerColumns, ownerId, type Owner } from '../notes/owner.ts';

export interface News {
  /** The addressee. */
  readonly user_id: number;
  readonly title: string;
  readonly message: string;
  /** What it is about. */
  readonly owner: Owner | null;
}

/** Tells one user something that concerns him. */
export async function notify(
  db: Db,
  accountId: number,
  workspaceId: number,
  { user_id, title, message, owner }: News,
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

/** What the followers of a record are told. */
export interface Change {
  readonly owner: Owner;
  readonly message: string;
}

/** Tells the followers of a record that it changed, all but the actor himself. */
export const notifyFollowers = (
  db: Db,
  actor: Actor,
  owner: Owner,
  title: string,
  message: string,
  now: Date,
): Promise<void> => notifyFollowersOf(db, actor, title, [{ owner, message }], now);

/** Tells the followers of many records of one kind, all under one title. */
export async function notifyFollowersOf(
  db: Db,
  { accountId, userId }: Actor,
  title: string,
  changes: readonly Change[],
  now: Date,
): Promise<void> {
  const [first] = changes;
  if (first === undefined) return;
  await followersNews[ownerColumn(first.owner)](db, {
    accountId,
    userId,
    ids: changes.map(({ owner }) => ownerId(owner)),
    title,
    ...sharedTexts(changes.map(({ message }) => message)),
    now,
  });
}

interface NewsOfMany extends SharedTexts {
  accountId: number;
  userId: number | null;
  ids: readonly number[];
  title: string;
  now: Date;
}

const newsFor = (owners: string, followers: string, owned: string) => {
  const column = sql.ref(owned);
  return statement(
    (_db, { accountId, userId, ids, title, texts, numbers, now }: Placeholders<NewsOfMany>) => sql<object>`
      insert into notifications (account_id, workspace_id, type, user_id, title, message, ${column}, created_at, updated_at)
      select ${accountId}, owner.workspace_id, 'notification', follower.user_id, ${title}, message.text, owner.id, ${now}, ${now}
      from unnest(${ids}::bigint[], ${numbers}::integer[]) change (id, number)
      join unnest(${texts}::text[]) with ordinality message (text, number) on message.number = coalesce(change.number, 1)
      join ${sql.table(followers)} follower on follower.account_id = ${accountId} and follower.${column} = change.id
      join ${sql.table(owners)} owner on owner.account_id = ${accountId} and owner.id = change.id
      where follower.user_id is distinct from ${userId}
      order by change.id, follower.user_id`,
  );
};

const followersNews = {
  time_tracking_id: newsFor('time_trackings', 'time_tracking_followers', 'time_tracking_id'),
  absence_id: newsFor('absences', 'absence_followers', 'absence_id'),
};

export interface Warning {
  readonly rule: string;
  readonly title: string;
  readonly message: string;
}

export interface StandingWarning extends Warning {
  readonly id: number;
  readonly user_id: number;
}

/** The warnings that a tracking is to have, and those it has. */
export interface Judgement {
  readonly timeTracking: { readonly id: number; readonly user_id: number };
  readonly warnings: readonly Warning[];
  readonly standing: readonly StandingWarning[];
}

/** Makes the warnings of each tracking exactly these: new ones are raised, standing ones kept, others withdrawn. */
export async function setWarnings(
  db: Db,
  accountId: number,
  workspaceId: number,
  judgements: readonly Judgement[],
  now: Date,
): Promise<void> {
  const withdrawn = judgements.flatMap(({ warnings, standing }) =>
    standing.filter(({ rule }) => warnings.every((warning) => warning.rule !== rule)),
  );
  if (withdrawn.length > 0) await withdrawal(db, { accountId, ids: withdrawn.map(({ id }) => id) });
  // What stands and still says the same is left alone.
  const raised = judgements.flatMap(({ timeTracking: { id, user_id }, warnings, standing }) =>
    warnings
      .filter((warning) => !standing.some((other) => other.user_id === user_id && isSame(warning, other)))
      .map((warning) => ({ user_id, time_tracking_id: id, ...warning })),
  );
  if (raised.length === 0) return;
  await raising(db, {
    accountId,
    workspaceId,
    userIds: raised.map(({ user_id }) => user_id),
    timeTrackingIds: raised.map(({ time_tracking_id }) => time_tracking_id),
    rules: raised.map(({ rule }) => rule),
    titles: raised.map(({ title }) => title),
    messages: raised.map(({ message }) => message),
    now,
  });
}

interface Raised {
  accountId: number;
  workspaceId: number;
  userIds: readonly number[];
  timeTrackingIds: readonly number[];
  rules: readonly string[];
  titles: readonly string[];
  messages: readonly string[];
  now: Date;
}

const withdrawal = statement(
  (_db, { accountId, ids }: Placeholders<{ accountId: number; ids: readonly number[] }>) => sql<object>`
    delete from notifications where account_id = ${accountId} and id = any(${ids}::bigint[])`,
);

const raising = statement(
  (
    _db,
    { accountId, workspaceId, userIds, timeTrackingIds, rules, titles, messages, now }: Placeholders<Raised>,
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
