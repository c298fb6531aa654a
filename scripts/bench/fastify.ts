/**
 * A contender: Fastify with fastify-openapi-glue on the contract, which routes, validates and secures, and JSON.stringify. It
 * answers lists with Punchcard's rows and presenters. Totals are counted and summed over the filtered rows.
 */
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { Kysely, PostgresDialect, sql, type CompiledQuery } from 'kysely';
import type pg from 'pg';
import type { DB } from '../../generated/db.ts';
import type { PresentContext } from '../../src/platform/http/answers/jsonapi.ts';
import { presentTimeTracking } from '../../src/working_time/time_trackings/resource.ts';
import { timeTrackingRows, type TimeTrackingRow } from '../../src/working_time/time_trackings/rows.ts';
import { callerIn, openPool, type Caller } from './credentials.ts';
import { listRequestOf, localTimesOf, pageOf, wholeSecond, type ListFilter, type Query, type TotalsRow } from './pages.ts'; // prettier-ignore

const pool = openPool();
const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });

/** Stands for a value that each call fills in. */
class Slot {
  constructor(readonly name: string) {}
}
const slot = (name: string) => new Slot(name) as never;

/** Compiles a query once, as a named statement, because compiling takes longer than the rest of a short request. */
function prepare<Row extends pg.QueryResultRow>(name: string, { sql: text, parameters }: CompiledQuery) {
  return async (values: Readonly<Record<string, unknown>>): Promise<Row[]> => {
    const filled = parameters.map((value) => (value instanceof Slot ? values[value.name] : value));
    return (await pool.query<Row>({ name, text, values: filled })).rows;
  };
}

const touchesRange = sql`
  starts_at <= ${slot('to')}::timestamptz and coalesce(ends_at, ${slot('now')}::timestamptz) > ${slot('from')}::timestamptz`;

const conditions: Record<ListFilter['kind'], ReturnType<typeof sql>> = {
  all: sql`true`,
  user: sql`user_id = ${slot('user')}`,
  // A tracking of at most a day begins at most a day before the range. Only longer ones begin earlier.
  range: sql`${touchesRange} and starts_at >= least(${slot('from')}::timestamptz - interval '1 day', (
    select min(starts_at) from time_trackings
    where account_id = ${slot('account')} and workspace_id = ${slot('workspace')} and (ends_at is null or gross_s > 86400) and ${touchesRange}))`,
};

const seconds = sql`greatest(0, extract(epoch from ${slot('now')}::timestamptz - starts_at)::integer)`;

function listBy(filter: ListFilter['kind']) {
  const inWorkspace = { accountId: slot('account') as number, workspaceId: slot('workspace') as number };
  const matching = sql`
    from time_trackings where account_id = ${slot('account')} and workspace_id = ${slot('workspace')} and ${conditions[filter]}`;
  return {
    rows: prepare<TimeTrackingRow>(
      `list_${filter}`,
      timeTrackingRows(db, inWorkspace, { withRights: false })
        .where(
          sql<boolean>`time_trackings.id = any(array(
            select id ${matching} order by starts_at, id offset ${slot('skipped')} limit ${slot('items')}))`,
        )
        .orderBy('time_trackings.starts_at')
        .orderBy('time_trackings.id')
        .compile(),
    ),
    totals: prepare<TotalsRow>(
      `totals_${filter}`,
      sql`
        select count(*)::integer as total, count(*) filter (where confirmed)::integer as total_confirmed,
          count(*) filter (where ends_at is null)::integer as total_running,
          coalesce(sum(gross), 0)::float8 as total_gross, coalesce(sum(least(gross, coalesce(pause, 0))), 0)::float8 as total_pause
        from (
          select confirmed, ends_at, case when ends_at is null then ${seconds} else gross_s end as gross,
            case when force_custom_break_duration and custom_break_s is not null then custom_break_s else breaks_s + coalesce((
              select ${seconds} from breaks pause
              where pause.account_id = ${slot('account')} and pause.time_tracking_id = time_trackings.id and pause.ends_at is null), 0) end as pause
          ${matching}) as tracking`.compile(db),
    ),
  };
}

const lists = { all: listBy('all'), user: listBy('user'), range: listBy('range') };

async function listTimeTrackings(request: FastifyRequest, reply: FastifyReply) {
  const list = listRequestOf(request.query as Query);
  const { page, items, filter } = list;
  const now = wholeSecond();
  const [from, to] = filter.kind === 'range' ? localTimesOf(filter.values) : [];
  const values = {
    ...{ account: callers.get(request)!.accountId, workspace: workspaceOf(request), now },
    ...{ skipped: (page - 1) * items, items, user: filter.values[0], from, to },
  };
  const { rows, totals } = lists[filter.kind];
  const [found, [total]] = await Promise.all([rows(values), totals(values)]);
  // Permissions are not asked for, so the presenter needs no actor.
  const context = { queryOptions: { permissions: 'none' }, now: new Date(now) } as unknown as PresentContext;
  const data = found.map((row) => presentTimeTracking(row, context));
  const given = request.headers['x-request-id'];
  const { headers, body } = pageOf(data, total!, list, typeof given === 'string' ? given : randomUUID());
  return reply.headers(headers).type('application/json; charset=utf-8').send(body);
}

const workspaceOf = (request: FastifyRequest): string =>
  (request.params as Record<string, string>)['workspace_id'] ?? '0';

const callers = new WeakMap<FastifyRequest, Caller>();
const findCaller = callerIn(pool);

const securityHandlers = {
  async bearer(request: FastifyRequest): Promise<void> {
    const caller = await findCaller(request.headers.authorization, workspaceOf(request));
    if (!caller) throw new Error('unknown token');
    callers.set(request, caller);
  },
  async apiKey(): Promise<void> {
    throw new Error('not part of the benchmark');
  },
};

const fastify = Fastify({ ajv: { customOptions: { strict: false } } });
fastify.setSerializerCompiler(() => JSON.stringify);
fastify.get('/health/ready', async () => 'ready');
fastify.register(openapiGlue, {
  specification: path.resolve(import.meta.dirname, '../../generated/v3.json'),
  serviceHandlers: { listTimeTrackings },
  securityHandlers,
  prefix: '/api/v3',
});
await fastify.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });
