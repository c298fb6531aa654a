import { sql } from 'kysely';
import type { Db } from '../../../src/platform/db/connection.ts';

interface Wanted {
  readonly accountId: number;
  readonly workspaceId: number | null;
  readonly userId?: number;
  readonly count?: number;
  readonly name?: string;
  readonly recordUuid?: string;
  readonly at?: string;
}

/** Inserts events about records with the numbers from 1 on, all in one transaction. */
export async function insertEvents(db: Db, wanted: Wanted): Promise<void> {
  const { accountId, workspaceId, userId = null, count = 1, name = 'tag.created', recordUuid = null } = wanted;
  await sql`
    insert into events (
      account_id, transaction_id, workspace_id, user_id, at, actor_type, name, record_type, record_id, record_uuid, changes)
    select ${accountId}, pg_current_xact_id(), ${workspaceId}::bigint, ${userId}::bigint, ${wanted.at ?? new Date().toISOString()},
      'job', ${name}, split_part(${name}, '.', 1), number::text, ${recordUuid}::uuid, '{}'
    from generate_series(1, ${count}::integer) as number`.execute(db);
}
