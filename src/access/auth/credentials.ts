import { sql } from 'kysely';
import { readOnly, unauthorized } from '../../platform/core/errors.ts';
import { noWorkspaceId } from '../../platform/core/ids.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import { rank } from '../../platform/core/ranks.ts';
import { tokenHash } from '../../platform/core/secrets.ts';
import { actorIn, actorRows, type ActorRow } from '../../platform/db/actors.ts';
import type { Db } from '../../platform/db/connection.ts';
import { isDistributed } from '../../platform/db/distribution/citus.ts';
import { readWith, type Readers } from '../../platform/db/readers/readers.ts';
import { statement } from '../../platform/db/statement.ts';

/*
 * Every request looks its credential up. Nothing is cached, so a revoked credential works nowhere from the moment of its commit.
 */

/** Finds the actor behind a credential, or throws 401. */
export interface Credentials {
  /** The user behind an access token, as an actor in the workspace. */
  actorWithToken(token: string | undefined, workspaceId: string | undefined): Promise<Actor>;
  /** The enterprise behind an api_token. It may do everything in its account, or read everything, and nothing in any other. */
  actorWithApiToken(token: string | undefined, use: { readonly isRead: boolean }, now: Date): Promise<Actor>;
  /** Requires a key that the operator has issued to a client program. */
  requireApiKey(key: string | undefined, now: Date): Promise<void>;
}

/** The access token in an Authorization header. */
export const bearerIn = (header: string | undefined): string | undefined => /^bearer\s+(\S+)$/i.exec(header ?? '')?.[1];

/** The api_token in the body, or else in the query, or else in the Authorization header. */
export const apiTokenIn = (body: unknown, query: unknown, header: string | undefined): string | undefined =>
  [tokenMember(body), tokenMember(query), bearerIn(header)].find(
    (token): token is string => typeof token === 'string' && token !== '',
  );

const tokenMember = (from: unknown): unknown => (from as { api_token?: unknown } | undefined)?.api_token;

const isId = (text: string): boolean => /^\d{1,15}$/.test(text);

/** The credentials in a database. Where its rows are distributed, `readers` have those of accounts. */
export function credentialsIn(db: Db, readers?: Readers): Credentials {
  const validSecret = (table: SecretTable, secret: string | undefined, now: Date) =>
    secret ? findSecret(db, table, tokenHash(secret), now) : undefined;
  return {
    async actorWithToken(token, workspace) {
      if (!token) throw unauthorized();
      const workspaceId = workspace !== undefined && isId(workspace) ? Number(workspace) : noWorkspaceId;
      const row = await findHolder(db, readers, tokenHash(token), workspaceId);
      if (!row) throw unauthorized();
      return actorIn(row);
    },
    async actorWithApiToken(token, { isRead }, now) {
      const row = await validSecret('api_tokens', token, now);
      if (!row) throw unauthorized('api_token is missing, unknown or revoked.');
      if (row.read_only && !isRead) throw readOnly();
      return {
        accountId: row.account_id,
        userId: null,
        apiTokenId: row.id,
        username: 'API',
        rank: rank.accountAdmin,
        areaIds: [],
        workspace: null,
      };
    },
    async requireApiKey(key, now) {
      if (!(await validSecret('api_keys', key, now)))
        throw unauthorized('The header Api-Key is missing, unknown or revoked.');
    },
  };
}

/** The user who holds an access token. Where rows are distributed, a statement about users must name their account. */
async function findHolder(
  db: Db,
  readers: Readers | undefined,
  hash: string,
  workspaceId: number,
): Promise<ActorRow | undefined> {
  if (!(await isDistributed(db))) return (await holderOf(db, { hash, workspaceId }))[0];
  const owner = await db
    .selectFrom('access_tokens')
    .select(['account_id', 'user_id'])
    .where('hash', '=', hash)
    .executeTakeFirst();
  if (!owner) return undefined;
  return readWith(await readers?.dbFor(owner.account_id, false), db, (reader) =>
    actorRows(reader, owner.account_id, workspaceId).where('user.id', '=', owner.user_id).executeTakeFirst(),
  );
}

/**
 * The user who holds an access token. The limits leave the planner no choice but to look up the token first: a plan for joins, made
 * while there were few users and then kept, would scan all of them.
 */
export const holderOf = statement<{ hash: string; workspaceId: number }, ActorRow>(
  (db, { hash, workspaceId }) => sql<ActorRow>`
    select holder.* from (select account_id, user_id from access_tokens where hash = ${hash} limit 1) token
    cross join lateral (${actorRows(db, sql.ref<number>('token.account_id'), workspaceId)
      .where('user.id', '=', sql.ref<number>('token.user_id'))
      .limit(1)}) holder`,
);

type SecretTable = 'api_tokens' | 'api_keys';

/** A row is written at most this often for each credential. */
const useIntervalMs = 60_000;

/** The credential, unless it is revoked. Notes that it was used. */
async function findSecret(db: Db, table: SecretTable, hash: string, now: Date) {
  const row = await db
    .selectFrom(table as 'api_tokens')
    .selectAll()
    .where('hash', '=', hash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (row && (!row.last_used_at || now.getTime() - row.last_used_at.getTime() > useIntervalMs)) {
    await db
      .updateTable(table as 'api_tokens')
      .set({ last_used_at: now })
      .where('id', '=', row.id)
      .execute();
  }
  return row;
}
