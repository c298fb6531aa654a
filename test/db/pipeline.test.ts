import { CompiledQuery, sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../src/db/connection.ts';
import { pipeline } from '../../src/db/pipeline.ts';
import { forAccount } from '../../src/db/transactions.ts';
import { warningsDuring } from '../support/node_warnings.ts';
import { newWorld, type World } from '../support/world.ts';
import { violates } from '../support/database/violations.ts';

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
