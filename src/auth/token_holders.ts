import { sql } from 'kysely';
import { groupQueue } from '../core/async/group_queue.ts';
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
  /** The workspace that the request is about. */
  readonly workspaceId: number | null;
}

/** Makes a function that finds the actor behind a token. */
export function tokenHolders(
  db: Db,
  { gather }: { readonly gather: boolean },
): (token: PresentedToken) => Promise<Actor | undefined> {
  if (!gather) return async (token) => (await findHolders(db, [token]))[0];
  const enqueue = groupQueue((_table: 'access_tokens', tokens: readonly PresentedToken[]) => findHolders(db, tokens));
  return (token) => enqueue('access_tokens', token);
}

async function findHolders(db: Db, tokens: readonly PresentedToken[]): Promise<(Actor | undefined)[]> {
  const rows = await holders(db, {
    hashes: tokens.map(({ hash }) => hash),
    workspaceIds: tokens.map(({ workspaceId }) => workspaceId),
  });
  const actors = new Map(rows.map((row) => [row.position, actorIn(row)]));
  return tokens.map((_token, index) => actors.get(index + 1));
}

interface PresentedTokens {
  readonly hashes: readonly string[];
  readonly workspaceIds: readonly (number | null)[];
}

interface HolderRow extends ActorRow {
  /** The place of the token among those that were presented, from 1. */
  readonly position: number;
}

/**
 * The limits leave the planner no choice but to look up one token after the other: a plan for joins, made while there were few
 * users and then kept, would scan all of them.
 */
const holders = statement<PresentedTokens, HolderRow>((db, { hashes, workspaceIds }) => {
  const holder = actorRows(db, sql.ref<number | null>('presented.workspace_id'))
    .where('user.account_id', '=', sql.ref<number>('token.account_id'))
    .where('user.id', '=', sql.ref<number>('token.user_id'))
    .limit(1);
  return sql<HolderRow>`
    select presented.position::integer, holder.*
    from unnest(${hashes}::text[], ${workspaceIds}::bigint[]) with ordinality presented (hash, workspace_id, position)
    cross join lateral (select account_id, user_id from access_tokens where hash = presented.hash limit 1) token
    cross join lateral (${holder}) holder`;
});
