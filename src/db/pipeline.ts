import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Dialect,
} from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { Db } from './connection.ts';

/*
 * A message to the database and its answer cost as much time of both processes as a small statement. Statements of one
 * connection that are asked for at the same moment go out in one message; they are carried out one after the other, and each
 * sees what was done before.
 */

/**
 * Takes a connection for as long as the work takes. Kysely's own handle on one would hold a statement back until the one
 * before it is answered.
 */
export const onConnection = <T>(db: Db, work: (connection: Db) => Promise<T>): Promise<T> =>
  db.getExecutor().provideConnection((connection) => {
    const executor = db.getExecutor().withConnectionProvider({ provideConnection: (consume) => consume(connection) });
    return work(new Kysely<DB>({ executor, config: { dialect }, dialect, driver: new DummyDriver() }));
  });

/** The connection is there already: nothing is asked of the dialect but its SQL. */
const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

type Answered<Asked extends readonly unknown[]> = { -readonly [Index in keyof Asked]: Awaited<Asked[Index]> };

/** Waits for statements that were asked for at once. Where one fails, those after it do too, and the first says why. */
export async function together<const Asked extends readonly unknown[]>(asked: Asked): Promise<Answered<Asked>> {
  const settled = await Promise.allSettled(asked);
  const failed = settled.find((answer) => answer.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map((answer) => (answer as PromiseFulfilledResult<unknown>).value) as Answered<Asked>;
}
