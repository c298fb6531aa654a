import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../../../../src/platform/db/connection.ts';
import { isDistributed } from '../../../../../src/platform/db/distribution/citus.ts';
import { distribute, undistributedTables } from '../../../../../src/platform/db/distribution/distribute.ts';
import { service } from '../../../../support/service.ts';

/*
 * What every table of tenants needs, so that its rows can be distributed over several servers by account. A new table that lacks
 * it fails here, also where no rows are distributed.
 */

const tenantTables = sql`(
  select class.oid, class.relname as name, case class.relname when 'accounts' then 'id' else 'account_id' end as key
  from pg_class class
  join pg_policy policy on policy.polrelid = class.oid and policy.polname = 'tenant'
  where class.relnamespace = 'public'::regnamespace)`;

const names = async (db: Db, query: ReturnType<typeof sql<{ name: string }>>): Promise<string[]> =>
  (await query.execute(db)).rows.map(({ name }) => name);

describe('tables of tenants', () => {
  it('are found', async () => {
    const { db } = (await service()).database;
    const found = await names(db, sql<{ name: string }>`select name from ${tenantTables} tenant order by name`);
    expect(found.length).toBeGreaterThan(50);
    expect(found).toContain('time_trackings');
  });

  it('have the account in every primary key and in everything that is unique', async () => {
    const { db } = (await service()).database;
    const without = sql<{ name: string }>`
      select index.indexrelid::regclass::text as name from ${tenantTables} tenant
      join pg_index index on index.indrelid = tenant.oid and index.indisunique
      where not exists (
        select from pg_attribute part
        where part.attrelid = tenant.oid and part.attnum = any(index.indkey) and part.attname = tenant.key)`;
    expect(await names(db, without)).toEqual([]);
  });

  it('refer to each other only, with the account, and by keys that change nothing but delete', async () => {
    const { db } = (await service()).database;
    const wrong = sql<{ name: string }>`
      select key.conrelid::regclass || '.' || key.conname as name from pg_constraint key
      left join ${tenantTables} own on own.oid = key.conrelid
      left join ${tenantTables} other on other.oid = key.confrelid
      where key.contype = 'f' and key.connamespace = 'public'::regnamespace and (own.oid is null) <> (other.oid is null)
      union all
      select key.conrelid::regclass || '.' || key.conname from pg_constraint key
      join ${tenantTables} own on own.oid = key.conrelid
      join ${tenantTables} other on other.oid = key.confrelid
      where key.contype = 'f' and (
        key.confdeltype not in ('a', 'r', 'c') or key.confupdtype not in ('a', 'r') or key.condeferrable or not exists (
          select from unnest(key.conkey, key.confkey) as pair (own_part, other_part)
          join pg_attribute mine on mine.attrelid = key.conrelid and mine.attnum = pair.own_part
          join pg_attribute theirs on theirs.attrelid = key.confrelid and theirs.attnum = pair.other_part
          where mine.attname = own.key and theirs.attname = other.key))`;
    expect(await names(db, wrong)).toEqual([]);
  });
});

describe('distribute', () => {
  it('leaves nothing to do where rows are distributed, and does nothing elsewhere', async () => {
    const { db } = (await service()).database;
    expect(await distribute(db)).toEqual([]);
    if (await isDistributed(db)) expect(await undistributedTables(db)).toEqual([]);
  });
});
