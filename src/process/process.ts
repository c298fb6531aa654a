import { pino, type Logger } from 'pino';
import { jobHandlers, jobSchedules } from '../job_handlers.ts';
import type { Config } from '../config.ts';
import { openDatabase, targetOf, type Database } from '../db/connection.ts';
import { migrate, requireServerVersion } from '../db/migrate.ts';
import { adviceOn } from './failures.ts';
import { openJobs, type Jobs } from '../jobs/queue.ts';
import { bufferedOutput } from './log_output.ts';
import { openMailer } from '../mail/mailer.ts';

/** What every process of the service has open, be it a server or a worker. */
export interface Resources {
  readonly database: Database;
  readonly jobs: Jobs;
  close(): Promise<void>;
}

/** Opens the database, brings its schema up to date, and opens the job queue, in this order. */
export async function openResources(config: Config, log: Logger): Promise<Resources> {
  const database = await openDatabase(targetOf(config));
  await requireServerVersion(database.db);
  log.info(`Opened ${database.place}.`);
  const migrated = await migrateDirectly(database, config);
  log.info(migrated.length > 0 ? `Migrated: ${migrated.join(', ')}.` : 'The schema is up to date.');
  const mailer = openMailer(config);
  const jobs = await openJobs(database, {
    directUrl: config.directDatabaseUrl,
    handlers: jobHandlers(database.db, mailer, config),
    schedules: jobSchedules,
    log,
  });
  log.info(`Mail goes to ${mailer.place}.`);
  return {
    database,
    jobs,
    async close() {
      await jobs.stop();
      mailer.close();
      await database.close();
    },
  };
}

/** Migrates on a connection of its own where a pooler lies between: it may cut off what takes long. */
async function migrateDirectly(database: Database, { databaseUrl, directDatabaseUrl }: Config): Promise<string[]> {
  if (directDatabaseUrl === undefined || directDatabaseUrl === databaseUrl) return migrate(database.db);
  const direct = await openDatabase({ url: directDatabaseUrl, poolSize: 1 });
  try {
    return await migrate(direct.db);
  } finally {
    await direct.close();
  }
}

/** Writes to standard output, in order with the log. */
export type Print = (text: string) => void;

/** What is to be done when a process is told to end, and by what it was told. */
export type Stop = (cause: string) => Promise<void>;

/** Runs a process from its start to the signal that ends it. `start` returns what is to be done then. */
export async function runProcess(config: Config, start: (log: Logger, print: Print) => Promise<Stop>): Promise<void> {
  const output = bufferedOutput(1);
  const log = pino({ level: config.logLevel }, output);
  let stop: Stop | undefined = undefined;
  let isStopping = false;
  const end = async (cause: string): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    // During the start nothing is under way that would have to be finished.
    if (!stop) process.exit(0);
    log.info(`${cause}: finishing what is under way.`);
    const patience = config.shutdownDelaySeconds * 1000 + 7_900;
    setTimeout(() => failed(new Error('What is under way does not come to an end.')), patience).unref();
    await stop(cause);
    log.info('Stopped.');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void end(signal).catch(failed));
  if (config.isRunByNpm) onParentGone(() => void end('npm has gone').catch(failed));
  stop = await start(log, (text) => void output.write(text));
}

/** Where a signal ends the parent without reaching this process, a new parent is the only sign of it. */
function onParentGone(act: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, 500);
  timer.unref();
}

/** Says why a process cannot go on, and what to do about it, and ends it. */
export function failed(error: unknown): never {
  process.stderr.write(`\nPunchcard could not go on. ${adviceOn(error)}\n`);
  process.exit(1);
}
