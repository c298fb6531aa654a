import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../../../../../generated/migrations.ts';
import type { Database } from '../../../../../../src/platform/db/connection.ts';
import { migrateSchema } from '../../../../../../src/platform/db/migrate.ts';
import { schemaOf } from '../../../../../../src/platform/db/adoption/schema.ts';
import { emptyDatabase } from '../../../../../support/database/empty_database.ts';
import { loadPreRelease } from '../../../../../support/database/pre_release.ts';

const tables = ['accounts', 'users', 'time_trackings', 'breaks', 'notes', 'absences', 'absence_days', 'events'];

describe('a database of the last pre-release', { timeout: 120_000 }, () => {
  let database: Database;
  beforeAll(async () => {
    database = await emptyDatabase();
    await loadPreRelease(database);
  });
  afterAll(() => database.close());

  async function state(): Promise<{ names: string[]; schema: string[]; counts: number[] }> {
    const { db } = database;
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
    const counts = [];
    for (const table of tables)
      counts.push((await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(db)).rows[0]!.count);
    return { names: rows.map(({ name }) => name), schema: await schemaOf(db), counts };
  }

  it.each([
    {
      what: 'a column more',
      change: 'alter table users add column shoe_size integer',
      undo: 'alter table users drop column shoe_size',
      reason: 'only here: create table users (',
    },
    {
      what: 'an index less',
      change: 'alter index users_by_name rename to users_named',
      undo: 'alter index users_named rename to users_by_name',
      reason: 'missing: CREATE INDEX users_by_name',
    },
    {
      what: 'another trigger',
      change: 'alter trigger refuse_closed on users rename to refuse_open',
      undo: 'alter trigger refuse_open on users rename to refuse_closed',
      reason: 'missing: CREATE TRIGGER refuse_closed AFTER UPDATE',
    },
    {
      what: 'a migration less',
      change: `update kysely_migration set name = '0036_more' where name like '0035%'`,
      undo: `update kysely_migration set name = '0035_events_by_account' where name like '0036%'`,
      reason: 'with other migrations than its last ones',
    },
  ])('is refused with $what, in plain words, and stays as it is', async ({ change, undo, reason }) => {
    const { db, pool } = database;
    await pool.query(change);
    const before = await state();
    const refusal = migrateSchema(db);
    await expect(refusal).rejects.toThrow(reason);
    await expect(refusal).rejects.toThrow('Start this release on an empty database');
    expect(await state()).toEqual(before);
    await pool.query(undo);
  });

  it('is adopted, by one of two processes: it gets the schema of a new database and keeps its records', async () => {
    const { db } = database;
    const before = await state();
    expect(before.names).toHaveLength(35);
    expect(before.counts.every((count) => count > 0)).toBe(true);
    const [baseline, ...later] = Object.keys(migrations);
    // One process carries out what has come after the baseline.
    expect((await Promise.all([migrateSchema(db), migrateSchema(db)])).flat()).toEqual(later);
    const after = await state();
    expect(after).toMatchObject({ names: [baseline, ...later], counts: before.counts });

    const made = await emptyDatabase();
    await migrateSchema(made.db);
    const expected = await schemaOf(made.db);
    await made.close();
    // The functions of the pre-release have other white space and more quotation marks.
    const comparable = (texts: readonly string[]) => texts.map((text) => text.replaceAll(/[\s"]+/g, ''));
    expect(comparable(after.schema)).toEqual(comparable(expected));
  });
});
