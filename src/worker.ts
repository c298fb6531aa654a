import { readConfig } from './config.ts';
import { failed, openResources, runProcess } from './process/process.ts';

/** Takes jobs and serves no requests. Any number of workers may share a database with any number of servers. */
const config = readConfig();
runProcess(config, async (log) => {
  if (!config.databaseUrl) {
    throw new Error(
      'A separate worker needs a PostgreSQL server: set DATABASE_URL. On the embedded database "npm start" does the jobs itself.',
    );
  }
  const resources = await openResources(config, log);
  await resources.jobs.work();
  log.info('Waiting for jobs.');
  return () => resources.close();
}).catch(failed);
