import { sql, type Expression } from 'kysely';
import { groupQueue } from '../core/async/group_queue.ts';
import type { Actor } from '../core/permissions.ts';
import { actorIn, actorRows, type ActorRow } from '../db/actors.ts';
import type { Db } from '../db/connection.ts';
import { readWith, type Readers } from '../db/readers/readers.ts';
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
  /** Where rows are distributed, the servers that have them. */
  readonly readers?: Readers | undefined;
}

/** Makes a function that finds the actor behind a token. */
export function tokenHolders(
  db: Db,
  { gather, isDistributed, readers }: Options,
): (token: PresentedToken) => Promise<Actor | undefined> {
  const findTogether = inGroups(gather, (_all: 'tokens', tokens: readonly PresentedToken[]) => holdersOf(db, tokens));
  const findOwner = inGroups(gather, (_all: 'tokens', hashes: readonly string[]) => ownersOf(db, hashes));
  const findInAccount = inGroups(gather, async (accountId: number, users: readonly PresentedUser[]) =>
    readWith(await readers?.dbFor(accountId), db, (reader) => holdersInAccount(reader, accountId, users)),
  );
  return async (token) => {
    if (!(await isDistributed(db))) return findTogether('tokens', token);
    // The server of one account may be down while those of others are not. So each account is a group of its own.
    const found = await findOwner('tokens', token.hash);
    return found && findInAccount(found.account_id, { userId: found.user_id, workspaceId: token.workspaceId });
  };
}

/** Hands items to `work` in groups, or each by itself. */
const inGroups = <Key, Item, Result>(
  gather: boolean,
  work: (key: Key, items: readonly Item[]) => Promise<readonly Result[]>,
): ((key: Key, item: Item) => Promise<Result>) =>
  gather ? groupQueue(work) : async (key, item) => (await work(key, [item]))[0]!;

type Holders = (Actor | undefined)[];

/** One statement for all tokens. */
async function holdersOf(db: Db, tokens: readonly PresentedToken[]): Promise<Holders> {
  const rows = await holders(db, {
    hashes: tokens.map(({ hash }) => hash),
    workspaceIds: tokens.map(({ workspaceId }) => workspaceId),
  });
  return inPlaces(rows, tokens);
}

interface Owner {
  readonly account_id: number;
  readonly user_id: number;
}

/** The accounts and users that tokens belong to. */
async function ownersOf(db: Db, hashes: readonly string[]): Promise<(Owner | undefined)[]> {
  const found = new Map((await owners(db, { hashes })).map(({ hash, ...own }) => [hash, own]));
  return hashes.map((hash) => found.get(hash));
}

/** A user whose token was presented. */
interface PresentedUser extends Pick<PresentedToken, 'workspaceId'> {
  readonly userId: number;
}

async function holdersInAccount(db: Db, accountId: number, users: readonly PresentedUser[]): Promise<Holders> {
  const rows = await ofAccount(db, {
    accountId,
    userIds: users.map(({ userId }) => userId),
    workspaceIds: users.map(({ workspaceId }) => workspaceId),
  });
  return inPlaces(rows, users);
}

/** The holders in the order in which they were presented. */
function inPlaces(rows: readonly HolderRow[], presented: readonly unknown[]): Holders {
  const actors = new Map(rows.map((row) => [row.position, actorIn(row)]));
  return presented.map((_one, index) => actors.get(index + 1));
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

const owners = statement<Pick<PresentedTokens, 'hashes'>, Owner & { hash: string }>((db, { hashes }) =>
  db
    .selectFrom('access_tokens')
    .select(['hash', 'account_id', 'user_id'])
    .where(sql<boolean>`hash = any(${hashes}::text[])`),
);

interface PresentedUsers extends Pick<PresentedTokens, 'workspaceIds'> {
  readonly accountId: number;
  readonly userIds: readonly number[];
}

const ofAccount = statement<PresentedUsers, HolderRow>(
  (db, { accountId, userIds, workspaceIds }) => sql<HolderRow>`
    select presented.position::integer, holder.*
    from unnest(${userIds}::bigint[], ${workspaceIds}::bigint[]) with ordinality presented (user_id, workspace_id, position)
    cross join lateral (${holderOf(db, accountId, sql.ref('presented.user_id'))}) holder`,
);

const holderOf = (db: Db, accountId: Expression<number>, userId: Expression<number>) =>
  actorRows(db, accountId, sql.ref<number>('presented.workspace_id')).where('user.id', '=', userId).limit(1);
