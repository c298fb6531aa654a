import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { newWorld, type World } from '../../../../support/world.ts';

/*
 * A connection keeps the plan of every named statement until it ends. Callers choose filters, so filters must not increase the
 * number or the size of named statements.
 */

interface Kept {
  readonly statements: number;
  readonly longest: number;
  readonly mebibytes: number;
}

/** What the connection keeps. Requests that come one after another use the same one. */
async function keptBy({ db }: World): Promise<Kept> {
  const { rows } = await sql<Kept>`
    select (select count(*)::integer from pg_prepared_statements) as statements,
      (select coalesce(max(length(statement)), 0)::integer from pg_prepared_statements) as longest,
      (select (sum(total_bytes) / 1048576)::float8 from pg_backend_memory_contexts) as mebibytes`.execute(db);
  return rows[0]!;
}

const listOf = (length: number): string => Array.from({ length }, (_item, index) => index + 1).join();

describe('the memory of a connection', () => {
  it('does not grow with the lists in filters', async () => {
    const world = await newWorld();
    const ask = async (length: number): Promise<void> => {
      const query = { 'filter[id]': `in:${listOf(length)}`, items: 1 };
      expect((await world.admin.call('listTimeTrackings', { query })).status).toBe(200);
    };
    for (let round = 0; round < 5; round++) await ask(2);
    const before = await keptBy(world);
    // Three uses give a statement its name.
    for (let length = 10; length < 180; length++) for (let use = 0; use < 3; use++) await ask(length);
    const after = await keptBy(world);
    expect(after.statements - before.statements).toBeLessThan(10);
    expect(after.longest).toBeLessThan(20_000);
    expect(after.mebibytes - before.mebibytes).toBeLessThan(8);
  }, 120_000);

  it('contains no long statement under a name', async () => {
    const world = await newWorld();
    const long = sql.raw(`/* ${'long '.repeat(5_000)} */`);
    for (let use = 0; use < 5; use++) await sql`select ${long} ${1}::integer`.execute(world.db);
    expect((await keptBy(world)).longest).toBeLessThan(20_000);
  });
});

describe('a list in a filter', () => {
  it('400 with more than 1,000 values, with and without a matcher', async () => {
    const { admin } = await newWorld();
    for (const [name, value] of [
      ['filter[id]', `in:${listOf(1_001)}`],
      ['filter[user_id]', listOf(1_001)],
    ] as const) {
      const response = await admin.call('listTimeTrackings', { query: { [name]: value } });
      expect([response.status, pointersIn(response)]).toEqual([400, [name]]);
      expect(titlesIn(response)).toEqual([`${name} must have at most 1000 values, but had 1001.`]);
    }
  });

  it('200 with 1,000 values', async () => {
    const { admin } = await newWorld();
    const query = { 'filter[id]': `in:${listOf(1_000)}` };
    expect((await admin.call('listTimeTrackings', { query })).status).toBe(200);
  });
});
