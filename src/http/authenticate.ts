import { sql } from 'kysely';
import { unauthorized, notFound, forbidden } from '../core/errors.ts';
import { leastRank, rank, type Actor, type Rank } from '../core/permissions.ts';
import { tokenHash } from '../core/secrets.ts';
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
  const row = await db
    .selectFrom('access_tokens as token')
    .innerJoin('users as user', (join) => join.onRef('user.account_id', '=', 'token.account_id').onRef('user.id', '=', 'token.user_id'))
    .leftJoin('workspaces as workspace', (join) =>
      join.onRef('workspace.account_id', '=', 'token.account_id').on('workspace.id', '=', workspaceId).on('workspace.deleted_at', 'is', null),
    )
    .leftJoin('memberships as membership', (join) =>
      join
        .onRef('membership.account_id', '=', 'token.account_id')
        .onRef('membership.workspace_id', '=', 'workspace.id')
        .onRef('membership.user_id', '=', 'token.user_id'),
    )
    .where('token.hash', '=', tokenHash(token))
    .where('user.status', '=', 'active')
    .where('user.deleted_at', 'is', null)
    .select([
      'token.account_id',
      'token.user_id',
      'user.username',
      'user.is_account_admin',
      'membership.role',
      'workspace.id',
      'workspace.time_zone',
      'workspace.locale',
      'workspace.allow_employees_edit_working_session_area',
      'workspace.allow_employee_edit_punched_working_sessions',
      'workspace.allow_employees_tag_working_sessions',
      sql<number[]>`array(
        select area.id from area_members member
        join areas area on area.account_id = member.account_id and area.id = member.area_id
        where member.account_id = token.account_id and member.user_id = token.user_id
          and area.workspace_id = workspace.id and area.status = 'active')`.as('area_ids'),
    ])
    .executeTakeFirst();
  if (!row) throw unauthorized();

  const { id, time_zone, locale } = row;
  const hasWorkspace = id !== null && (row.is_account_admin || row.role !== null);
  return {
    accountId: row.account_id,
    userId: row.user_id,
    username: row.username,
    rank: (row.is_account_admin ? rank.accountAdmin : (row.role ?? rank.employee)) as Rank,
    areaIds: row.area_ids,
    workspace: hasWorkspace
      ? {
          id,
          time_zone: time_zone!,
          locale: locale!,
          allow_employees_edit_working_session_area: row.allow_employees_edit_working_session_area!,
          allow_employee_edit_punched_working_sessions: row.allow_employee_edit_punched_working_sessions!,
          allow_employees_tag_working_sessions: row.allow_employees_tag_working_sessions!,
        }
      : null,
  };
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
