import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../src/platform/db/connection.ts';
import { operationsInCallOrder, writesInCallOrder } from '../support/contract/operations.ts';
import { send } from '../support/contract/raw_http.ts';
import { newTenant, type Tenant } from '../support/contract/tenant/tenant.ts';
import { rawRequestOf, validRequests } from '../support/contract/valid_requests.ts';
import { service } from '../support/service.ts';
import { walkTimeoutMs } from '../support/verification.ts';

/* A worker of Citus that cannot be reached concerns the companies whose rows it has, and nobody else. */

/** They begin an account, which may be one of the dead worker. */
const beginAccount = ['signUp', 'createAccount'];

describe('while a worker is down', () => {
  let db: Db;
  let tenant: Tenant;
  let dead: { nodeid: number; nodeport: number };

  /** All nodes look for the worker at this port. */
  const findAt = (port: number): Promise<unknown> =>
    sql`select run_command_on_all_nodes(
      ${sql.lit(`update pg_dist_node set nodeport = ${port} where nodeid = ${dead.nodeid}`)}, give_warning_for_connection_errors := true)`.execute(
      db,
    );

  beforeAll(async () => {
    db = (await service()).database.db;
    tenant = await newTenant('Alive');
    const { rows } = await sql<typeof dead>`
      select nodeid, nodeport from pg_dist_node
      where groupid > 0 and groupid <> (
        select groupid from pg_dist_placement
        where shardid = get_shard_id_for_distribution_column('accounts', ${tenant.accountId}::bigint))
      limit 1`.execute(db);
    dead = rows[0]!;
    await findAt(1);
  }, walkTimeoutMs);
  afterAll(() => findAt(dead.nodeport));

  it('every operation of a company on another worker works', { timeout: walkTimeoutMs }, async () => {
    const { url } = await service();
    await expect(sql`select count(*) from accounts`.execute(db), 'all workers').rejects.toThrow(
      /connection to the remote/,
    );
    const failed: string[] = [];
    const reads = operationsInCallOrder.filter(({ method }) => method === 'get');
    for (const operation of [...reads, ...writesInCallOrder])
      for (const request of validRequests(operation, tenant)) {
        const { status, text } = await send(url, rawRequestOf(operation, request, tenant));
        if (status >= 500 && !beginAccount.includes(operation.id)) failed.push(`${operation.id}: ${status} ${text}`);
      }
    expect(failed).toEqual([]);
  });
});
