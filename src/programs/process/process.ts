import { pino, type Logger } from 'pino';
import { jobHandlers, jobSchedules, workBeside } from '../job_handlers.ts';
import { readConfig, type Config } from '../../platform/config.ts';
import { openDatabase, databaseTargetOf, type Database, type Db } from '../../platform/db/connection.ts';
import { migrate, requireServerVersion } from '../../platform/db/migrate.ts';
import { isDistributed } from '../../platform/db/distribution/citus.ts';
import type { Readers } from '../../platform/db/readers/readers.ts';
import { openStandby } from '../../platform/db/readers/standby.ts';
import { openWorkers } from '../../platform/db/readers/workers.ts';
import { prepareTenantRole, tenantRoleAdvice } from '../../platform/db/tenant_role.ts';
import { rowLevelSecurityWorks } from '../../platform/db/transactions.ts';
import { requireNoDemoCredentials } from '../demo/credentials.ts';
import { setFileQuota } from '../../platform/files/quota.ts';
import type { ObjectStore } from '../../platform/files/storage/s3_store.ts';
import { openObjectStore } from '../../platform/files/storage/stores.ts';
import { openJobs, type Jobs } from '../../platform/jobs/queue.ts';
import { openMailer } from '../../platform/notifications/mailer.ts';
import { requireCurrentBuild } from './current_build.ts';
import { adviceOn } from './failures.ts';
import { bufferedOutput, type BufferedOutput } from './log_output.ts';
import { plainLine } from './plain_lines.ts';
import { warnAboutRoot } from './root_user.ts';

/** The connections that a server and a worker have open. */
export interface Resources {
  /** The database as migrations and jobs use it, whose statements may take as long as they need. */
  readonly database: Database;
  readonly jobs: Jobs;
  /** Whether row-level security separates the accounts, in addition to the filters of each query. */
  readonly hasRowLevelSecurity: boolean;
  close(): Promise<void>;
}

/** Every queue runs one job at a time, which takes at most one connection. */
const jobPoolSize = 5;

/** Opens the database, migrates its schema, and opens the job queue, in this order. */
export async function openResources(config: Config, log: Logger): Promise<Resources> {
  warnAboutRoot(config, log);
  log.info(config.databaseUrl ? 'Opening the database.' : `Opening the embedded database in ${config.dataDir}.`);
  const database = await openDatabase({ ...directTarget(config), poolSize: Math.min(config.poolSize, jobPoolSize) });
  await requireServerVersion(database.db);
  log.info(`Opened ${database.place}.`);
  const migrated = await migrateAndGrant(database.db);
  log.info(migrated.length > 0 ? `Migrated: ${migrated.join(', ')}.` : 'The schema is up to date.');
  const hasRowLevelSecurity = await checkRowLevelSecurity(database, config, log);
  if (config.isExposed && !config.demo) await requireNoDemoCredentials(database.db);
  setFileQuota(config.fileQuotaMebibytesPerAccount * 2 ** 20);
  const objects = await openObjectStore(database.db, config);
  await checkObjectStore(objects, log);
  const mailer = openMailer(config);
  const jobs = await openJobs(database, {
    directUrl: config.directDatabaseUrl,
    handlers: jobHandlers(database.db, mailer, config),
    schedules: jobSchedules,
    beside: workBeside(database.db, config),
    log,
  });
  log.info(`Mail goes to ${mailer.place}.`);
  return {
    database,
    jobs,
    hasRowLevelSecurity,
    async close() {
      await jobs.stop();
      mailer.close();
      objects?.close();
      await database.close();
    },
  };
}

/** The database without a pooler in between, which may end long statements. */
function directTarget(config: Config): ReturnType<typeof databaseTargetOf> {
  const { databaseUrl, directDatabaseUrl } = config;
  const isDirect = directDatabaseUrl !== databaseUrl;
  return databaseTargetOf({
    ...config,
    databaseUrl: directDatabaseUrl,
    preparedStatements: config.preparedStatements || isDirect,
  });
}

/**
 * Opens the connections of requests, apart from those of jobs: neither waits for the other, and statements of requests have a
 * timeout. The embedded database has one connection for everything.
 */
export const openForRequests = async (database: Database, config: Config): Promise<Database> =>
  database.pglite
    ? database
    : openDatabase({ ...databaseTargetOf(config), statementTimeoutMs: config.statementTimeoutMs });

/** Opens the servers that answer requests beside the one in DATABASE_URL, if there are any. */
export async function openReaders(primary: Database, config: Config, log: Logger): Promise<Readers | undefined> {
  const readers = await readersOf(primary, config);
  if (readers) log.info(`Requests are answered by ${readers.place}.`);
  return readers;
}

async function readersOf(primary: Database, config: Config): Promise<Readers | undefined> {
  const { databaseUrl, readDatabaseUrl, poolSize, poolPerAccount: perAccount, statementTimeoutMs } = config;
  const isPooled = !config.preparedStatements;
  const common = { poolSize, perAccount, statementTimeoutMs };
  if (readDatabaseUrl !== undefined) {
    if (primary.pglite) throw new Error('DATABASE_READ_URL needs a PostgreSQL server in DATABASE_URL.');
    return openStandby(primary.db, { ...common, url: readDatabaseUrl, isPooled, waitMs: config.readWaitMs });
  }
  // Behind a pooler, the number of connections to the servers is limited, and each worker would get more of them.
  if (databaseUrl === undefined || isPooled) return undefined;
  return (await isDistributed(primary.db)) ? openWorkers(primary.db, { ...common, url: databaseUrl }) : undefined;
}

async function migrateAndGrant(db: Db): Promise<string[]> {
  const migrated = await migrate(db);
  await prepareTenantRole(db);
  return migrated;
}

/** Refuses RLS=full where row-level security cannot work, and warns where it should work for writes. */
async function checkRowLevelSecurity({ db }: Database, { rowLevelSecurity }: Config, log: Logger): Promise<boolean> {
  if (await rowLevelSecurityWorks(db)) return true;
  const problem = `Row-level security is off: the database user cannot take on a role for it. ${await tenantRoleAdvice(db)}`;
  if (rowLevelSecurity === 'full') throw new Error(`RLS=full is impossible. ${problem}`);
  log.warn(problem);
  return false;
}

/** Refuses a store that refuses us. One that cannot be reached may be back soon, and everything but files works without it. */
async function checkObjectStore(store: ObjectStore | undefined, log: Logger): Promise<void> {
  const problem = await store?.problem();
  if (problem?.isPermanent) throw new Error(problem.advice);
  if (problem) log.error(`${problem.advice} Files cannot be stored or read until then; everything else works.`);
  else if (store) log.info(`Files are in ${store.place}.`);
}

/** Writes to standard output, in order with the log. */
export type Print = (text: string) => void;

/** Stops a process. `cause` is the signal, or another reason in words. */
export type Stop = (cause: string) => Promise<void>;

/** Runs a process until a signal stops it. `start` returns the function that stops it. */
export async function runProcess(config: Config, start: (log: Logger, print: Print) => Promise<Stop>): Promise<void> {
  const output = bufferedOutput(1);
  let isStarted = false;
  // The steps of a start can block the process for seconds, so its lines are written at once.
  const write = (line: string): void => {
    output.write(line);
    if (!isStarted) output.flushSync();
  };
  // Programs that collect logs read JSON, people at a terminal do not.
  const isForPeople = process.stdout.isTTY && !config.isProduction;
  const destination: BufferedOutput = {
    write: isForPeople ? (line) => write(plainLine(line)) : write,
    flushSync: () => output.flushSync(),
  };
  const log = pino({ level: config.logLevel }, destination);
  let stop: Stop | undefined = undefined;
  let isStopping = false;
  const end = async (cause: string): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    // During the start there are no requests and jobs to finish.
    if (!stop) process.exit(0);
    log.info(`${cause}: finishing open requests and jobs.`);
    const timeoutMs = config.shutdownDelaySeconds * 1000 + 7_900;
    setTimeout(() => failed(new Error('Open requests and jobs did not finish in time.')), timeoutMs).unref();
    await stop(cause);
    log.info('Stopped.');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => void end(signal).catch(failed));
  if (config.isRunByNpm) onParentExit(() => void end('npm has exited').catch(failed));
  stop = await start(log, write);
  isStarted = true;
}

/** Calls back when the parent process has exited. A signal to the parent may not reach this process; its new parent id shows it. */
function onParentExit(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, 500);
  timer.unref();
}

/** Reads the settings. An outdated build or a wrong setting ends the process in one line, which says what to do. */
export function readSettings(): Config {
  try {
    requireCurrentBuild();
    return readConfig();
  } catch (error) {
    return failed(error);
  }
}

/** Prints why the process cannot continue and what to do about it, and exits. */
export function failed(error: unknown): never {
  process.stderr.write(`\nPunchcard cannot continue. ${adviceOn(error)}\n`);
  process.exit(1);
}
