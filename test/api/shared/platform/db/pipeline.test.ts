import { CompiledQuery, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../../../../src/platform/db/connection.ts';
import { pipeline } from '../../../../../src/platform/db/pipeline.ts';
import { forAccount, lookUp } from '../../../../../src/platform/db/transactions.ts';
import { warningsDuring } from '../../../../support/node_warnings.ts';
import { newWorld, type World } from '../../../../support/world.ts';
import { violates } from '../../../../support/database/violations.ts';

/*
 * Queries in a pipeline go out in one message where the connection allows it, and one after the other where it does not.
 */

const stamps = { created_at: new Date(), updated_at: new Date() };

const newArea = (db: Db, { accountId, workspaceId }: World, name: string) =>
  db.insertInto('areas').values({ account_id: accountId, workspace_id: workspaceId, name, ...stamps });

const names = (db: Db) => db.selectFrom('areas').select('name').orderBy('name');

describe('pipeline', () => {
  // The driver warns once, so this comes first.
  it('causes no warning of the driver', async () => {
    const world = await newWorld();
    const fiveQueries = () =>
      forAccount(world.db, world.accountId, (tx) =>
        pipeline(
          tx,
          [1, 2, 3, 4, 5].map(() => names(tx)),
        ),
      );
    expect(await warningsDuring(fiveQueries)).toEqual([]);
  });

  it('executes queries in order, and each sees what the ones before it wrote', async () => {
    const world = await newWorld();
    const [before, , between, , after] = await forAccount(world.db, world.accountId, (tx) =>
      pipeline(tx, [names(tx), newArea(tx, world, 'One'), names(tx).compile(), newArea(tx, world, 'Two'), names(tx)]),
    );
    expect([before, between, after].map((rows) => rows.map(({ name }) => name))).toEqual([[], ['One'], ['One', 'Two']]);
  });

  it('fails with the error of the first query that fails', async () => {
    const world = await newWorld();
    const doubled = forAccount(world.db, world.accountId, (tx) =>
      pipeline(tx, [
        names(tx),
        newArea(tx, world, 'Twice'),
        newArea(tx, world, 'Twice'),
        names(tx),
        sql`select 1`.compile(tx),
      ]),
    );
    await expect(doubled).rejects.toSatisfy((error) => violates(error, 'areas_name'));
    expect(await forAccount(world.db, world.accountId, (tx) => names(tx).execute())).toEqual([]);
  });

  it('returns no rows for a query that is not needed', async () => {
    const world = await newWorld();
    const results = await forAccount(world.db, world.accountId, async (tx) => [
      await pipeline(tx, []),
      await pipeline(tx, [undefined, CompiledQuery.raw('select 1 as number'), undefined]),
    ]);
    expect(results).toEqual([[], [[], [{ number: 1 }], []]]);
  });
});

describe('lookUp', () => {
  const place = sql<{ account: string; transaction: string }>`
    select current_setting('app.account') as account, pg_current_xact_id()::text as transaction`;

  it('begins the transaction, for the account', async () => {
    const world = await newWorld();
    const [first, second, third] = await forAccount(world.db, world.accountId, async (tx) => [
      (await lookUp(tx, [place.compile(tx)]))[0][0]!,
      (await lookUp(tx, [place.compile(tx)]))[0][0]!,
      (await place.execute(tx)).rows[0]!,
    ]);
    expect(first).toEqual({ account: String(world.accountId), transaction: expect.any(String) });
    expect([second, third]).toEqual([first, first]);
  });

  it('begins one transaction where several queries are sent at once', async () => {
    const world = await newWorld();
    const places = await forAccount(world.db, world.accountId, (tx) =>
      Promise.all([
        place.execute(tx).then(({ rows }) => rows[0]),
        lookUp(tx, [place.compile(tx)]).then(([rows]) => rows[0]),
        place.execute(tx).then(({ rows }) => rows[0]),
      ]),
    );
    expect(new Set(places.map((one) => one!.transaction)).size).toBe(1);
  });

  it('leaves nothing behind if a look-up fails', async () => {
    const world = await newWorld();
    const failing = forAccount(world.db, world.accountId, async (tx) => {
      await lookUp(tx, [names(tx), sql`select 1 / 0`.compile(tx)]).catch(() => {});
      await newArea(tx, world, 'Late').execute();
    });
    await expect(failing).rejects.toThrow();
    expect(await forAccount(world.db, world.accountId, (tx) => names(tx).execute())).toEqual([]);
  });
});
