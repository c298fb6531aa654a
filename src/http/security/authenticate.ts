import { sql } from 'kysely';
import { unauthorized, notFound, forbidden } from '../../core/errors.ts';
import { gather } from '../../core/gather.ts';
import { leastRank, rank, type Actor } from '../../core/permissions.ts';
import { tokenHash } from '../../core/secrets.ts';
import { actorIn, actorRows, type ActorRow } from '../../db/actors.ts';
import type { Db } from '../../db/connection.ts';
import type { Placeholders } from '../../db/placeholders.ts';
import { statement } from '../../db/statement.ts';
import { remembering } from './credentials.ts';

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

/** Finds who is behind a credential; each service has one of its own, which remembers for a moment. */
export interface Credentials {
  /** The user behind an access token, in the workspace that the path names. */
  actorWithToken(token: string | undefined, place: Place): Promise<Actor>;
  /** The enterprise behind an api_token: everything of its account, nothing of any other. */
  actorWithApiToken(token: string | undefined, now: Date): Promise<Actor>;
  /** Whether the client program that signs users in is one the operator knows. */
  requireApiKey(key: string | undefined, now: Date): Promise<void>;
}

export function credentialsIn(db: Db): Credentials {
  const [actors, liveSecrets] = [remembering<Actor>(), remembering<{ account_id: number }>()];
  const findActor = gather((_scheme: 'bearer', holders: readonly Holder[]) => findActors(db, holders));
  const live = (table: 'api_tokens' | 'api_keys', secret: string | undefined, now: Date) => {
    if (!secret) return undefined;
    const hash = tokenHash(secret);
    return liveSecrets(`${table} ${hash}`, () => findLive(db, table, hash, now));
  };
  return {
    async actorWithToken(token, place) {
      if (!token) throw unauthorized();
      const hash = tokenHash(token);
      const workspaceId =
        place.workspace_id !== undefined && isId(place.workspace_id) ? Number(place.workspace_id) : null;
      const actor = await actors(`${hash} ${workspaceId}`, () => findActor('bearer', { hash, workspaceId }));
      if (!actor) throw unauthorized();
      return actor;
    },
    async actorWithApiToken(token, now) {
      const row = await live('api_tokens', token, now);
      if (!row) throw unauthorized('api_token is missing, unknown or revoked.');
      return {
        accountId: row.account_id,
        userId: null,
        username: 'API',
        rank: rank.accountAdmin,
        areaIds: [],
        workspace: null,
      };
    },
    async requireApiKey(key, now) {
      if (!(await live('api_keys', key, now))) throw unauthorized('The header Api-Key is missing, unknown or revoked.');
    },
  };
}

/** Whoever holds a token, in a workspace. */
interface Holder {
  readonly hash: string;
  readonly workspaceId: number | null;
}

async function findActors(db: Db, holders: readonly Holder[]): Promise<(Actor | undefined)[]> {
  const rows = await behindTokens(db, {
    hashes: holders.map(({ hash }) => hash),
    workspaceIds: holders.map(({ workspaceId }) => workspaceId),
  });
  const actors = new Map(rows.map((row) => [row.position, actorIn(row)]));
  return holders.map((_, index) => actors.get(index + 1));
}

/**
 * Asks for each token by itself, which leaves the planner no choice: a plan that was made while there were few users, and is
 * kept, would go through all of them to find one.
 */
const behindTokens = statement(
  (
    db,
    { hashes, workspaceIds }: Placeholders<{ hashes: readonly string[]; workspaceIds: readonly (number | null)[] }>,
  ) => {
    const holder = (column: 'account_id' | 'user_id') =>
      db
        .selectFrom('access_tokens as token')
        .select(`token.${column} as held`)
        .where('token.hash', '=', sql.ref<string>('asked.hash'));
    const actors = actorRows(db, sql.ref<number | null>('asked.workspace_id'))
      .where('user.account_id', '=', holder('account_id'))
      .where('user.id', '=', holder('user_id'));
    return sql<ActorRow & { position: number }>`
    select asked.position, actor.*
    from unnest(${hashes}::text[], ${workspaceIds}::bigint[]) with ordinality asked (hash, workspace_id, position) cross join lateral (${actors}) actor`;
  },
);

/** Notes the use of a credential at most once a minute: enough to see which ones are dead, cheap enough for every request. */
async function findLive(db: Db, table: 'api_tokens' | 'api_keys', hash: string, now: Date) {
  const row = await db
    .selectFrom(table as 'api_tokens')
    .selectAll()
    .where('hash', '=', hash)
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
  if (
    place.workspace_id !== undefined &&
    (actor.workspace === null || place.workspace_id !== String(actor.workspace.id))
  )
    throw notFound('workspace');
  const least = leastRank[role];
  if (least === undefined) throw new Error(`The contract names a role that does not exist: ${role}`);
  if (actor.rank < least) throw forbidden();
}
