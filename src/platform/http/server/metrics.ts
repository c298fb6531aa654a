import type { RequestHandler, Response } from 'express';
import type pg from 'pg';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { remember } from '../../core/remember.ts';
import { withTimeout } from '../../core/async/with_timeout.ts';
import type { Readers } from '../../db/readers/readers.ts';

/** Figures for operators, in the format of Prometheus. */
export interface Metrics {
  /** Counts and times every request, by operation. */
  readonly count: RequestHandler;
  /** Sends the figures. */
  readonly show: RequestHandler;
}

interface Sources {
  readonly pool: pg.Pool;
  /** How many requests wait for a connection before they ask the pool. */
  readonly waitingCount: () => number;
  /** The servers that answer reads. */
  readonly readers?: Pick<Readers, 'kind' | 'counts'> | undefined;
  readonly queueDepth: () => Promise<number>;
  /** How many seconds the change feed lags behind. */
  readonly feedLagSeconds: () => Promise<number>;
  readonly webhooks: {
    readonly waitingDeliveries: () => Promise<number>;
    readonly retryingDeliveries: () => Promise<number>;
    readonly failingWebhooks: () => Promise<number>;
  };
  readonly hasRowLevelSecurity: boolean;
}

const readerMetrics = {
  standby: {
    answered: { name: 'punchcard_replica_reads_total', help: 'Reads that found the standby up to date.' },
    passed: {
      name: 'punchcard_replica_reads_behind_total',
      help: 'Reads for which the standby was behind or resting.',
    },
  },
  workers: {
    answered: { name: 'punchcard_worker_requests_total', help: 'Requests that went to the worker of their account.' },
    passed: {
      name: 'punchcard_worker_requests_passed_total',
      help: 'Requests that went through the coordinator, because the worker of their account could not be reached.',
    },
  },
} satisfies Record<Readers['kind'], unknown>;

export function createMetrics({
  pool,
  waitingCount,
  readers,
  queueDepth,
  feedLagSeconds,
  webhooks,
  hasRowLevelSecurity,
}: Sources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const labelNames = ['operation', 'status'];
  const registers = [registry];
  const requests = new Counter({
    name: 'punchcard_requests_total',
    help: 'Requests, by operation and status.',
    labelNames,
    registers,
  });
  const durations = new Histogram({
    name: 'punchcard_request_duration_seconds',
    help: 'How long requests took, by operation.',
    labelNames: ['operation'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers,
  });
  const gauge = (name: string, help: string, read: () => number | Promise<number>): Gauge =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await readInTime(read));
      },
    });
  const counter = (name: string, help: string, read: () => number): Counter =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  gauge('punchcard_pool_connections', 'Connections to the database.', () => pool.totalCount);
  gauge('punchcard_pool_idle', 'Idle connections to the database.', () => pool.idleCount);
  gauge(
    'punchcard_pool_waiting',
    'Requests that wait for a connection to the database.',
    () => pool.waitingCount + waitingCount(),
  );
  if (readers) {
    const { answered, passed } = readerMetrics[readers.kind];
    counter(answered.name, answered.help, () => readers.counts.answered);
    counter(passed.name, passed.help, () => readers.counts.passed);
  }
  gauge('punchcard_queue_depth', 'Jobs that wait.', queueDepth);
  gauge(
    'punchcard_change_feed_lag_seconds',
    'For how long the oldest transaction that has written is open. The change feed lags behind so far.',
    feedLagSeconds,
  );
  gauge(
    'punchcard_webhook_deliveries_waiting',
    'Deliveries to webhooks that wait for their first attempt, or for another one.',
    webhooks.waitingDeliveries,
  );
  gauge(
    'punchcard_webhook_deliveries_retrying',
    'Deliveries to webhooks that have failed and wait for another attempt.',
    webhooks.retryingDeliveries,
  );
  gauge(
    'punchcard_webhooks_failing',
    'Webhooks at which nothing has arrived since the last failure, also those that were switched off for it.',
    webhooks.failingWebhooks,
  );
  gauge('punchcard_row_level_security', '1 if row-level security is in effect, 0 if it is off.', () =>
    hasRowLevelSecurity ? 1 : 0,
  );

  const durationOf = remember({ limit: 1_000 }, (operation: string) => durations.labels(operation));
  const requestsOf = remember(
    { limit: 10_000, keyOf: (operation, status) => `${operation} ${status}` },
    (operation: string, status: string) => requests.labels(operation, status),
  );
  return {
    count: (_req, res, next) => {
      const startedAt = performance.now();
      res.on('finish', () => {
        const operation = operationOf(res);
        durationOf(operation).observe((performance.now() - startedAt) / 1000);
        requestsOf(operation, String(res.statusCode)).inc();
      });
      next();
    },
    async show(_req, res) {
      res.set('Content-Type', registry.contentType).send(await registry.metrics());
    },
  };
}

/** NaN for a figure that takes too long, so that the others can be read while the database is unreachable. */
async function readInTime(read: () => number | Promise<number>): Promise<number> {
  try {
    return await withTimeout(read(), { timeoutMs: 1000, fallback: NaN });
  } catch {
    return NaN;
  }
}

/** Never the address itself: clients that request invented addresses must not create figures. */
const operationOf = (res: Response): string => (res.locals['operationId'] as string | undefined) ?? 'none';
