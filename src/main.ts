import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { createApp, jobHandlers, jobSchedules } from './app.ts';
import { banner } from './banner.ts';
import { readConfig } from './config.ts';
import { openDatabase, targetOf } from './db/connection.ts';
import { migrate } from './db/migrate.ts';
import { createDemo } from './demo/demo.ts';
import { buildDocs } from './docs/build.ts';
import { signedLinks, signingKey } from './files/links.ts';
import { openJobs } from './jobs/queue.ts';
import { openMailer } from './mail/mailer.ts';

/** Starts the server: everything it needs first, then it listens. */
async function start(): Promise<void> {
  const config = readConfig();
  const log = pino({ level: config.logLevel });
  // The reference is built while the database opens; both are there before anybody can ask.
  const docs = buildDocs();
  docs.catch(() => {});
  const database = await openDatabase(targetOf(config));
  log.info(`Opened ${database.place}.`);
  const migrated = await migrate(database.db);
  log.info(migrated.length > 0 ? `Migrated: ${migrated.join(', ')}.` : 'The schema is up to date.');

  const mailer = openMailer(config);
  const handlers = jobHandlers(database.db, mailer, config);
  const jobs = await openJobs(database, { directUrl: config.directDatabaseUrl, handlers, schedules: jobSchedules, log });
  log.info(`Mail goes to ${mailer.place}.`);
  if (config.workers) await jobs.work();
  else log.info('WORKERS=off: jobs wait for a process started with "npm run worker".');
  const isEmbedded = database.pglite !== undefined;
  if (config.demo && isEmbedded && (await createDemo(database.db, new Date()))) log.info('Made the demo organisation.');
  const links = signedLinks(await signingKey(database.db, config.secretKey));
  for (const page of await docs) log.info(`Published the reference: ${page}.`);

  let isStopping = false;
  const server = createServer(createApp({ config, database, links, log, queueDepth: jobs.depth, isStopping: () => isStopping }));
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(config.port, config.host, resolve));
  const { port } = server.address() as AddressInfo;
  process.stdout.write(banner({ host: config.host, port, place: database.place, hasDemo: config.demo && isEmbedded }));

  const stop = async (signal: string): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    log.info(`${signal}: finishing what is under way.`);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 8_000).unref();
    });
    await jobs.stop();
    mailer.close();
    await database.close();
    log.info('Stopped.');
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => void stop(signal).then(() => process.exit(0)));
}

start().catch((error: unknown) => {
  process.stderr.write(`\nPunchcard could not start. ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
