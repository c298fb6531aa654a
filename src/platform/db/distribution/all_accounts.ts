import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../connection.ts';
import { isDistributed } from './citus.ts';

/*
 * Work over all accounts. A statement over all of them fails as a whole while one of the servers that have their rows is down.
 */

/** A condition on the accounts that a statement is about. */
export type IsAmong = RawBuilder<boolean>;

/**
 * Does work over all accounts that can be repeated. Where it fails and several servers have the rows, it is done again for the
 * accounts of each server by themselves, so that those of a server that is down are left out and no others. Then the first error is
 * thrown.
 */
export async function overAllAccounts(db: Db, work: (isAmong: IsAmong) => Promise<void>): Promise<void> {
  try {
    await work(sql<boolean>`true`);
  } catch (error) {
    if (!(await isDistributed(db))) throw error;
    const works = (await accountsOfServers(db)).map((ids) => () => work(sql<boolean>`account_id = any(${ids})`));
    await all(works);
  }
}

/** Does one work after the other, also where one fails. Then the first error is thrown. */
export async function all(works: readonly (() => Promise<unknown>)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const work of works) await work().catch((error: unknown) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** The accounts after one of them in the order of their ids, without a question to the servers that have their rows. */
export async function* allAccounts(db: Db, afterId = 0): AsyncGenerator<number> {
  for (let last: number | undefined = afterId; last !== undefined;) {
    const rows = await db
      .selectFrom('directory_workspaces')
      .select('account_id')
      .distinct()
      .where('account_id', '>', last)
      .orderBy('account_id')
      .limit(chunkSize)
      .execute();
    for (const { account_id } of rows) yield account_id;
    last = rows.at(-1)?.account_id;
  }
}

const chunkSize = 1_000;

/** The accounts of each server. */
async function accountsOfServers(db: Db): Promise<number[][]> {
  const { rows } = await sql<{ ids: number[] }>`
    select array_agg(known.account_id) as ids
    from (select distinct account_id from directory_workspaces) known
    join pg_dist_placement on shardid = get_shard_id_for_distribution_column('accounts', known.account_id)
    group by groupid`.execute(db);
  return rows.map(({ ids }) => ids);
}
