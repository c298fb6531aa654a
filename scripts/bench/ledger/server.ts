/**
 * This service, with two more addresses: one empties the month cache, and one runs the job that fills it. The embedded database
 * belongs to one process, so that nobody else can do either.
 */
import express, { type Express } from 'express';
import { sql } from 'kysely';
import { pino } from 'pino';
import { fillMonthCache } from '../../../src/days/balance/month_cache_job.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { signedLinks, signingKey } from '../../../src/platform/files/links.ts';
import { httpServer } from '../../../src/platform/http/server/server.ts';
import { createApp } from '../../../src/programs/app.ts';
import { openForRequests, openResources } from '../../../src/programs/process/process.ts';
import { today } from './histories.ts';

async function start(): Promise<void> {
  const config = readConfig();
  const log = pino({ level: 'error' });
  const resources = await openResources(config, log);
  const { database, hasRowLevelSecurity } = resources;
  const requests = await openForRequests(database, config);
  const links = signedLinks(await signingKey(database.db, config.secretKey));
  const app = createApp({ config, database: requests, links, log, hasRowLevelSecurity });
  await app.warmUp();
  const withJob: Express = express()
    .post('/month_cache/empty', async (_req, res) => {
      await sql`delete from month_cache`.execute(database.db);
      res.end();
    })
    .post('/month_cache/fill', async (_req, res) => {
      await fillMonthCache(database.db, today);
      res.end();
    })
    .use(app);
  const server = httpServer(withJob, config.gitCommit);
  await server.listen(config.port, config.host);
  process.once('SIGTERM', () => {
    void (async () => {
      await server.close(1_000);
      if (requests !== database) await requests.close();
      await resources.close();
      process.exit();
    })();
  });
}

void start();
