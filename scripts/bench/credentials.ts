import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { DB } from '../../generated/db.ts';
import { bearerIn } from '../../src/auth/credentials.ts';
import { tokenHash } from '../../src/core/secrets.ts';
import { actorIn, actorRows, type ActorRow } from '../../src/db/actors.ts';
import { typeParsers } from '../../src/db/driver/types.ts';
import { statement } from '../../src/db/statement.ts';

/* The contenders look up the token of every request with the statement of Punchcard. */

/** As many connections as Punchcard has, to the same database. */
export const openPool = (): pg.Pool =>
  new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10, types: typeParsers });

export interface Caller {
  readonly accountId: number;
  readonly userId: number;
}

const holders = statement<{ hash: string; workspaceId: number }, ActorRow>(
  (db, { hash, workspaceId }) => sql<ActorRow>`
    select holder.*
    from (select account_id, user_id from access_tokens where hash = ${hash} limit 1) token
    cross join lateral (
      ${actorRows(db, sql.ref<number>('token.account_id'), workspaceId).where('user.id', '=', sql.ref<number>('token.user_id')).limit(1)}) holder`,
);

/** Finds the user behind the bearer token of a request who may act in a workspace, or undefined. */
export function callerIn(pool: pg.Pool) {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return async (authorization: string | undefined, workspaceId: string): Promise<Caller | undefined> => {
    const hash = tokenHash(bearerIn(authorization) ?? '');
    const { sql: text, parameters } = holders.query(db, { hash, workspaceId: Number(workspaceId) });
    const { rows } = await pool.query<ActorRow>({ name: 'holder', text, values: [...parameters] });
    const actor = rows[0] && actorIn(rows[0]);
    return actor?.workspace ? { accountId: actor.accountId, userId: actor.userId! } : undefined;
  };
}
