import type { components } from '../../generated/v3.ts';
import { invalid, notFound, refuse, type Problem } from '../core/errors.ts';
import { numericId, unknownIds, type Id } from '../core/ids.ts';
import { authorize, may, type Actor } from '../core/permissions.ts';
import { newCalendarSecret, tokenHash } from '../core/secrets.ts';
import { requireSelf } from '../current_user/oneself.ts';
import type { Db } from '../db/connection.ts';
import { listColumns } from '../db/list/columns.ts';
import { list, type Selection } from '../db/list/list.ts';
import { lockUsers } from '../db/locks.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { eventsOf, recordEvents, type EventActor } from '../events/record.ts';

type Input = components['schemas']['CalendarFeedCreation']['data']['attributes'];
export type Scope = components['schemas']['CalendarFeedScope'];

/** How many feeds a user may have. */
const maxFeeds = 20;

const columns = listColumns('listCalendarFeeds', 'calendar_feeds');

/** Without the hash, which only the look-up by secret reads. */
const shownColumns = ['account_id', 'id', 'user_id', 'name', 'scope', 'workspace_id', 'area_id', 'created_at'] as const;

const feedsOf = (db: Db, accountId: number, userId: number) =>
  db
    .selectFrom('calendar_feeds')
    .where('calendar_feeds.account_id', '=', accountId)
    .where('calendar_feeds.user_id', '=', userId);

const feedRows = (db: Db, accountId: number, userId: number) => feedsOf(db, accountId, userId).select(shownColumns);

export type CalendarFeedRow = Awaited<ReturnType<ReturnType<typeof feedRows>['executeTakeFirstOrThrow']>>;

const feedEvents = eventsOf<CalendarFeedRow>()('calendar_feed', ['name', 'scope', 'area_id']);

/** The feeds of the actor, who alone may read them. */
export async function listCalendarFeeds(db: Db, actor: Actor, userRef: Id, selection: Selection) {
  const userId = await requireSelf(db, actor, userRef);
  return list(
    db,
    {
      visible: feedsOf(db, actor.accountId, userId),
      rows: feedRows(db, actor.accountId, userId),
      id: 'calendar_feeds.id',
      columns,
      timeZone: 'UTC',
    },
    selection,
  );
}

/** Creates a feed for the actor. Only the hash of its secret is stored: this is the one place that returns the secret. */
export async function createCalendarFeed(
  tx: OpenTransaction,
  actor: Actor,
  userRef: Id,
  input: Input,
  now: Date,
): Promise<CalendarFeedRow & { secret: string }> {
  const userId = await requireSelf(tx, actor, userRef);
  const covered = await coveredBy(tx, actor, input);
  // Of two creations at the same time, the second counts the first.
  await lockUsers(tx, { accountId: actor.accountId, ids: [userId] });
  await requireRoom(tx, actor.accountId, userId);
  const secret = newCalendarSecret();
  const owner = { account_id: actor.accountId, user_id: userId, hash: tokenHash(secret) };
  await tx.insertInto('directory_calendar_feeds').values(owner).execute();
  const after = await tx
    .insertInto('calendar_feeds')
    .values({ ...covered, ...owner, name: input.name ?? '', created_at: now })
    .returning(shownColumns)
    .executeTakeFirstOrThrow();
  feedEvents.record(tx, actor, 'created', { before: null, after }, now);
  return { ...after, secret };
}

/** Revokes a feed of the actor: its address leads nowhere from now on. */
export async function revokeCalendarFeed(
  tx: OpenTransaction,
  actor: Actor,
  userRef: Id,
  ref: Id,
  now: Date,
): Promise<CalendarFeedRow> {
  const userId = await requireSelf(tx, actor, userRef);
  const revoked = await tx
    .deleteFrom('calendar_feeds')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', userId)
    .where('id', '=', numericId(ref) ?? null)
    .returning([...shownColumns, 'hash'])
    .executeTakeFirst();
  if (!revoked) throw notFound('calendar feed');
  const { hash, ...before } = revoked;
  await tx.deleteFrom('directory_calendar_feeds').where('hash', '=', hash).execute();
  feedEvents.record(tx, actor, 'deleted', { before, after: null }, now);
  return before;
}

/** Revokes all feeds of a user. */
export async function revokeCalendarFeedsOf(
  tx: OpenTransaction,
  actor: EventActor,
  userId: number,
  now: Date,
): Promise<void> {
  await tx
    .deleteFrom('directory_calendar_feeds')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', userId)
    .execute();
  const revoked = await tx
    .deleteFrom('calendar_feeds')
    .where('account_id', '=', actor.accountId)
    .where('user_id', '=', userId)
    .returning(shownColumns)
    .execute();
  const events = revoked.flatMap((before) => feedEvents.eventOf('deleted', before, null) ?? []);
  recordEvents(tx, actor, events, now);
}

/** What a new feed covers. Refuses what the actor does not see or may not subscribe to. */
async function coveredBy(db: Db, actor: Actor, { scope = 'own', workspace_id, area_id }: Input) {
  const isUnfit = (name: string, ref: Id | undefined, fits: boolean): Problem[] =>
    ref === undefined || fits
      ? []
      : [{ code: 'contradiction', pointer: name, title: `${name} does not fit scope ${scope}.` }];
  refuse([...isUnfit('workspace_id', workspace_id, scope !== 'own'), ...isUnfit('area_id', area_id, scope === 'area')]);
  if (scope === 'own') return { scope, workspace_id: null, area_id: null };
  const workspaceId = await seenWorkspace(db, actor, workspace_id!);
  if (workspaceId === undefined) throw refusal('workspace_id', workspace_id!, 'workspace of the caller');
  authorize(actor, 'subscribe', 'workspace', { id: workspaceId });
  if (scope === 'workspace') return { scope, workspace_id: workspaceId, area_id: null };
  const area = await activeArea(db, actor.accountId, workspaceId, area_id!);
  if (area === undefined) throw refusal('area_id', area_id!, 'active area of the workspace');
  return { scope, workspace_id: workspaceId, area_id: area.id };
}

const refusal = (pointer: string, ref: Id, what: string) =>
  invalid('unknown_reference', pointer, unknownIds(pointer, [ref], what)[0]!.title);

async function seenWorkspace(db: Db, actor: Actor, ref: Id): Promise<number | undefined> {
  const row = await db
    .selectFrom('workspaces')
    .select('id')
    .where('account_id', '=', actor.accountId)
    .where('id', '=', numericId(ref) ?? null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row && may(actor, 'read', 'workspace', row) ? row.id : undefined;
}

/** An area of the workspace, unless it is deleted. */
export const activeArea = (db: Db, accountId: number, workspaceId: number, ref: Id) =>
  db
    .selectFrom('areas')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', numericId(ref) ?? null)
    .where('status', '=', 'active')
    .executeTakeFirst();

async function requireRoom(db: Db, accountId: number, userId: number): Promise<void> {
  const { count } = await feedsOf(db, accountId, userId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count >= maxFeeds)
    throw invalid(
      'limit_reached',
      'base',
      `You have ${count} calendar feeds, and ${maxFeeds} are allowed. Revoke one first.`,
    );
}
