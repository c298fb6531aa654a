import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import type { Config } from '../platform/config.ts';
import { hasDemoKey } from './demo/credentials.ts';
import { createDemo } from './demo/demo.ts';
import { signedLinks, signingKey } from '../platform/files/links.ts';
import { httpServer } from '../platform/http/server/server.ts';
import { banner, starting } from './process/banner.ts';
import { requireFreePort } from './process/free_port.ts';
import {
  failed,
  openForRequests,
  openReaders,
  openResources,
  readSettings,
  runProcess,
  type Print,
  type Stop,
} from './process/process.ts';

const warmUpDelayMs = 500;

/** Starts the server. It listens once everything it needs is open. */
async function start(config: Config, log: Logger, print: Print): Promise<Stop> {
  print(starting(config));
  await requireFreePort(config.port, config.host);
  const resources = await openResources(config, log);
  const { database, jobs, hasRowLevelSecurity } = resources;
  const requests = await openForRequests(database, config);
  const readers = await openReaders(requests, config, log);
  if (!config.workers) log.info('WORKERS=off: jobs wait for a process that was started with "npm run worker".');
  const wantsDemo = config.demo && database.pglite !== undefined;
  if (wantsDemo && (await createDemo(database.db, new Date(), () => log.info('Creating the demo organisation.'))))
    log.info('Created the demo organisation.');
  const hasDemo = wantsDemo && (await hasDemoKey(database.db));
  const links = signedLinks(await signingKey(database.db, config.secretKey));

  let phase: 'ready' | 'draining' | 'stopping' = 'ready';
  const app = createApp({
    config,
    database: requests,
    readers,
    links,
    log,
    queueDepth: jobs.depth,
    hasRowLevelSecurity,
    isReady: () => phase === 'ready',
    isStopping: () => phase === 'stopping',
  });
  const server = httpServer(app, config.gitCommit);
  const port = await server.listen(config.port, config.host);
  print(banner({ host: config.host, port, place: requests.place, hasDemo, hasRowLevelSecurity }));
  void database.pglite?.crashed.then(async (error) => {
    // Those who wait for an answer get their 503 first.
    phase = 'stopping';
    log.fatal(error.message);
    await server.close(1_000);
    failed(error);
  });
  if (config.workers) jobs.work().catch(failed);
  // A process that has just started is first asked whether it is ready.
  const warmUp = setTimeout(
    () => app.warmUp().catch((error: unknown) => log.error({ err: error }, 'could not compile the contract')),
    warmUpDelayMs,
  );

  return async (cause) => {
    clearTimeout(warmUp);
    phase = 'draining';
    server.drain();
    // A load balancer learns from /health/ready that this process stops. Its requests are served until then.
    if (cause !== 'SIGINT') await pause(config.shutdownDelaySeconds * 1000);
    phase = 'stopping';
    await server.close(5_000);
    await readers?.close();
    if (requests !== database) await requests.close();
    await resources.close();
  };
}

const config = readSettings();
runProcess(config, (log, print) => start(config, log, print)).catch(failed);
