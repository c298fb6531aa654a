import type { Request, RequestHandler } from 'express';
import type pg from 'pg';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { withTimeout } from '../../core/with_timeout.ts';
import type { MatchedRequest } from '../definition.ts';

/** What an operator watches, in the format that Prometheus reads. */
export interface Metrics {
  /** Counts and times every request by its operation. */
  readonly count: RequestHandler;
  /** Serves the figures. */
  readonly show: RequestHandler;
}

export function createMetrics(pool: pg.Pool, queueDepth: () => Promise<number>): Metrics {
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
        this.set(await soon(read));
      },
    });
  gauge('punchcard_pool_connections', 'Connections to the database.', () => pool.totalCount);
  gauge('punchcard_pool_idle', 'Connections to the database that nobody uses.', () => pool.idleCount);
  gauge('punchcard_pool_waiting', 'Requests that wait for a connection to the database.', () => pool.waitingCount);
  gauge('punchcard_queue_depth', 'Jobs that wait.', queueDepth);

  const durationOf = remembered((operation) => durations.labels(operation));
  const requestsOf = remembered((operation) => remembered((status) => requests.labels(operation, status)));
  return {
    count: (req, res, next) => {
      const startedAt = performance.now();
      res.on('finish', () => {
        const operation = operationOf(req);
        durationOf(operation).observe((performance.now() - startedAt) / 1000);
        requestsOf(operation)(String(res.statusCode)).inc();
      });
      next();
    },
    async show(_req, res) {
      res.set('Content-Type', registry.contentType).send(await registry.metrics());
    },
  };
}

/** What belongs to a name, made when it is first asked for: operations and statuses are few. */
function remembered<T>(make: (name: string) => T): (name: string) => T {
  const made = new Map<string, T>();
  return (name) => {
    let value = made.get(name);
    if (value === undefined) made.set(name, (value = make(name)));
    return value;
  };
}

/** A figure that cannot be had now is none, so that the others can be seen just when the database is away. */
async function soon(read: () => number | Promise<number>): Promise<number> {
  try {
    return await withTimeout(read(), { timeoutMs: 1000, fallback: NaN });
  } catch {
    return NaN;
  }
}

/** Never the address itself: whoever invents addresses must not be able to invent figures. */
const operationOf = (req: Request): string => (req as MatchedRequest).openapi?.schema?.operationId ?? 'none';
