import { failed, openResources, readSettings, runProcess } from './process/process.ts';

/** Runs jobs and serves no requests. Any number of workers and servers may share a database. */
const config = readSettings();
runProcess(config, async (log) => {
  if (!config.databaseUrl) {
    throw new Error(
      'A separate worker needs a PostgreSQL server: set DATABASE_URL. With the embedded database, "npm start" runs the jobs itself.',
    );
  }
  const resources = await openResources(config, log);
  await resources.jobs.work();
  log.info('Waiting for jobs.');
  return () => resources.close();
}).catch(failed);
