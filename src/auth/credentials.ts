import { readOnly, unauthorized } from '../core/errors.ts';
import type { Actor } from '../core/permissions.ts';
import { rank } from '../core/ranks.ts';
import { tokenHash } from '../core/secrets.ts';
import { actorIn, actorRows, type ActorRow } from '../db/actors.ts';
import type { Db } from '../db/connection.ts';
import { statement } from '../db/statement.ts';
import { credentialCache } from './credential_cache.ts';

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

const isId = (text: string): boolean => /^\d{1,15}$/.test(text);

/** The credentials in a database, with a short-lived cache. */
export function credentialsIn(db: Db): Credentials {
  const [actors, apiSecrets] = [
    credentialCache<Actor>(),
    credentialCache<{ id: string; account_id: number; read_only?: boolean }>(),
  ];
  const validSecret = (table: SecretTable, secret: string | undefined, now: Date) => {
    if (!secret) return undefined;
    const hash = tokenHash(secret);
    return apiSecrets(`${table} ${hash}`, () => findSecret(db, table, hash, now));
  };
  return {
    async actorWithToken(token, workspace) {
      if (!token) throw unauthorized();
      const hash = tokenHash(token);
      const workspaceId = workspace !== undefined && isId(workspace) ? Number(workspace) : null;
      const actor = await actors(`${hash} ${workspaceId}`, () => findActor(db, hash, workspaceId));
      if (!actor) throw unauthorized();
      return actor;
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

/**
 * The user who holds an access token. Subqueries look up the token, which leaves the planner no choice: a plan for a join, made
 * while there were few users and then kept, would scan all of them.
 */
const holderOf = statement<{ readonly hash: string; readonly workspaceId: number | null }, ActorRow>(
  (db, { hash, workspaceId }) => {
    const holder = (column: 'account_id' | 'user_id') =>
      db.selectFrom('access_tokens').select(`access_tokens.${column} as held`).where('access_tokens.hash', '=', hash);
    return actorRows(db, workspaceId)
      .where('user.account_id', '=', holder('account_id'))
      .where('user.id', '=', holder('user_id'));
  },
);

async function findActor(db: Db, hash: string, workspaceId: number | null): Promise<Actor | undefined> {
  const [row] = await holderOf(db, { hash, workspaceId });
  return row && actorIn(row);
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
