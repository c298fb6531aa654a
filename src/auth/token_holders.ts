import { sql, type Expression } from 'kysely';
import { groupQueue } from '../core/async/group_queue.ts';
import { groupBy } from '../core/group_by.ts';
import type { Actor } from '../core/permissions.ts';
import { actorIn, actorRows, type ActorRow } from '../db/actors.ts';
import type { Db } from '../db/connection.ts';
import { statement } from '../db/statement.ts';

/*
 * The users who hold access tokens. Tokens of requests that arrive together are looked up in one statement, because a message to
 * the database costs more than the look-up itself. GATHER_CREDENTIALS=off looks up every token by itself.
 */

export interface PresentedToken {
  readonly hash: string;
  /** The workspace that the request is about, or `noWorkspaceId`. */
  readonly workspaceId: number;
}

interface Options {
  readonly gather: boolean;
  /** Whether rows are distributed by account, so that a statement about users must name theirs. */
  readonly isDistributed: (db: Db) => Promise<boolean>;
}

/** Makes a function that finds the actor behind a token. */
export function tokenHolders(
  db: Db,
  { gather, isDistributed }: Options,
): (token: PresentedToken) => Promise<Actor | undefined> {
  const find = async (tokens: readonly PresentedToken[]) =>
    (await isDistributed(db)) ? findByAccount(db, tokens) : findTogether(db, tokens);
  if (!gather) return async (token) => (await find([token]))[0];
  const enqueue = groupQueue((_table: 'access_tokens', tokens: readonly PresentedToken[]) => find(tokens));
  return (token) => enqueue('access_tokens', token);
}

type Holders = (Actor | undefined)[];

/** One statement for all tokens. */
async function findTogether(db: Db, tokens: readonly PresentedToken[]): Promise<Holders> {
  const rows = await holders(db, {
    hashes: tokens.map(({ hash }) => hash),
    workspaceIds: tokens.map(({ workspaceId }) => workspaceId),
  });
  return inPlaces(rows, tokens);
}

/** One statement that finds the accounts of the tokens, and one for the holders of each account. */
async function findByAccount(db: Db, tokens: readonly PresentedToken[]): Promise<Holders> {
  const owners = new Map(
    (await owner(db, { hashes: tokens.map(({ hash }) => hash) })).map(({ hash, ...own }) => [hash, own]),
  );
  const presented = tokens.flatMap(({ hash, workspaceId }, index) => {
    const own = owners.get(hash);
    return own ? [{ ...own, workspaceId, position: index + 1 }] : [];
  });
  const found = [...groupBy(presented, ({ account_id }) => account_id)].map(([accountId, ofAccount]) =>
    holdersInAccount(db, {
      accountId,
      userIds: ofAccount.map(({ user_id }) => user_id),
      workspaceIds: ofAccount.map(({ workspaceId }) => workspaceId),
      positions: ofAccount.map(({ position }) => position),
    }),
  );
  return inPlaces((await Promise.all(found)).flat(), tokens);
}

/** The holder of each token, in the order of the tokens. */
function inPlaces(rows: readonly HolderRow[], tokens: readonly PresentedToken[]): Holders {
  const actors = new Map(rows.map((row) => [row.position, actorIn(row)]));
  return tokens.map((_token, index) => actors.get(index + 1));
}

interface PresentedTokens {
  readonly hashes: readonly string[];
  readonly workspaceIds: readonly number[];
}

interface HolderRow extends ActorRow {
  /** The place of the token among those that were presented, from 1. */
  readonly position: number;
}

/**
 * The limits leave the planner no choice but to look up one token after the other: a plan for joins, made while there were few
 * users and then kept, would scan all of them.
 */
const holders = statement<PresentedTokens, HolderRow>(
  (db, { hashes, workspaceIds }) => sql<HolderRow>`
    select presented.position::integer, holder.*
    from unnest(${hashes}::text[], ${workspaceIds}::bigint[]) with ordinality presented (hash, workspace_id, position)
    cross join lateral (select account_id, user_id from access_tokens where hash = presented.hash limit 1) token
    cross join lateral (${holderOf(db, sql.ref('token.account_id'), sql.ref('token.user_id'))}) holder`,
);

const owner = statement<Pick<PresentedTokens, 'hashes'>, { hash: string; account_id: number; user_id: number }>(
  (db, { hashes }) =>
    db
      .selectFrom('access_tokens')
      .select(['hash', 'account_id', 'user_id'])
      .where(sql<boolean>`hash = any(${hashes}::text[])`),
);

interface PresentedInAccount extends Pick<PresentedTokens, 'workspaceIds'> {
  readonly accountId: number;
  readonly userIds: readonly number[];
  readonly positions: readonly number[];
}

const holdersInAccount = statement<PresentedInAccount, HolderRow>(
  (db, { accountId, userIds, workspaceIds, positions }) => sql<HolderRow>`
    select presented.position, holder.*
    from unnest(${userIds}::bigint[], ${workspaceIds}::bigint[], ${positions}::integer[]) presented (user_id, workspace_id, position)
    cross join lateral (${holderOf(db, accountId, sql.ref('presented.user_id'))}) holder`,
);

const holderOf = (db: Db, accountId: Expression<number>, userId: Expression<number>) =>
  actorRows(db, accountId, sql.ref<number>('presented.workspace_id')).where('user.id', '=', userId).limit(1);
