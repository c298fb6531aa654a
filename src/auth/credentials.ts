import { readOnly, unauthorized } from '../core/errors.ts';
import { noWorkspaceId } from '../core/ids.ts';
import type { Actor } from '../core/permissions.ts';
import { rank } from '../core/ranks.ts';
import { tokenHash } from '../core/secrets.ts';
import type { Db } from '../db/connection.ts';
import { credentialCache } from './credential_cache.ts';
import { tokenHolders } from './token_holders.ts';

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
export function credentialsIn(db: Db, options: Parameters<typeof tokenHolders>[1]): Credentials {
  const findHolder = tokenHolders(db, options);
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
      const workspaceId = workspace !== undefined && isId(workspace) ? Number(workspace) : noWorkspaceId;
      const actor = await actors(`${hash} ${workspaceId}`, () => findHolder({ hash, workspaceId }));
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
