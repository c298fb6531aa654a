import { unauthorized, notFound, forbidden } from '../core/errors.ts';
import { leastRank, rank, type Actor } from '../core/permissions.ts';
import { tokenHash } from '../core/secrets.ts';
import { actorIn, actorRows } from '../db/actors.ts';
import type { Db } from '../db/connection.ts';

/*
 * Who is it (401), does he belong to this account or workspace (404), has he the operation's least role (403): in that
 * order, so that the existence of other people's accounts and workspaces stays hidden.
 */

/** What the path says about where the operation takes place. */
export interface Place {
  readonly account_id?: string;
  readonly workspace_id?: string;
}

const isId = (text: string): boolean => /^\d{1,15}$/.test(text);

export function bearerIn(header: string | undefined): string | undefined {
  return /^bearer\s+(\S+)$/i.exec(header ?? '')?.[1];
}

/** The user behind an access token, in the workspace that the path names. One query. */
export async function actorWithToken(db: Db, token: string | undefined, place: Place): Promise<Actor> {
  if (!token) throw unauthorized();
  const workspaceId = place.workspace_id !== undefined && isId(place.workspace_id) ? Number(place.workspace_id) : null;
  const row = await actorRows(db, workspaceId)
    .innerJoin('access_tokens as token', (join) => join.onRef('token.account_id', '=', 'user.account_id').onRef('token.user_id', '=', 'user.id'))
    .where('token.hash', '=', tokenHash(token))
    .executeTakeFirst();
  if (!row) throw unauthorized();
  return actorIn(row);
}

/** The enterprise behind an api_token: everything of its account, nothing of any other. */
export async function actorWithApiToken(db: Db, token: string | undefined, now: Date): Promise<Actor> {
  const row = token ? await findLive(db, 'api_tokens', token, now) : undefined;
  if (!row) throw unauthorized('api_token is missing, unknown or revoked.');
  return { accountId: row.account_id, userId: null, username: 'API', rank: rank.accountAdmin, areaIds: [], workspace: null };
}

/** Whether the client program that signs users in is one the operator knows. */
export async function requireApiKey(db: Db, key: string | undefined, now: Date): Promise<void> {
  if (!key || !(await findLive(db, 'api_keys', key, now))) throw unauthorized('The header Api-Key is missing, unknown or revoked.');
}

/** Notes the use of a credential at most once a minute: enough to see which ones are dead, cheap enough for every request. */
async function findLive<Table extends 'api_tokens' | 'api_keys'>(db: Db, table: Table, secret: string, now: Date) {
  const row = await db
    .selectFrom(table as 'api_tokens')
    .selectAll()
    .where('hash', '=', tokenHash(secret))
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (row && (!row.last_used_at || now.getTime() - row.last_used_at.getTime() > 60_000)) {
    await db
      .updateTable(table as 'api_tokens')
      .set({ last_used_at: now })
      .where('id', '=', row.id)
      .execute();
  }
  return row;
}

/** 404 for a place the actor has nothing to do with, then 403 for a role below the operation's least. */
export function requirePlaceAndRole(actor: Actor, place: Place, role: string): void {
  if (place.account_id !== undefined && place.account_id !== String(actor.accountId)) throw notFound('account');
  if (place.workspace_id !== undefined && (actor.workspace === null || place.workspace_id !== String(actor.workspace.id))) throw notFound('workspace');
  const least = leastRank[role];
  if (least === undefined) throw new Error(`The contract names a role that does not exist: ${role}`);
  if (actor.rank < least) throw forbidden();
}
