import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from '../../../scripts/cluster.ts';
import { openDatabase, type Database, type Db } from '../../../src/db/connection.ts';
import { schemaOfShard } from '../../../src/db/distribution/shard_views.ts';
import type { Readers } from '../../../src/db/readers/readers.ts';
import { openShards } from '../../../src/db/readers/shards.ts';

/*
 * Reads where the rows are. The extension cannot be installed everywhere, so one server has the part of its catalogue that the
 * process reads, and is coordinator and worker in one. The view of the shard shows that it is read.
 */

const shard = 102_008;

describe('a worker that has the rows of an account', () => {
  let server: Cluster;
  let url: string;
  let database: Database;
  let readers: Readers;

  const run = (statement: string): Promise<unknown> => sql.raw(statement).execute(database.db);

  beforeAll(async () => {
    server = await startCluster({ settings: ['max_prepared_transactions=2', 'allow_system_table_mods=on'] });
    url = server.url;
    database = await openDatabase({ url, poolSize: 2 });
    const { hostname, port } = new URL(url);
    await run('create table accounts (id bigint, account_name text)');
    await run(`insert into accounts values (1, 'through the coordinator')`);
    await run('create table pg_catalog.pg_dist_shard (logicalrelid regclass, shardid bigint)');
    await run(`insert into pg_dist_shard values ('accounts', ${shard})`);
    await run('create table pg_catalog.pg_dist_placement (shardid bigint, groupid integer)');
    await run(`insert into pg_dist_placement values (${shard}, 1)`);
    await run('create table pg_catalog.pg_dist_node (groupid integer, nodename text, nodeport integer, noderole text)');
    await run(`insert into pg_dist_node values (1, '${hostname}', ${port || 5432}, 'primary')`);
    await run('create table pg_catalog.pg_dist_local_group (groupid integer)');
    await run('insert into pg_dist_local_group values (1)');
    await run(`
      create function pg_catalog.get_shard_id_for_distribution_column(regclass, bigint) returns bigint language sql
      as 'select shardid from pg_dist_shard where logicalrelid = $1'`);
    await run(`create schema ${schemaOfShard(shard)}`);
    await run(
      `create view ${schemaOfShard(shard)}.accounts as select id, 'on the worker' as account_name from accounts`,
    );
  });
  afterAll(async () => {
    await readers?.close();
    await database?.close();
    await server?.stop();
  });

  /** Readers that have just looked at the cluster. */
  async function newReaders(): Promise<Readers> {
    await readers?.close();
    readers = await openShards(database.db, { url, poolSize: 2, perAccount: 0, statementTimeoutMs: 1_000 });
    return readers;
  }

  const nameOn = async (db: Db): Promise<string> =>
    (await db.selectFrom('accounts').select('account_name').where('id', '=', 1).executeTakeFirstOrThrow()).account_name;

  it('answers reads about it, also in a transaction', async () => {
    const db = (await (await newReaders()).dbFor(1))!;
    expect(await nameOn(db)).toBe('on the worker');
    expect(await db.connection().execute(nameOn)).toBe('on the worker');
    expect(await Promise.all([nameOn(db), nameOn(db), nameOn(db)])).toEqual(Array(3).fill('on the worker'));
    expect(readers.counts).toEqual({ answered: 1, passed: 0 });
  });

  it('cannot be written to', async () => {
    const db = (await (await newReaders()).dbFor(1))!;
    await expect(sql`insert into public.accounts values (2, 'written')`.execute(db)).rejects.toThrow(
      /cannot execute INSERT in a read-only transaction/,
    );
  });

  it('is not asked after the shard has moved, from the first read on', async () => {
    const db = (await (await newReaders()).dbFor(1))!;
    expect(await nameOn(db)).toBe('on the worker');
    await run('update pg_dist_placement set groupid = 2');
    await expect(nameOn(db)).rejects.toThrow(`The shard ${shard} cannot be read here now.`);
    expect(await readers.dbFor(1)).toBeUndefined();
    expect(readers.counts).toEqual({ answered: 1, passed: 1 });
    await run('update pg_dist_placement set groupid = 1');
  });

  it('is not asked while it does not know how a transaction ended, such as a move', async () => {
    const db = (await (await newReaders()).dbFor(1))!;
    await database.db.connection().execute(async (connection) => {
      await sql`begin`.execute(connection);
      await sql`update pg_dist_placement set groupid = 2`.execute(connection);
      await sql`prepare transaction 'citus_move'`.execute(connection);
    });
    await expect(nameOn(db)).rejects.toThrow(`The shard ${shard} cannot be read here now.`);
    await run(`rollback prepared 'citus_move'`);
    expect(await nameOn((await readers.dbFor(1))!)).toBe('on the worker');
  });

  it('is not asked before it has views', async () => {
    const db = (await (await newReaders()).dbFor(1))!;
    await run(`alter schema ${schemaOfShard(shard)} rename to elsewhere`);
    await expect(nameOn(db)).rejects.toThrow(`The shard ${shard} cannot be read here now.`);
    expect(await readers.dbFor(1)).toBeUndefined();
    await run(`alter schema elsewhere rename to ${schemaOfShard(shard)}`);
    expect(await nameOn((await (await newReaders()).dbFor(1))!)).toBe('on the worker');
  });

  it('is not asked while it cannot be reached', async () => {
    await run('update pg_dist_node set nodeport = 1');
    expect(await (await newReaders()).dbFor(1)).toBeUndefined();
    expect(readers.counts).toEqual({ answered: 0, passed: 1 });
  });
});
