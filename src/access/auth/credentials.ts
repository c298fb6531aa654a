import { sql } from 'kysely';
import { noteUse } from '../../organisation/access_tokens/access_tokens.ts';
import { readOnly, sessionExpired, sessionRevoked, unauthorized, type AppError } from '../../platform/core/errors.ts';
import { noWorkspaceId } from '../../platform/core/ids.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import { rank } from '../../platform/core/ranks.ts';
import { tokenHash } from '../../platform/core/secrets.ts';
import { startOfHour } from '../../platform/core/time.ts';
import { actorIn, actorRows, type ActorRow } from '../../platform/db/actors.ts';
import type { Db } from '../../platform/db/connection.ts';
import { isDistributed } from '../../platform/db/distribution/citus.ts';
import { readWith, type Readers } from '../../platform/db/readers/readers.ts';
import { statement } from '../../platform/db/statement.ts';
import { openSince, type SessionBounds } from '../sessions/session_bounds.ts';

/*
 * Every request looks its credential up. Nothing is cached, so a revoked credential works nowhere from the moment of its commit.
 */

/** Finds the actor behind a credential, or throws 401. */
export interface Credentials {
  /** The user behind an access token, as an actor in the workspace. */
  actorWithToken(token: string | undefined, workspaceId: string | undefined): Promise<Actor>;
  /** The enterprise behind an api_token. It may do everything in its account, or read everything, and nothing in any other. */
  actorWithApiToken(token: string | undefined, use: { readonly isRead: boolean }): Promise<Actor>;
  /** Requires a key that the operator has issued to a client program. */
  requireApiKey(key: string | undefined): Promise<void>;
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

interface Options {
  readonly sessions: SessionBounds;
  readonly clock: () => Date;
  /** Where rows are distributed, these have the rows of accounts. */
  readonly readers?: Readers | undefined;
}

/** The credentials in a database. */
export function credentialsIn(db: Db, { sessions, clock, readers }: Options): Credentials {
  const validSecret = (table: SecretTable, secret: string | undefined) =>
    secret ? findSecret(db, table, tokenHash(secret), clock()) : undefined;
  return {
    async actorWithToken(token, workspace) {
      if (!token) throw unauthorized();
      const workspaceId = workspace !== undefined && isId(workspace) ? Number(workspace) : noWorkspaceId;
      const now = clock();
      const asked = { hash: tokenHash(token), workspaceId, ...openSince(sessions, now) };
      const holder = await findHolder(db, readers, asked);
      if (!holder) throw await refusalOf(db, asked);
      if (holder.last_used_at < startOfHour(now)) await noteUse(db, asked.hash, now);
      return { ...actorIn(holder), sessionId: holder.session_id };
    },
    async actorWithApiToken(token, { isRead }) {
      const row = await validSecret('api_tokens', token);
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
    async requireApiKey(key) {
      if (!(await validSecret('api_keys', key)))
        throw unauthorized('The header Api-Key is missing, unknown or revoked.');
    },
  };
}

/** A token, where it is used, and since when its session must have begun and been used. */
interface Asked {
  readonly hash: string;
  readonly workspaceId: number;
  readonly begunSince: Date;
  readonly usedSince: Date;
}

/** The user who is signed in with a token, as `actorRows` has them, and their session. */
type Holder = ActorRow & { readonly session_id: string; readonly last_used_at: Date };

/** The user who holds an access token. Where rows are distributed, a statement about users must name their account. */
async function findHolder(db: Db, readers: Readers | undefined, asked: Asked): Promise<Holder | undefined> {
  if (!(await isDistributed(db))) return (await holderOf(db, asked))[0];
  const session = await db
    .selectFrom('access_tokens')
    .select(['id as session_id', 'account_id', 'user_id', 'last_used_at'])
    .where('hash', '=', asked.hash)
    .where('ended_at', 'is', null)
    .where('created_at', '>=', asked.begunSince)
    .where('last_used_at', '>=', asked.usedSince)
    .executeTakeFirst();
  if (!session) return undefined;
  const { account_id, user_id, ...use } = session;
  const row = await readWith(await readers?.dbFor(account_id, false), db, (reader) =>
    actorRows(reader, account_id, asked.workspaceId).where('user.id', '=', user_id).executeTakeFirst(),
  );
  return row && { ...row, ...use };
}

/**
 * The user who holds an access token. The limits leave the planner no choice but to look up the token first: a plan for joins, made
 * while there were few users and then kept, would scan all of them.
 */
export const holderOf = statement<Asked, Holder>(
  (db, { hash, workspaceId, begunSince, usedSince }) => sql<Holder>`
    select holder.*, session.id as session_id, session.last_used_at
    from (
      select id, account_id, user_id, last_used_at from access_tokens
      where hash = ${hash} and ended_at is null and created_at >= ${begunSince} and last_used_at >= ${usedSince}
      limit 1) session
    cross join lateral (${actorRows(db, sql.ref<number>('session.account_id'), workspaceId)
      .where('user.id', '=', sql.ref<number>('session.user_id'))
      .limit(1)}) holder`,
);

/** Why a token is refused. */
async function refusalOf(db: Db, { hash, begunSince, usedSince }: Asked): Promise<AppError> {
  const session = await db.selectFrom('access_tokens').selectAll().where('hash', '=', hash).executeTakeFirst();
  if (!session) return unauthorized();
  if (session.ended_at !== null) return sessionRevoked();
  return session.created_at < begunSince || session.last_used_at < usedSince ? sessionExpired() : unauthorized();
}

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
