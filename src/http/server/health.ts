import { Router } from 'express';
import { sql } from 'kysely';
import type { Db } from '../../db/connection.ts';

/** For whoever runs the process: is it alive, and should it be sent requests? */
export function healthRouter(db: Db, isOpen: () => boolean): Router {
  const router = Router();
  router.get('/live', (_req, res) => void res.json({ status: 'live' }));
  router.get('/ready', async (_req, res) => {
    const isReady = isOpen() && (await answers(db));
    res.status(isReady ? 200 : 503).json({ status: isReady ? 'ready' : 'not ready' });
  });
  return router;
}

const answers = (db: Db): Promise<boolean> =>
  sql`select 1`.execute(db).then(
    () => true,
    () => false,
  );
