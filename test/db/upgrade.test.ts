import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql, type Kysely, type Migration } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase, type Database, type Db } from '../../src/db/connection.ts';
import { migrate, migrations, pendingMigrations } from '../../src/db/migrate.ts';
import { loadRelease, schemaOf } from '../support/database/release.ts';
import { isDistributed } from '../support/database/distribution.ts';
import { createDatabaseOnOneServer, serverUrl } from '../support/database/server_databases.ts';
import { service } from '../support/service.ts';

/** To create an embedded database takes seconds, to empty one does not. */
async function emptyDatabase(): Promise<Database> {
  if (!serverUrl) {
    const database = await openDatabase({
      memory: true,
      template: new Blob([readFileSync(process.env['TEST_TEMPLATE']!)]),
    });
    await database.pool.query('drop schema public cascade; drop schema pgboss cascade; create schema public');
    return database;
  }
  return openDatabase({ url: await createDatabaseOnOneServer(), poolSize: 3 });
}

async function countsIn(db: Db, tables: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables)
    counts[table] = (await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(db)).rows[0]!.count;
  return counts;
}

const tables = [
  'accounts',
  'users',
  'memberships',
  'workspaces',
  'time_trackings',
  'breaks',
  'notes',
  'absences',
  'files',
  'notifications',
  'access_tokens',
];

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

const batchId = '5f0c6e0a-54a5-4f0e-9d0b-0d7f6b4f7a11';

/** A batch under way: its first item is done, its second has failed, two are still to be done. */
const beginBatch = ({ pool }: Database) =>
  pool.query(`
    insert into batches (account_id, id, workspace_id, user_id, action, input, state, total, done, failed, created_at, updated_at)
      select account_id, '${batchId}', workspace_id, user_id, 'notifications.destroy', '{}', 'running', 4, 1, 1, now(), now() from memberships order by 1, 3, 4 limit 1;
    insert into batch_items (account_id, batch_id, position, item_id, item_type, failure)
      select account_id, batches.id, item.position, item.id, 'notification', item.failure
      from batches, (values (1, 22, 'Refused.'), (2, 33, null), (3, 44, null)) item (position, id, failure)`);

/** A database that was made by this release. That of the tests, if it is on one server as the upgraded one. */
async function newDatabase(): Promise<Db> {
  if (!isDistributed) return (await service()).database.db;
  const database = await emptyDatabase();
  onTestFinished(() => database.close());
  await migrate(database.db);
  return database.db;
}

describe('an upgrade from 0.1.0', () => {
  let database: Database;
  let before: Record<string, number>;
  let amounts: { id: number; hours: number; days: number }[];

  beforeAll(async () => {
    database = await emptyDatabase();
    await loadRelease(database, '0.1.0');
    await beginBatch(database);
    before = await countsIn(database.db, tables);
    expect(before).toMatchObject({ users: 4, time_trackings: 197, notes: 399 });
    amounts = (await database.pool.query('select id, hours, days from absences order by id')).rows;
    expect(amounts.length).toBeGreaterThan(0);
  });
  afterAll(() => database.close());

  it('that breaks in the middle leaves the database as it was, and says so', async () => {
    const { db } = database;
    const old = await schemaOf(db);
    await expect(migrate(db, { ...migrations, ...further })).rejects.toThrow(
      /9999_last failed and was rolled back.*no_such_table/,
    );
    expect(await schemaOf(db)).toEqual(old);
    expect(await countsIn(db, tables)).toEqual(before);
  });

  it('brings the schema of a new database, and keeps every record', async () => {
    const { db } = database;
    await migrate(db);
    expect(await pendingMigrations(db)).toEqual([]);
    expect(await countsIn(db, tables)).toEqual(before);
    expect(await schemaOf(db)).toEqual(await schemaOf(await newDatabase()));
  });

  it('gives every user a default target hour, also those whom a process of that release still creates', async () => {
    const { db, pool } = database;
    const targets = () =>
      db
        .selectFrom('users')
        .leftJoin('target_hours', (join) =>
          join
            .onRef('target_hours.account_id', '=', 'users.account_id')
            .onRef('target_hours.user_id', '=', 'users.id')
            .onRef('target_hours.start_date', '=', 'users.start_of_accounting'),
        )
        .select(['users.id', 'rhythm_type', 'per_day', 'is_mon', 'fri_s', 'is_sat', 'sat_s'])
        .execute();
    const week = { rhythm_type: 'weekly', per_day: true, is_mon: true, fri_s: 28_800, is_sat: false, sat_s: null };
    const ofExisting = await targets();
    expect(ofExisting).toHaveLength(before['users']!);
    expect(ofExisting).toEqual(ofExisting.map(({ id }) => ({ id, ...week })));
    const { rows } = await pool.query<{ id: number }>(`
      insert into users (account_id, username, created_in_workspace, start_of_accounting, recognition_color_variant, created_at, updated_at)
      select id, 'Late', true, '2026-05-01', 1, now(), now() from accounts order by id limit 1 returning id`);
    expect(await targets()).toContainEqual({ id: rows[0]!.id, ...week });
    await pool.query(
      `delete from target_hours where user_id = ${rows[0]!.id}; delete from users where id = ${rows[0]!.id}`,
    );
  });

  it('keeps the amounts of absences and gives each its days, also those that a process of that release still writes', async () => {
    const { db, pool } = database;
    const days = () =>
      db
        .selectFrom('absences')
        .leftJoin('absence_days as day', (join) =>
          join.onRef('day.account_id', '=', 'absences.account_id').onRef('day.absence_id', '=', 'absences.id'),
        )
        .groupBy(['absences.account_id', 'absences.id'])
        .select([
          'absences.id',
          'absences.hours',
          'absences.days',
          sql<number>`sum(day.seconds) / 3600.0`.as('hoursOfRows'),
          sql<number>`sum(day.parts) / 10000.0`.as('daysOfRows'),
          sql<number>`count(*) filter (where day.parts > 0 and extract(isodow from day.date) > 5)`.as('onWeekends'),
        ])
        .orderBy('absences.id')
        .execute();
    const existing = await days();
    expect(existing.map(({ id, hours, days: all }) => ({ id, hours, days: all }))).toEqual(amounts);
    expect(existing.length).toBe(before['absences']);
    for (const { hours, days: all, hoursOfRows, daysOfRows, onWeekends } of existing)
      expect([Number(hoursOfRows), Number(daysOfRows), onWeekends]).toEqual([hours, all, 0]);

    const { rows } = await pool.query<{ id: number }>(`
      insert into absences (account_id, workspace_id, user_id, absence_type_id, title, starts_at, ends_at, full_day, hours, days, created_by, uuid, secure_id, created_at, updated_at)
      select account_id, workspace_id, user_id, absence_type_id, 'Late', '2026-07-04T22:00:00Z', '2026-07-08T21:59:59Z', true, 20, 2.5, created_by, gen_random_uuid(), gen_random_uuid(), now(), now()
      from absences order by id limit 1 returning id`);
    const id = rows[0]!.id;
    const dated = async () =>
      (
        await pool.query<{ date: string; seconds: number; parts: number }>(
          `select date::text, seconds, parts from absence_days where absence_id = ${id} order by date`,
        )
      ).rows.map(({ date, seconds, parts }) => [date, seconds, parts]);
    expect(await dated()).toEqual([
      ['2026-07-05', 0, 0],
      ['2026-07-06', 24_000, 8333],
      ['2026-07-07', 24_000, 8333],
      ['2026-07-08', 24_000, 8334],
    ]);
    await pool.query(
      `update absences set starts_at = '2026-07-10T22:00:00Z', ends_at = '2026-07-12T21:59:59Z', hours = 4, days = 0.5 where id = ${id}`,
    );
    expect(await dated()).toEqual([
      ['2026-07-11', 14_400, 5000],
      ['2026-07-12', 0, 0],
    ]);
    await pool.query(`delete from absences where id = ${id}`);
    expect(await dated()).toEqual([]);
  });

  it('continues a batch that is in progress', async () => {
    const { db } = database;
    const batch = await db
      .selectFrom('batches')
      .select(['item_type', 'item_ids', 'done', 'failed'])
      .where('id', '=', batchId)
      .executeTakeFirst();
    expect(batch).toEqual({ item_type: 'notification', item_ids: [0, 22, 33, 44], done: 1, failed: 1 });
    const failed = await db
      .selectFrom('batch_items')
      .select(['position', 'item_id', 'failure'])
      .where('batch_id', '=', batchId)
      .execute();
    expect(failed).toEqual([{ position: 1, item_id: 22, failure: 'Refused.' }]);
    // A process of that release finds no items, and considers the batch finished.
    await expect(
      db.updateTable('batches').set({ state: 'finished' }).where('id', '=', batchId).execute(),
    ).rejects.toThrow('batches_finished');
  });

  it('that is repaired and repeated is complete', async () => {
    const { db } = database;
    isBroken.now = false;
    expect(await migrate(db, { ...migrations, ...further })).toEqual(['9998_next', '9999_last']);
    expect((await schemaOf(db)).filter((line) => /^(next|last)_things\.\w+ /.test(line))).toHaveLength(3);
    expect(await migrate(db, { ...migrations, ...further })).toEqual([]);
  });
});

it('carries out every migration of the folder', () => {
  const files = readdirSync('src/db/migrations', { recursive: true, encoding: 'utf8' });
  const names = files.filter((file) => file.endsWith('.ts')).map((file) => path.basename(file, '.ts'));
  expect(Object.keys(migrations)).toEqual(names.sort());
});
