import { Router } from 'express';
import { sql } from 'kysely';
import type { Db } from '../../db/connection.ts';

/** Tells a load balancer whether the process is alive, and whether it should get requests. */
export function healthRouter(db: Db, isAccepting: () => boolean): Router {
  const router = Router();
  router.get('/live', (_req, res) => void res.json({ status: 'live' }));
  router.get('/ready', async (_req, res) => {
    const isReady = isAccepting() && (await isReachable(db));
    res.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not ready' });
  });
  return router;
}

const isReachable = (db: Db): Promise<boolean> =>
  sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
