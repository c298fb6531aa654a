import type { components } from '../../../generated/v3.ts';
import { invalid, notFound, refuse, type Problem } from '../../platform/core/errors.ts';
import { numericId, unknownIds, type Id } from '../../platform/core/ids.ts';
import { authorize, may, type Actor } from '../../platform/core/permissions.ts';
import { newCalendarSecret, tokenHash } from '../../platform/core/secrets.ts';
import { requireSelf } from '../../organisation/current_user/oneself.ts';
import type { Db } from '../../platform/db/connection.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { lockUsers } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { calendarFeedEvents, shownColumns, type CalendarFeedRow } from '../../access/auth/calendar_feeds.ts';

type Input = components['schemas']['CalendarFeedCreation']['data']['attributes'];
export type Scope = components['schemas']['CalendarFeedScope'];

/** How many feeds a user may have. */
const maxFeeds = 20;

const columns = listColumns('listCalendarFeeds', 'calendar_feeds');

const feedsOf = (db: Db, accountId: number, userId: number) =>
  db
    .selectFrom('calendar_feeds')
    .where('calendar_feeds.account_id', '=', accountId)
    .where('calendar_feeds.user_id', '=', userId);

const feedRows = (db: Db, accountId: number, userId: number) => feedsOf(db, accountId, userId).select(shownColumns);

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
  calendarFeedEvents.record(tx, actor, 'created', { before: null, after }, now);
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
  calendarFeedEvents.record(tx, actor, 'deleted', { before, after: null }, now);
  return before;
}

/** The scope of a new feed. Refuses what the actor does not see or may not subscribe to. */
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
