import { CompiledQuery } from 'kysely';
import type { Db } from '../connection.ts';
import type { DrawIds } from '../distribution/draw_ids.ts';
import { schemaOfShard } from '../distribution/shard_views.ts';
import { isHere, ofShard, requireEntrance, settlement, type Entrance } from './shard_connection.ts';

/*
 * A transaction on the worker that has the rows of its account. Workers of Citus know the tables of the whole cluster. So a
 * transaction can write to them there as it does on the coordinator, without a message between servers, and Citus still knows when
 * a shard moves. It plans each of these statements again. A statement that only reads, and is large, takes the views of the shard.
 */

/** The worker that has the rows of an account. */
export interface Host {
  readonly db: Db;
  /** The shard of the account. */
  readonly shard: number;
  /** Has the coordinator draw ids, over a connection for nothing else. Fails soon if it cannot, because locks wait for it. */
  readonly drawIds: DrawIds;
  /** Takes note of what the worker said about the shard. */
  readonly note: (entered: Entrance) => void;
}

/** Where the shard is not here, the tables of the cluster are read, for nothing: see `rowsOfVisit`. */
const visit = `
  select is_here,
    case when is_here then set_config('search_path', $2::text || ', public', true) end,
    case when is_here then set_config('plan_cache_mode', 'force_generic_plan', true) end
  from (${isHere}) place`;

/** Back to the defaults of the session. */
const leave = CompiledQuery.raw(
  `select set_config('search_path', null, true), set_config('plan_cache_mode', null, true)`,
);

type Visit<Row> = readonly [
  settlement: CompiledQuery<{ is_settled: boolean }>,
  visit: CompiledQuery<{ is_here: boolean }>,
  query: CompiledQuery<Row>,
  leave: CompiledQuery,
];

/** The queries with which a transaction on the worker reads the views of the shard. */
export const visitTo = <Row>({ shard }: Host, query: CompiledQuery<Row>): Visit<Row> => [
  settlement,
  CompiledQuery.raw(visit, [shard, schemaOfShard(shard)]) as CompiledQuery<{ is_here: boolean }>,
  ofShard(query, shard),
  leave,
];

/** The rows of the query of a visit. Fails where the shard is not here, or may have moved: the lock before it was then of no use. */
export function rowsOfVisit<Row>(
  { shard, note }: Host,
  [settled, visited, rows]: readonly [{ is_settled: boolean }[], { is_here: boolean }[], Row[], unknown[]],
): Row[] {
  const entered = { isSettled: settled[0]!.is_settled, isHere: visited[0]!.is_here };
  note(entered);
  requireEntrance(shard, entered);
  return rows;
}
