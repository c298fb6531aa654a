import { Router } from 'express';
import type pg from 'pg';
import { withTimeout } from '../../core/async/with_timeout.ts';

/** Tells a load balancer whether the process is alive, and whether it should get requests. Proxies may block the exact addresses. */
export function healthRouter(pool: pg.Pool, isAccepting: () => boolean): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/health/live', (_req, res) => void res.json({ status: 'live' }));
  router.get('/health/ready', async (_req, res) => {
    const isReady = isAccepting() && (await takesWrites(pool));
    res.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not ready' });
  });
  return router;
}

/** Probes commonly wait for two seconds or longer. */
const mostMs = 1_500;

/** A database that is read-only, such as one that has lost a failover, can serve hardly anything. */
async function takesWrites(pool: pg.Pool): Promise<boolean> {
  // On a timeout the pool closes the connection, so that a database that never answers does not take all of them.
  const question = { text: 'show transaction_read_only', query_timeout: mostMs };
  const isWritable = pool
    .query<{ transaction_read_only: string }>(question)
    .then(({ rows }) => rows[0]!.transaction_read_only === 'off')
    .catch(() => false);
  // Waiting for a connection takes time as well.
  return withTimeout(isWritable, { timeoutMs: mostMs, fallback: false });
}
