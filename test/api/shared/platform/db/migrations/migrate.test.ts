import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql, type Kysely, type Migration } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../../../src/platform/db/connection.ts';
import { migrations } from '../../../../../../generated/migrations.ts';
import { migrateSchema, pendingMigrations } from '../../../../../../src/platform/db/migrate.ts';
import { schemaFile, schemaOf } from '../../../../../../src/platform/db/adoption/schema.ts';
import { emptyDatabase } from '../../../../../support/database/empty_database.ts';

let database: Database;
beforeAll(async () => void (database = await emptyDatabase()));
afterAll(() => database.close());

const reviewed = readFileSync('generated/schema.sql', 'utf8');

const isBroken = { now: true };
const further: Record<string, Migration> = {
  '9998_next': {
    up: (db: Kysely<unknown>) => sql`create table next_things (id bigint primary key)`.execute(db).then(() => {}),
  },
  '9999_last': {
    async up(db: Kysely<unknown>) {
      await sql`alter table next_things add column name text; create table last_things (id bigint primary key)`.execute(
        db,
      );
      if (isBroken.now) await sql`insert into no_such_table values (1)`.execute(db);
    },
  },
};
const withFurther = {
  ...migrations,
  ...Object.fromEntries(Object.entries(further).map(([name, migration]) => [name, async () => migration])),
};

describe('migrations', () => {
  it('are all files of the folder', () => {
    const files = readdirSync('src/platform/db/migrations').filter((name) => name.endsWith('.ts'));
    expect(Object.keys(migrations)).toEqual(files.map((file) => path.basename(file, '.ts')).sort());
  });

  it('bring the schema of generated/schema.sql, and store no setting', async () => {
    const { db } = database;
    expect(await pendingMigrations(db)).toEqual(Object.keys(migrations));
    expect(await migrateSchema(db)).toEqual(Object.keys(migrations));
    expect(await pendingMigrations(db)).toEqual([]);
    expect(await migrateSchema(db)).toEqual([]);
    expect(schemaFile(await schemaOf(db))).toBe(reviewed);
    expect(await db.selectFrom('service_settings').selectAll().execute()).toEqual([]);
  });

  it('that break in the middle leave the database as it was, and say so', async () => {
    const { db } = database;
    const before = await schemaOf(db);
    await expect(migrateSchema(db, withFurther)).rejects.toThrow(/9999_last failed and was rolled back.*no_such_table/);
    expect(await schemaOf(db)).toEqual(before);
  });

  it('that are repaired and repeated are complete', async () => {
    const { db } = database;
    isBroken.now = false;
    expect(await migrateSchema(db, withFurther)).toEqual(['9998_next', '9999_last']);
    expect((await schemaOf(db)).filter((text) => /^create table (next|last)_things/.test(text))).toHaveLength(2);
    expect(await migrateSchema(db, withFurther)).toEqual([]);
  });
});

it('a schema is complete in its statements: they make the same one', async () => {
  const { pool, db } = database;
  await pool.query('drop schema public cascade; create schema public');
  await pool.query(reviewed);
  expect(schemaFile(await schemaOf(db))).toBe(reviewed);
});
