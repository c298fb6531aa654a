import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/db/connection.ts';
import type { OpenTransaction } from '../../../src/platform/db/open_transaction.ts';
import { pipeline } from '../../../src/platform/db/pipeline.ts';
import { forNoAccount, onConnection } from '../../../src/platform/db/transactions.ts';
import { warningsDuring } from '../../support/node_warnings.ts';
import { newDatabase } from './support.ts';

describe('a connection through a pooler', () => {
  it('sends one statement at a time, without a name', async () => {
    const { db, close } = await openDatabase({ url: await newDatabase(), poolSize: 1, isPooled: true });
    await sql`create table counted (number integer)`.execute(db);
    const countAtOnce = (tx: OpenTransaction) =>
      pipeline(
        tx,
        [1, 2, 3, 4, 5].map((number) =>
          sql`insert into counted select ${number}::integer + count(*) from counted`.compile(tx),
        ),
      );
    const warnings = await warningsDuring(async () => {
      for (let round = 0; round < 5; round++) await forNoAccount(db, countAtOnce);
    });
    const answers = await sql<{ number: number }>`select number from counted`.execute(db);
    const named = await sql`select from pg_prepared_statements where name <> ''`.execute(db);
    await close();
    expect(answers.rows.slice(0, 5)).toEqual([1, 3, 5, 7, 9].map((number) => ({ number })));
    expect(answers.rows.at(-1)).toEqual({ number: 29 });
    expect(named.rows).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

describe('two connections', () => {
  it('can use the same statement on tables that differ', async () => {
    const { db, close } = await openDatabase({ url: await newDatabase(), poolSize: 2 });
    const seen = await onConnection(db, (one) =>
      onConnection(db, async (other) => {
        await sql`create temporary table odd as select 1 as first, 'one' as second`.execute(one);
        await sql`create temporary table odd as select 'two' as second, 2::bigint as third, null as fourth`.execute(
          other,
        );
        const rows = [];
        for (let round = 0; round < 5; round++) {
          for (const connection of [one, other])
            rows.push((await sql`select * from odd where ${round}::integer >= 0`.execute(connection)).rows[0]);
        }
        return rows;
      }),
    );
    await close();
    const each = [
      { first: 1, second: 'one' },
      { second: 'two', third: 2, fourth: null },
    ];
    expect(seen).toEqual([...each, ...each, ...each, ...each, ...each]);
  });
});

describe('a statement', () => {
  it('uses one CPU, and no JIT compilation', async () => {
    const { db, close } = await openDatabase({ url: await newDatabase(), poolSize: 1 });
    const { rows } = await sql<{ jit: string; workers: string }>`
      select current_setting('jit') as jit, current_setting('max_parallel_workers_per_gather') as workers`.execute(db);
    await close();
    expect(rows).toEqual([{ jit: 'off', workers: '0' }]);
  });
});
