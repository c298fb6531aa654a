import type { Kysely } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import { isDistributed } from './citus.ts';
import { makeUpOnWorkers, onWorkers } from './on_workers.ts';

/*
 * Views on the shards of a worker. The rows of an account are in one shard of each table, and Citus names it by the table and a
 * number. A schema for each number of the accounts' shard has a view for each table, with the name of the table. A connection whose
 * search path begins with the schema reads these shards with the statements of any other server, and the worker plans them like
 * any other server. The views are security invokers: PostgreSQL checks the rights of the
 * reader, so row-level security applies.
 */

/** The schema with the views of a shard, by its number among the shards of accounts. */
export const schemaOfShard = (shard: number): string => `shard_${shard}`;

/** The shards of accounts that a worker has. */
const here = `
  select shardid, shardminvalue, 'shard_' || shardid as schema_name
  from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_local_group using (groupid)
  where logicalrelid = 'accounts'::regclass`;

/** The views go with a shard that moves away, their schema stays. */
const missing = `select * from (${here}) here where to_regclass(schema_name || '.accounts') is null`;

const create = `
  do $$
  declare
    place record;
    shard record;
  begin
    set local citus.enable_ddl_propagation = off;
    for place in ${missing} loop
      execute format('drop schema if exists %I cascade', place.schema_name);
      execute format('create schema %I', place.schema_name);
      for shard in
        select class.relname as table_name, shard_name(logicalrelid, shardid) as name
        from pg_dist_shard join pg_dist_partition using (logicalrelid) join pg_class class on class.oid = logicalrelid
        where shardminvalue = place.shardminvalue and colocationid = (
          select colocationid from pg_dist_partition where logicalrelid = 'accounts'::regclass)
      loop
        execute format('create view %I.%I with (security_invoker) as select * from %s',
          place.schema_name, shard.table_name, shard.name);
      end loop;
      execute format('grant usage on schema %I to public', place.schema_name);
      execute format('grant select on all tables in schema %I to public', place.schema_name);
    end loop;
  end
  $$`;

/** Drops the schemas of shards, of all or of those that are not here any more. */
const drop = (which: string): string => `
  do $$
  declare
    found name;
  begin
    set local citus.enable_ddl_propagation = off;
    for found in select nspname from pg_namespace where nspname ~ '^shard_[0-9]+$' and ${which} loop
      execute format('drop schema %I cascade', found);
    end loop;
  end
  $$`;

/** Creates the views that are missing, and drops those of shards that have moved. Returns whether there were any missing. */
export async function viewShards(db: Kysely<DB>): Promise<boolean> {
  if (!(await isDistributed(db))) return false;
  const dropOthers = drop(`nspname not in (select schema_name from (${here}) here)`);
  const lack = { missing, statements: [dropOthers, create], failure: 'Shards have no views.' };
  return (await makeUpOnWorkers(db, lack)) > 0;
}

/** A migration can change a table only while no view depends on it. Meanwhile, the coordinator answers all reads. */
export async function dropShardViews(db: Kysely<DB>): Promise<void> {
  if (await isDistributed(db)) await onWorkers(db, drop('true'));
}
