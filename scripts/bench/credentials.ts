import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { DB } from '../../generated/db.ts';
import { bearerIn, holderOf } from '../../src/access/auth/credentials.ts';
import { tokenHash } from '../../src/platform/core/secrets.ts';
import { actorIn, type ActorRow } from '../../src/platform/db/actors.ts';
import { typeParsers } from '../../src/platform/db/driver/types.ts';

/* The contenders look up the token of every request with the statement of Punchcard. */

/** As many connections as Punchcard has, to the same database. */
export const openPool = (): pg.Pool =>
  new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 10, types: typeParsers });

export interface Caller {
  readonly accountId: number;
  readonly userId: number;
}

/** Finds the user behind the bearer token of a request who may act in a workspace, or undefined. */
export function callerIn(pool: pg.Pool) {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return async (authorization: string | undefined, workspaceId: string): Promise<Caller | undefined> => {
    const hash = tokenHash(bearerIn(authorization) ?? '');
    const { sql: text, parameters } = holderOf.query(db, {
      hash,
      workspaceId: Number(workspaceId),
      begunSince: new Date(0),
      usedSince: new Date(0),
    });
    const { rows } = await pool.query<ActorRow>({ name: 'holder', text, values: [...parameters] });
    const actor = rows[0] && actorIn(rows[0]);
    return actor?.workspace ? { accountId: actor.accountId, userId: actor.userId! } : undefined;
  };
}
