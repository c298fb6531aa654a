import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { service } from '../../../../support/service.ts';
import { insertTimeTracking } from '../../../../support/records.ts';
import { newWorld } from '../../../../support/world.ts';

/*
 * Prepared statements. A large statement gets a name when it is repeated. The name refers to a plan for the table as it was then.
 */

describe('a repeated statement', () => {
  afterAll(async () => {
    const { db } = (await service()).database;
    await sql`alter table time_trackings drop column if exists oddity`.execute(db);
  });

  it('is named, on the connection that has planned it', async () => {
    const world = await newWorld();
    const time_tracking_id = await insertTimeTracking(world, world.employee.id);
    const show = async () => (await world.admin.call('getTimeTracking', { params: { time_tracking_id } })).status;
    const named = async () =>
      (
        await sql`select from pg_prepared_statements where name like 'punchcard_%' and statement like '%stored_breaks%'`.execute(
          world.db,
        )
      ).rows.length;
    for (let round = 0; round < 40; round++) expect(await show()).toBe(200);
    expect(await named()).toBeGreaterThan(0);
  });

  it('is named after many others have used up the names of its connection', async () => {
    const { db } = await newWorld();
    for (let text = 0; text < 1_000; text++)
      await sql`select ${text}::integer as ${sql.ref(`text_${text}`)}`.execute(db);
    const { rows } = await sql<{ all: number; own: number }>`
      select count(*)::integer as all, count(*) filter (where statement like ${'%as own%'})::integer as own
      from pg_prepared_statements`.execute(db);
    expect(rows[0]!.own).toBe(1);
    expect(rows[0]!.all).toBeLessThanOrEqual(300);
  });

  it('returns the same rows with and without a name', async () => {
    const { db } = await newWorld();
    const rows = [];
    for (let round = 0; round < 6; round++) {
      const answer = await sql`
        select number, nullif(number, 2) as odd, number::text as "as text", array[number, number + 1]::bigint[] as numbers, '{"a": null}'::json as json,
          timestamptz '2026-01-30 08:00:00.5+02' as moment, date '2026-01-30' as day, number > 1 as is_more
        from generate_series(1, ${3}::integer) number`.execute(db);
      rows.push(answer.rows);
    }
    const row = (number: number) => ({
      number,
      odd: number === 2 ? null : number,
      'as text': String(number),
      numbers: [number, number + 1],
      json: { a: null },
      moment: new Date('2026-01-30T06:00:00.500Z'),
      day: '2026-01-30',
      is_more: number > 1,
    });
    expect(rows).toEqual(Array.from({ length: 6 }, () => [row(1), row(2), row(3)]));
  });

  it('is planned anew where a later release has changed its table meanwhile', async () => {
    const world = await newWorld();
    const time_tracking_id = await insertTimeTracking(world, world.employee.id);
    const show = async () => (await world.admin.call('getTimeTracking', { params: { time_tracking_id } })).status;
    for (let round = 0; round < 5; round++) expect(await show()).toBe(200);
    await sql`alter table time_trackings add column oddity integer`.execute(world.db);
    for (let round = 0; round < 20; round++) expect(await show()).toBe(200);
    await sql`alter table time_trackings drop column oddity`.execute(world.db);
    for (let round = 0; round < 20; round++) expect(await show()).toBe(200);
  });
});

describe('several statements in one text', () => {
  it('can be repeated too', async () => {
    const { db } = await newWorld();
    for (let round = 0; round < 5; round++) await sql`select 1; select 2`.execute(db);
  });
});
