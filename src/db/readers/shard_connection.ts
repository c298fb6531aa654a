import { CompiledQuery, type DatabaseConnection, type QueryResult } from 'kysely';
import { schemaOfShard } from '../distribution/shard_views.ts';

/** What a worker says about a shard. */
export interface Entrance {
  /** Whether it has the shard and its views. */
  readonly isHere: boolean;
  /** Whether it knows how all transactions of Citus ended. A move is one of them. */
  readonly isSettled: boolean;
}

/** Fails where the shard is not here, or may have moved. */
export function requireEntrance(shard: number, { isHere, isSettled }: Entrance): void {
  if (!isHere || !isSettled) throw new Error(`The shard ${shard} cannot be read here now.`);
}

/** What is prepared is looked at first: a move that is committed in between is then seen by the statement after it. */
export const settlement = CompiledQuery.raw(
  'select not exists (select from pg_prepared_xacts where database = current_database() and gid like $1) as is_settled',
  ['citus\\_%'],
) as CompiledQuery<{ is_settled: boolean }>;

/** Whether a worker has the shard `$1` with its views in the schema `$2`. */
export const isHere = `
  select to_regclass($2::text || '.accounts') is not null and not pg_is_in_recovery() and exists (
    select from pg_dist_placement join pg_dist_local_group using (groupid) where shardid = $1::bigint) as is_here`;

/** Sets the search path to the views of a shard. Where it is not here, no table is found. */
const entrance = `
  select is_here, set_config('search_path', case when is_here then $2::text || ', public' else 'nowhere' end, false)
  from (${isHere}) place`;

/**
 * The query with a text of its own for each shard. A connection keeps the plan of a text for one search path, and plans it again for
 * another: 3 ms for a page of time trackings, 7 ms for one of users.
 */
export const ofShard = <Row>(query: CompiledQuery<Row>, shard: number): CompiledQuery<Row> => ({
  ...query,
  sql: `${query.sql} -- ${schemaOfShard(shard)}`,
});

/** The connection, which enters the shard in one message with the first query. If it cannot, that query fails. */
export function inShard(
  connection: DatabaseConnection,
  shard: number,
  note: (entered: Entrance) => void,
): DatabaseConnection {
  let isInside = false;
  return {
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      if (isInside) return connection.executeQuery<Row>(ofShard(query, shard));
      isInside = true;
      const enter = CompiledQuery.raw(entrance, [shard, schemaOfShard(shard)]);
      // All are handed to the connection in one synchronous step, as a pipeline does.
      const [settled, entered, answered] = await Promise.allSettled([
        connection.executeQuery<{ is_settled: boolean }>(settlement),
        connection.executeQuery<{ is_here: boolean }>(enter),
        connection.executeQuery<Row>(ofShard(query, shard)),
      ]);
      const place = { isSettled: firstOf(settled).is_settled, isHere: firstOf(entered).is_here };
      note(place);
      requireEntrance(shard, place);
      return valueOf(answered);
    },
    streamQuery() {
      throw new Error('Rows of a shard are not read as a stream.');
    },
  };
}

function valueOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

const firstOf = <Row>(result: PromiseSettledResult<QueryResult<Row>>): Row => valueOf(result).rows[0]!;
