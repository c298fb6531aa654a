import { sql, type Kysely } from 'kysely';
import type { DB } from '../../../../generated/db.ts';
import { isDistributed } from './citus.ts';
import { numberEventsOnWorkers } from './events.ts';
import { drawIdsByTime, setUpIds } from './ids.ts';

/*
 * On a Citus coordinator, the tables of tenants are distributed over the workers by account: all rows of an account are on one
 * worker, and everything that a request does happens there. Directories, data that is the same for everyone and the queue stay
 * on the coordinator. On any other PostgreSQL nothing happens.
 *
 * Each step is one transaction, and what is left to do is read from the catalogue. So the work goes on where it was interrupted,
 * and a process can start while a worker is down. Foreign keys between tenant tables form circles, and Citus refuses a key between
 * a distributed table and one that is not. So the keys are noted and dropped first, and added again at the end.
 */

/** Distributes what is not distributed yet, and returns what it did, in words. */
export async function distribute(db: Kysely<DB>): Promise<string[]> {
  if (!(await isDistributed(db))) return [];
  return db.connection().execute(async (connection) => {
    // Several processes may start at the same time.
    await sql`select pg_advisory_lock(hashtext('punchcard.distribution'))`.execute(connection);
    try {
      await setUpDatabase(connection);
      const functions = await distributeFunctions(connection);
      await setUpFunctions(connection);
      await setUpIds(connection);
      const tables = await distributeTables(connection);
      const emptied = await removeCopiedRows(connection);
      const keys = await addKeys(connection);
      const isNumbering = await numberEventsOnWorkers(connection);
      // Without statistics, plans would be bad until autovacuum has been there.
      if (emptied > 0) await sql`analyze`.execute(connection);
      return [
        ...(functions > 0 ? [`copied ${functions} functions to the workers`] : []),
        ...(tables.length > 0 ? [`distributed ${tables.join(', ')}`] : []),
        ...(emptied > 0 ? [`removed the rows of ${emptied} tables from the coordinator`] : []),
        ...(keys > 0 ? [`added ${keys} foreign keys`] : []),
        ...(isNumbering ? ['let the workers number events'] : []),
      ];
    } finally {
      await sql`select pg_advisory_unlock(hashtext('punchcard.distribution'))`.execute(connection);
    }
  });
}

/**
 * Role and account of a transaction reach the workers. Triggers may write other tables: they name the account of the row, so the
 * rows that they write are on the same worker.
 */
async function setUpDatabase(db: Kysely<DB>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const settings = { 'citus.propagate_set_commands': 'local', 'citus.enable_unsafe_triggers': 'on' };
  for (const [name, value] of Object.entries(settings)) {
    const { rows: known } = await sql`
      select from pg_db_role_setting join pg_database on pg_database.oid = setdatabase
      where datname = current_database() and setrole = 0 and setconfig @> ${[`${name}=${value}`]}::text[]`.execute(db);
    if (known.length === 0)
      await sql`alter database ${sql.id(rows[0]!.name)} set ${sql.raw(name)} = ${sql.lit(value)}`.execute(db);
    // The setting of the database is for later connections.
    await sql`select set_config(${name}, ${value}, false)`.execute(db);
  }
}

/** Functions from the time before the extension are on the coordinator only. Returns how many were copied to the workers. */
async function distributeFunctions(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ name: string }>`
    select function.oid::regprocedure::text as name from pg_proc function
    where function.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = function.oid and deptype = 'e')
      and not exists (select from pg_dist_object where classid = 'pg_proc'::regclass and objid = function.oid)
    order by name`.execute(db);
  for (const { name } of rows) await sql`select create_distributed_function(${name})`.execute(db);
  return rows.length;
}

/** The function that blanks events runs beside the rows of an account, and queries them there. */
async function setUpFunctions(db: Kysely<DB>): Promise<void> {
  const { rows } = await sql`
    select from pg_proc where proname = 'anonymise_events' and proconfig @> ${[`${nestedExecution}=on`]}::text[]`.execute(
    db,
  );
  if (rows.length === 0) await sql`alter function anonymise_events set ${sql.raw(nestedExecution)} = on`.execute(db);
}

const nestedExecution = 'citus.allow_nested_distributed_execution';

/** The tenant tables that are not distributed: those with the policy that separates accounts. */
export async function undistributedTables(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select class.relname as name from pg_class class
    join pg_policy policy on policy.polrelid = class.oid and policy.polname = 'tenant'
    where class.relnamespace = 'public'::regnamespace
      and not exists (select from pg_dist_partition where logicalrelid = class.oid)
    -- The others are placed beside accounts.
    order by class.relname <> 'accounts', class.relname`.execute(db);
  return rows.map(({ name }) => name);
}

async function distributeTables(db: Kysely<DB>): Promise<string[]> {
  const names = await undistributedTables(db);
  if (names.length > 0) await noteKeys(db, names);
  for (const name of names)
    await db.transaction().execute(async (tx) => {
      // The rows are copied as they are: what triggers do about a new row was done when it was written.
      await sql`set local session_replication_role = replica`.execute(tx);
      await drawIdsByTime(tx, name);
      const [column, neighbour] = name === 'accounts' ? ['id', 'none'] : ['account_id', 'accounts'];
      await sql`select create_distributed_table(${name}, ${column}, colocate_with := ${neighbour})`.execute(tx);
    });
  return names;
}

/** Citus leaves the rows that it has copied to the workers on the coordinator, where nobody sees them. Returns the number of tables. */
async function removeCopiedRows(db: Kysely<DB>): Promise<number> {
  const { rows } = await sql<{ name: string }>`
    select logicalrelid::text as name from pg_dist_partition
    join pg_policy policy on policy.polrelid = logicalrelid and policy.polname = 'tenant'
    where pg_relation_size(logicalrelid) > 0 order by 1`.execute(db);
  for (const { name } of rows) await sql`select truncate_local_data_after_distributing_table(${name})`.execute(db);
  return rows.length;
}

/** Notes and drops the foreign keys from and to the tables. */
const noteKeys = (db: Kysely<DB>, names: readonly string[]): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await sql`
      create table if not exists undistributed_keys (
        table_name text not null,
        name text not null,
        definition text not null,
        primary key (table_name, name)
      )`.execute(tx);
    const { rows } = await sql<{ table_name: string; name: string }>`
      insert into undistributed_keys (table_name, name, definition)
      select own.relname, key.conname, pg_get_constraintdef(key.oid)
      from pg_constraint key
      join pg_class own on own.oid = key.conrelid
      join pg_class other on other.oid = key.confrelid
      where key.contype = 'f' and (own.relname = any(${names}) or other.relname = any(${names}))
        and own.relnamespace = 'public'::regnamespace
      returning table_name, name`.execute(tx);
    for (const { table_name, name } of rows)
      await sql`alter table ${sql.table(table_name)} drop constraint ${sql.ref(name)}`.execute(tx);
  });

interface Key {
  readonly table_name: string;
  readonly name: string;
  readonly definition: string;
}

/** Adds the keys that were noted, and returns how many. */
async function addKeys(db: Kysely<DB>): Promise<number> {
  const { rows: found } = await sql<{ found: boolean }>`
    select to_regclass('undistributed_keys') is not null as found`.execute(db);
  if (!found[0]!.found) return 0;
  const { rows: keys } = await sql<Key>`select * from undistributed_keys order by table_name, name`.execute(db);
  for (const { table_name, name, definition } of keys)
    await db.transaction().execute(async (tx) => {
      await sql`alter table ${sql.table(table_name)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
        tx,
      );
      await sql`delete from undistributed_keys where table_name = ${table_name} and name = ${name}`.execute(tx);
    });
  await sql`drop table undistributed_keys`.execute(db);
  return keys.length;
}
