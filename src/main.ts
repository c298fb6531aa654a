import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { banner } from './banner.ts';
import { readConfig, type Config } from './config.ts';
import { createDemo } from './demo/demo.ts';
import { buildDocs } from './docs/build.ts';
import { signedLinks, signingKey } from './files/links.ts';
import { failed, openResources, runProcess, type Print } from './process.ts';

/** Starts the server: everything it needs first, then it listens. */
async function start(config: Config, log: Logger, print: Print): Promise<() => Promise<void>> {
  // The reference is built while the database opens; both are there before anybody can ask.
  const docs = buildDocs();
  docs.catch(() => {});
  const resources = await openResources(config, log);
  const { database, jobs } = resources;
  if (config.workers) await jobs.work();
  else log.info('WORKERS=off: jobs wait for a process started with "npm run worker".');
  const hasDemo = config.demo && database.pglite !== undefined;
  if (hasDemo && (await createDemo(database.db, new Date()))) log.info('Made the demo organisation.');
  const links = signedLinks(await signingKey(database.db, config.secretKey));
  for (const page of await docs) log.info(`Published the reference: ${page}.`);

  let isStopping = false;
  const app = createApp({ config, database, links, log, queueDepth: jobs.depth, isStopping: () => isStopping });
  const server = createServer(app);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(config.port, config.host, resolve));
  const { port } = server.address() as AddressInfo;
  print(banner({ host: config.host, port, place: database.place, hasDemo }));
  app.warmUp().catch((error: unknown) => log.error({ err: error }, 'the contract could not be compiled'));

  return async () => {
    isStopping = true;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
      setTimeout(() => server.closeAllConnections(), 8_000).unref();
    });
    await resources.close();
  };
}

const config = readConfig();
runProcess(config, (log, print) => start(config, log, print)).catch(failed);
