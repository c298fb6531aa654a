import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openDatabase, type Db } from '../../../src/platform/db/connection.ts';
import type { OpenTransaction } from '../../../src/platform/db/open_transaction.ts';
import { pipeline } from '../../../src/platform/db/pipeline.ts';
import { forAccount, forNoAccount, lookUp } from '../../../src/platform/db/transactions.ts';
import { newWorld, type World } from '../../support/world.ts';
import { newDatabase } from './support.ts';

/*
 * If the server cancels the `begin` of a transaction, no statement of the transaction may write.
 */

/** Does work while every `begin` takes long on the server, so that it can be cancelled. */
async function withSlowBegin<T>(work: () => Promise<T>): Promise<T> {
  const { prototype } = pg.Client;
  const original = prototype.query;
  prototype.query = function (this: pg.Client, ...values: unknown[]) {
    const [text, ...rest] = values;
    const query = typeof text === 'string' && text.startsWith('begin') ? `select pg_sleep(60); ${text}` : text;
    return (original as (...values: unknown[]) => unknown).apply(this, [query, ...rest]);
  } as typeof original;
  try {
    return await work();
  } finally {
    prototype.query = original;
  }
}

/** Waits for a statement that sleeps in a database, and cancels it. */
async function cancelSleeper(url: string): Promise<void> {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  const cancel = `
    select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep' and pid <> pg_backend_pid()`;
  while ((await other.query(cancel)).rows.length === 0) await new Promise(setImmediate);
  await other.end();
}

describe('a transaction whose begin the server cancels', () => {
  const numbers = (db: Db) => sql<{ number: number }>`select number from written`.execute(db).then(({ rows }) => rows);

  it.each([
    ['writes nothing', async () => {}],
    [
      'writes nothing after look-ups that went out with it, even if their failure is ignored',
      (tx: OpenTransaction) => lookUp(tx, [sql`select number from written`.compile(tx)]).catch(() => {}),
    ],
  ])('%s', async (_title, prepare) => {
    const url = await newDatabase();
    const { db, close } = await openDatabase({ url, poolSize: 2 });
    await sql`create table written (number integer)`.execute(db);
    const writing = withSlowBegin(() =>
      forNoAccount(db, async (tx) => {
        await prepare(tx);
        await pipeline(
          tx,
          [1, 2, 3].map((number) => sql`insert into written values (${number})`.compile(tx)),
        );
      }),
    );
    const [outcome] = await Promise.allSettled([writing, cancelSleeper(url)]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '57014' } });
    expect(await numbers(db)).toEqual([]);
    await forNoAccount(db, (tx) => sql`insert into written values (4)`.execute(tx));
    expect(await numbers(db)).toEqual([{ number: 4 }]);
    await close();
  });

  const insertArea = (tx: Db, { accountId, workspaceId }: World) =>
    tx
      .insertInto('areas')
      .values({
        account_id: accountId,
        workspace_id: workspaceId,
        name: 'Outside',
        created_at: new Date(),
        updated_at: new Date(),
      })
      .execute();

  it('writes nothing where its role was taken on before', async () => {
    const world = await newWorld();
    const { db, accountId } = world;
    await forAccount(db, accountId, async () => {});
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db);
    const url = new URL(process.env['TEST_DATABASE_URL']!);
    url.pathname = rows[0]!.name;
    const writing = withSlowBegin(() => forAccount(db, accountId, (tx) => insertArea(tx, world)));
    const [outcome] = await Promise.allSettled([writing, cancelSleeper(url.href)]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '57014' } });
    expect(await db.selectFrom('areas').select('name').where('account_id', '=', accountId).execute()).toEqual([]);
  });
});
