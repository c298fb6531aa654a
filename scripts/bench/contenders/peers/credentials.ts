import { createHash } from 'node:crypto';
import type pg from 'pg';

/* Looks up the caller by the hash of the token, in one statement. */

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const user = {
  name: 'user_of_token',
  text: `
    select u.id::integer, u.is_account_admin, m.role from access_tokens t
    join users u on u.account_id = t.account_id and u.id = t.user_id and u.status = 'active' and u.deleted_at is null
    left join memberships m on m.account_id = u.account_id and m.user_id = u.id and m.workspace_id = $2
    where t.hash = $1`,
};

/** The user behind a bearer token who may act in a workspace, or null. */
export async function userOf(pool: pg.Pool, header: string | undefined, workspaceId: string): Promise<number | null> {
  const token = /^Bearer (\S+)$/.exec(header ?? '')?.[1];
  if (token === undefined) return null;
  const { rows } = await pool.query<{ id: number; is_account_admin: boolean; role: number | null }>({
    ...user,
    values: [hashOf(token), workspaceId],
  });
  return rows[0] && (rows[0].is_account_admin || rows[0].role !== null) ? rows[0].id : null;
}

const enterprise = {
  name: 'enterprise',
  text: 'select account_id from api_tokens where hash = $1 and revoked_at is null',
};

/** Whether a token of the public API is known. */
export async function isEnterprise(pool: pg.Pool, token: string | undefined): Promise<boolean> {
  return token !== undefined && (await pool.query({ ...enterprise, values: [hashOf(token)] })).rows.length > 0;
}
