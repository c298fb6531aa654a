import { sql, type CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCluster, type Cluster } from '../../../scripts/cluster.ts';
import { openDatabase, type Database, type Db } from '../../../src/db/connection.ts';
import { schemaOfShard } from '../../../src/db/distribution/shard_views.ts';
import { rowsOfVisit, visitTo, type Host } from '../../../src/db/readers/host.ts';
import type { Readers } from '../../../src/db/readers/readers.ts';
import { openShards } from '../../../src/db/readers/shards.ts';
import { forAccountReading } from '../../../src/db/transactions.ts';
import { demoCredentials } from '../../../src/demo/credentials.ts';
import { runProgram, temporaryFolder } from '../../support/processes/process.ts';
import { serviceWith } from '../../support/service.ts';
import { ask } from '../support.ts';

/*
 * Work where the rows are. The extension cannot be installed everywhere, so one server has the part of its catalogue that the
 * process reads, and is coordinator and worker in one. The view of the accounts shows that the shard is read.
 */

const shard = 102_008;

describe('a worker that has the rows of an account', () => {
  const { folder, remove } = temporaryFolder();
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
    for (const command of ['migrate', 'seed'])
      expect(await runProgram('cli', [command], { DATABASE_URL: url, DATA_DIR: folder })).toMatchObject({ code: 0 });
    await run(`update accounts set account_name = 'through the coordinator'`);
    await run('create table pg_catalog.pg_dist_shard (logicalrelid regclass, shardid bigint)');
    await run(`insert into pg_dist_shard values ('accounts', ${shard})`);
    await run('create table pg_catalog.pg_dist_placement (shardid bigint, groupid integer)');
    await run(`insert into pg_dist_placement values (${shard}, 1)`);
    await run('create table pg_catalog.pg_dist_node (groupid integer, nodename text, nodeport integer, noderole text)');
    await run(`insert into pg_dist_node values (1, '${hostname}', ${port || 5432}, 'primary')`);
    await run('create table pg_catalog.pg_dist_local_group (groupid integer)');
    await run('insert into pg_dist_local_group values (1)');
    await run('grant select on pg_dist_shard, pg_dist_placement, pg_dist_node, pg_dist_local_group to public');
    await run(`
      create function pg_catalog.get_shard_id_for_distribution_column(regclass, bigint) returns bigint language sql
      as 'select shardid from pg_dist_shard where logicalrelid = $1'`);
    await run(`create schema ${schemaOfShard(shard)}`);
    await run(`
      do $$ declare one text; begin
        for one in select tablename from pg_tables where schemaname = 'public' and tablename <> 'accounts' loop
          execute format('create view ${schemaOfShard(shard)}.%I with (security_invoker) as select * from %I', one, one);
        end loop;
      end $$`);
    await run(`
      create view ${schemaOfShard(shard)}.accounts with (security_invoker)
      as select id, 'on the worker' as account_name from accounts`);
    await run(`grant usage on schema ${schemaOfShard(shard)} to public`);
    await run(`grant select on all tables in schema ${schemaOfShard(shard)} to public`);
  }, 120_000);
  afterAll(async () => {
    await readers?.close();
    await database?.close();
    await server?.stop();
    remove();
  });

  /** Readers that have just looked at the cluster. */
  async function newReaders(): Promise<Readers> {
    await readers?.close();
    readers = await openShards(database.db, { url, poolSize: 2, perAccount: 0, statementTimeoutMs: 1_000 });
    return readers;
  }

  /** Works while a move of the shard is prepared and neither committed nor undone. */
  async function afterPreparedMove(work: () => Promise<void>): Promise<void> {
    await database.db.connection().execute(async (connection) => {
      await sql`begin`.execute(connection);
      await sql`update pg_dist_placement set groupid = 2`.execute(connection);
      await sql`prepare transaction 'citus_move'`.execute(connection);
    });
    try {
      await work();
    } finally {
      await run(`rollback prepared 'citus_move'`);
    }
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

  it('keeps the plan of a statement for each shard', async () => {
    const db = (await (await newReaders()).dbFor(1))!;
    const kept = await db.connection().execute(async (connection) => {
      for (let use = 0; use < 3; use++) await nameOn(connection);
      const { rows } = await sql<{ end: string }>`
        select split_part(statement, ' -- ', 2) as end from pg_prepared_statements where statement like '%account_name%'`.execute(
        connection,
      );
      return rows.map(({ end }) => end);
    });
    expect(kept).toEqual([schemaOfShard(shard)]);
  });

  it('cannot be written to', async () => {
    const db = (await (await newReaders()).dbFor(1))!;
    await expect(sql`update public.accounts set account_name = 'written'`.execute(db)).rejects.toThrow(
      /cannot execute UPDATE in a read-only transaction/,
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
    await afterPreparedMove(() => expect(nameOn(db)).rejects.toThrow(`The shard ${shard} cannot be read here now.`));
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

  /** The name before, during and after a visit to the shard. */
  async function namesDuringVisit(host: Host): Promise<string[]> {
    const nameQuery = (db: Db): CompiledQuery<{ account_name: string }> =>
      db.selectFrom('accounts').select('account_name').where('id', '=', 1).compile();
    return forAccountReading(
      host.db,
      1,
      (tx) => [nameQuery(tx), ...visitTo(host, nameQuery(tx)), nameQuery(tx)] as const,
      async (_tx, [before, settled, visited, rows, left, after]) =>
        [before, rowsOfVisit(host, [settled, visited, rows, left]), after].map(([row]) => row!.account_name),
    );
  }

  it('has transactions that read the shard, and all else as the coordinator does', async () => {
    const host = (await (await newReaders()).hostFor!(1))!;
    const names = ['through the coordinator', 'on the worker', 'through the coordinator'];
    expect(await namesDuringVisit(host)).toEqual(names);
    expect(readers.counts).toEqual({ answered: 1, passed: 0 });
  });

  it('has no transactions after the shard has moved', async () => {
    const host = (await (await newReaders()).hostFor!(1))!;
    await run('update pg_dist_placement set groupid = 2');
    await expect(namesDuringVisit(host)).rejects.toThrow(`The shard ${shard} cannot be read here now.`);
    expect(await readers.hostFor!(1)).toBeUndefined();
    expect(readers.counts).toEqual({ answered: 0, passed: 2 });
    await run('update pg_dist_placement set groupid = 1');
  });

  it('has no transactions while it does not know how another one ended', async () => {
    const host = (await (await newReaders()).hostFor!(1))!;
    await afterPreparedMove(() => expect(namesDuringVisit(host)).rejects.toThrow(`The shard ${shard} cannot be read`));
  });

  it('carries out punches', async () => {
    const url = await serviceWith({}, { database, readers: await newReaders() });
    const { admin, password } = demoCredentials;
    const { body } = await ask(url, 'POST', '/sign_in', undefined, { email: admin, password });
    const token = body.data.attributes['access_token']!;
    const user_id = (await ask(url, 'GET', '/users/me', token)).body.data.id;
    const tag = await ask(url, 'POST', '/workspaces/1/tags', token, { title: 'On a worker' }, 'tag');
    const before = { ...readers.counts };
    const punch = (action_type: string, taggings_attributes: object[] = []) => {
      const attributes = { action_type, user_id, taggings_attributes };
      return ask(url, 'POST', '/workspaces/1/time_trackings/actions', token, attributes, 'action');
    };
    expect(await punch('start')).toMatchObject({ status: 201 });
    expect(readers.counts).toEqual({ ...before, answered: before.answered + 1 });
    expect(await punch('start-break', [{ tag_id: tag.body.data.id }]), 'with a tag').toMatchObject({ status: 201 });
    expect(await punch('end-break')).toMatchObject({ status: 201 });
    expect(readers.counts).toEqual({ ...before, answered: before.answered + 2 });
    await afterPreparedMove(async () => expect(await punch('start-break')).toMatchObject({ status: 201 }));
    await run('update pg_dist_placement set groupid = 2');
    expect(await punch('end-break')).toMatchObject({ status: 201 });
    expect(await punch('end')).toMatchObject({ status: 201 });
    await run('update pg_dist_placement set groupid = 1');
    expect(readers.counts).toEqual({ answered: before.answered + 2, passed: before.passed + 3 });
    const { rows } = await sql<{ breaks: number; notes: number }>`
      select (select count(*) from breaks where time_tracking_id = last.id) as breaks,
        (select count(*) from notes where time_tracking_id = last.id) as notes
      from (select max(id) as id from time_trackings where user_id = ${user_id}) last`.execute(database.db);
    expect(rows).toEqual([{ breaks: 2, notes: 7 }]);
  });

  it('is not asked while it cannot be reached', async () => {
    await run('update pg_dist_node set nodeport = 1');
    expect(await (await newReaders()).dbFor(1)).toBeUndefined();
    expect(await readers.hostFor!(1)).toBeUndefined();
    expect(readers.counts).toEqual({ answered: 0, passed: 2 });
  });
});
