import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from 'kysely';
import pg from 'pg';
import { fromKysely, PgBoss, type Db as BossDb } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database, Db } from '../db/connection.ts';
import { isDistributed } from '../db/distribution/citus.ts';
import { tenantRoleOf } from '../db/tenant_role.ts';

/** Runs a job with the ids that it was enqueued with. A job that is retried keeps its own id. */
export type JobHandler = (data: never, jobId?: string) => Promise<void>;
export type JobHandlers = Readonly<Record<string, JobHandler>>;

export interface Jobs {
  /** Runs jobs as they arrive, until stopped. */
  work(): Promise<void>;
  /** Runs all jobs that are due, and resolves when they are done. For tests, which never wait for a timer. */
  drain(): Promise<void>;
  stop(): Promise<void>;
  /** The number of jobs that wait. */
  depth(): Promise<number>;
}

/*
 * A process has one queue. It is kept here and not passed through every verb, because to enqueue a job is to write a row in the
 * caller's own transaction.
 */
let current: PgBoss | undefined;

/*
 * pg-boss runs queries on its own connection even when a job is sent inside a transaction. The embedded database has one
 * connection, which the transaction holds, so these queries must use the transaction too.
 */
const currentTransaction = new AsyncLocalStorage<Db>();

// The heartbeat of a killed worker stops, and another worker takes its job within about half a minute.
const queueOptions = {
  notify: true,
  heartbeatSeconds: 20,
  retryLimit: 10,
  retryBackoff: true,
  retryDelay: 2,
  retryDelayMax: 600,
  expireInSeconds: 300,
};
const supervision = { superviseIntervalSeconds: 10, monitorIntervalSeconds: 10 };
const workOptions = {
  batchSize: 1,
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 2,
  burstWhenBatchFull: true,
};

/** The payload of a job: the account that it works for, and ids. Never secrets. */
interface JobData {
  readonly accountId: number;
}

/** Adds a job in the caller's transaction: it exists if and only if that commits. */
export async function enqueue<Data extends JobData>(
  db: Db,
  queue: string,
  data: Data,
  startAfterSeconds = 0,
): Promise<void> {
  if (!current) throw new Error('The job queue has not been started.');
  const boss = current;
  const group = { id: String(data.accountId) };
  const priority = await fairPriority(db, queue, group.id);
  const options = { db: fromKysely(db), group, priority, startAfter: startAfterSeconds };
  await currentTransaction.run(db, () => boss.send(queue, data, options));
}

/** Adds jobs of one account in the caller's transaction, in two statements however many they are. */
export async function enqueueAll<Data extends JobData>(
  db: Db,
  queue: string,
  accountId: number,
  jobs: readonly Data[],
): Promise<void> {
  if (!current) throw new Error('The job queue has not been started.');
  if (jobs.length === 0) return;
  const boss = current;
  const group = { id: String(accountId) };
  const first = await fairPriority(db, queue, group.id);
  const added = jobs.map((data, index) => ({ data, group, priority: first - index }));
  await currentTransaction.run(db, () => boss.insert(queue, added, { db: fromKysely(db) }));
}

/**
 * The priority with which accounts take turns, however many jobs each has. The first job of an account comes level with the
 * next one of the queue, and each further one a turn after the last of the same account. Jobs that are enqueued at the same
 * moment do not see each other, and may share a turn.
 */
async function fairPriority(db: Db, queue: string, group: string): Promise<number> {
  const { rows } = await sql<{ priority: number | null }>`
    select least(max(priority) filter (where start_after <= now()), min(priority) filter (where group_id = ${group}) - 1) as priority
    from pgboss.job where name = ${queue} and state < 'active' and not blocked`.execute(db);
  return rows[0]!.priority ?? 0;
}

/** Work beside the queue, which a process that runs jobs does all the time. */
export interface Side {
  run(log: Logger): void;
  stop(): Promise<void>;
}

interface Options {
  readonly directUrl: string | undefined;
  readonly handlers: JobHandlers;
  readonly schedules?: Readonly<Record<string, string>>;
  readonly beside?: readonly Side[];
  readonly log: Logger;
}

/** The queue stays on the coordinator of a distributed database: its schema is not repeated on the workers. */
const onThisServerOnly = '-c citus.enable_ddl_propagation=off';

/** Opens the queue, so that jobs can be enqueued. No jobs run before `work`. */
export async function openJobs(
  database: Database,
  { directUrl, handlers, schedules = {}, beside = [], log }: Options,
): Promise<Jobs> {
  const startup = (await isDistributed(database.db)) ? { options: onThisServerOnly } : {};
  const bossWith = (settings: object): PgBoss => {
    const boss = database.pglite
      ? new PgBoss({ db: embeddedDb(database), backend: 'pglite', reindex: false, monitorVacuum: false, ...settings })
      : new PgBoss({ connectionString: directUrl!, ...startup, ...settings });
    return boss.on('error', (error) => log.error({ err: error }, 'job queue'));
  };
  const boss = bossWith({ max: 1, supervise: false, schedule: false });
  await boss.start();
  const queues = Object.keys(handlers);
  const known = (await boss.getQueues()).map(({ name }) => name);
  for (const queue of queues) if (!known.includes(queue)) await boss.createQueue(queue, queueOptions);
  await letTenantsEnqueue(database);
  // A command that runs inside a service opens a queue for a moment. The service keeps its own.
  const previous = current;
  current = boss;

  const run = async (queue: string, job: { id: string; data: unknown }): Promise<void> => {
    try {
      await handlers[queue]!(job.data as never, job.id);
    } catch (error) {
      log.error({ err: error, queue, job: job.id }, 'job failed and will be retried');
      throw error;
    }
  };

  // A second instance, because supervision and schedules take time to start and only a process that runs jobs needs them.
  const worker = bossWith({ max: 3, migrate: false, useListenNotify: true, ...supervision });
  const startWork = async (): Promise<void> => {
    for (const side of beside) side.run(log);
    await worker.start();
    for (const { name } of await worker.getSchedules()) if (!(name in schedules)) await worker.unschedule(name);
    for (const [queue, cron] of Object.entries(schedules)) await worker.schedule(queue, cron, {});
    for (const queue of queues) {
      await worker.work(queue, workOptions, async (batch) => {
        for (const job of batch) await run(queue, job);
      });
    }
  };
  let working: Promise<void> | undefined;

  return {
    work: () => (working ??= startWork()),
    async drain() {
      for (let idle = false; !idle;) {
        idle = true;
        for (const queue of queues) {
          for (const job of await boss.fetch(queue, { batchSize: 1 })) {
            idle = false;
            await run(queue, job);
            await boss.complete(queue, job.id);
          }
        }
      }
    },
    async stop() {
      await working?.catch(() => {});
      await Promise.all(beside.map((side) => side.stop()));
      await worker.stop({ graceful: true, timeout: 2_500 });
      if (current === boss) current = previous;
      await boss.stop({ graceful: false });
    },
    async depth() {
      const stats = await Promise.all(queues.map((queue) => boss.getQueueStats(queue)));
      return stats.flat().reduce((sum, { queuedCount }) => sum + queuedCount, 0);
    },
  };
}

/** Lets the tenants' role enqueue jobs. A lock keeps processes that start together from granting at the same time, which fails. */
async function letTenantsEnqueue({ db, pool }: Database): Promise<void> {
  const name = await tenantRoleOf(db);
  if (name === undefined) return;
  const tenantRole = pg.escapeIdentifier(name);
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(`select pg_advisory_xact_lock(hashtext('punchcard.grants'))`);
    await client.query(`grant usage on schema pgboss to ${tenantRole}`);
    await client.query(`grant select, insert, update on all tables in schema pgboss to ${tenantRole}`);
    await client.query(`grant execute on all functions in schema pgboss to ${tenantRole}`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

/** Runs the queue's own statements on the one connection of the embedded database. */
function embeddedDb({ pool, pglite }: Database): BossDb {
  const executeSql: BossDb['executeSql'] = async (text, values) => {
    const transaction = currentTransaction.getStore();
    if (transaction) return fromKysely(transaction).executeSql(text, values);
    const client = await pool.connect();
    try {
      const result: unknown = await client.query(text, values as unknown[]);
      return Array.isArray(result)
        ? { rows: result.flatMap((part: { rows?: unknown[] }) => part.rows ?? []) }
        : (result as { rows: unknown[] });
    } catch (error) {
      // Several statements that fail half-way leave a transaction open on the only connection.
      await client.query('rollback').catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  };
  const listen = async (channel: string, onNotification: (payload: string) => void, onReconnect: () => void) => {
    await pool.query(`listen ${pg.escapeIdentifier(channel)}`);
    const off = pglite!.onNotification((from, payload) => {
      if (from === channel) onNotification(payload);
    });
    onReconnect();
    return { close: async () => off() };
  };
  return { executeSql, listen } as BossDb;
}
