import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../src/db/connection.ts';
import { forAccount } from '../../src/db/transactions.ts';
import { together } from '../../src/db/pipeline.ts';
import { warningsDuring } from '../support/node_warnings.ts';
import { newWorld, type World } from '../support/world.ts';

/*
 * Statements that are asked for at once: in one message where the connection allows it, one after the other where it does not.
 */

const stamps = { created_at: new Date(), updated_at: new Date() };

const addArea = (db: Db, { accountId, workspaceId }: World, name: string) =>
  db
    .insertInto('areas')
    .values({ account_id: accountId, workspace_id: workspaceId, name, ...stamps })
    .execute();

const namesOf = (db: Db) => db.selectFrom('areas').select('name').orderBy('name').execute();

describe('statements that are asked for at once', () => {
  // The driver warns once, so this comes first.
  it('bring no warning of the driver', async () => {
    const world = await newWorld();
    const fiveAtOnce = () =>
      forAccount(world.db, world.accountId, (db) => together([1, 2, 3, 4, 5].map(() => namesOf(db))));
    expect(await warningsDuring(fiveAtOnce)).toEqual([]);
  });

  it('are carried out in order, and each sees what was done before', async () => {
    const world = await newWorld();
    const [before, , between, , after] = await forAccount(world.db, world.accountId, (db) =>
      together([namesOf(db), addArea(db, world, 'One'), namesOf(db), addArea(db, world, 'Two'), namesOf(db)]),
    );
    expect([before, between, after].map((names) => names.map(({ name }) => name))).toEqual([
      [],
      ['One'],
      ['One', 'Two'],
    ]);
  });

  it('fail together, for the reason of the first that does', async () => {
    const world = await newWorld();
    const doubled = forAccount(world.db, world.accountId, (db) =>
      together([
        namesOf(db),
        addArea(db, world, 'Twice'),
        addArea(db, world, 'Twice'),
        namesOf(db),
        sql`select 1`.execute(db),
      ]),
    );
    await expect(doubled).rejects.toMatchObject({ constraint: 'areas_name' });
    expect(await forAccount(world.db, world.accountId, namesOf)).toEqual([]);
  });

  it('may be few, none, or known already', async () => {
    expect(await together([])).toEqual([]);
    expect(await together([false, Promise.resolve(1), []])).toEqual([false, 1, []]);
  });
});
