import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Express } from 'express';
import { pino } from 'pino';
import { createApp, type Parts } from '../../src/programs/app.ts';
import { readConfig, type Config } from '../../src/platform/config.ts';
import { signedLinks } from '../../src/platform/files/links.ts';
import { httpServer } from '../../src/platform/http/server/server.ts';
import { jobHandlers } from '../../src/programs/job_handlers.ts';
import { openJobs, type Jobs } from '../../src/platform/jobs/queue.ts';
import type { Mail } from '../../src/platform/notifications/mailer.ts';
import type { Database } from '../../src/platform/db/connection.ts';
import type { Readers } from '../../src/platform/db/readers/readers.ts';
import { openWorkers } from '../../src/platform/db/readers/workers.ts';
import { isDistributed } from './database/distribution.ts';
import { serverUrl } from './database/server_databases.ts';
import { openTestDatabase } from './database/test_database.ts';
import { watched, watchedReaders } from './routing/watched_database.ts';

/** The real app on a real database, one per worker. */
export interface Service {
  readonly url: string;
  readonly database: Database;
  /** The same, as the app and the jobs use it. */
  readonly watchedDatabase: Database;
  /** The servers that answer reads. */
  readonly readers: Readers;
  /** The address of the database for the queue, if it is a server. */
  readonly directUrl: string | undefined;
  readonly jobs: Jobs;
  readonly config: Config;
  /** The mails that the job workers sent so far. */
  readonly mails: Mail[];
}

let running: Promise<Service> | undefined;

export const service = (): Promise<Service> => (running ??= start());

/** All tests share one network address and its count of refused addresses, so only the tests of that limit set one. */
const environment = {
  GIT_COMMIT: 'test',
  RLS: serverUrl ? 'full' : 'writes',
  APP_URL: 'https://app.example.com',
  ADDRESS_REFUSALS_PER_HOUR: '0',
  // Clocks of some tests are years ahead. The tests of sessions have servers of their own.
  SESSION_IDLE_DAYS: '0',
  // As on a server that strangers reach. The tests of webhooks have servers of their own.
  WEBHOOK_ALLOW_PRIVATE: 'off',
};

async function start(): Promise<Service> {
  const { database, directUrl } = await openTestDatabase();
  const watchedDatabase = await watched(database);
  const readers = isDistributed
    ? openWorkers(database.db, { url: directUrl!, poolSize: 2, perAccount: 0, statementTimeoutMs: 0 })
    : await watchedReaders(watchedDatabase);
  const config = readConfig({ ...environment, DATA_DIR: mkdtempSync(path.join(os.tmpdir(), 'punchcard-')) });
  const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' });
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), place: 'a list', close: () => {} };
  const jobs = await openJobs(database, { directUrl, handlers: jobHandlers(watchedDatabase.db, mailer, config), log });
  const url = await listen(
    createApp({ config, database: watchedDatabase, readers, links: signedLinks('test key'), log }),
  );
  return { url, database, watchedDatabase, readers, directUrl, jobs, config, mails };
}

const others = new Map<string, Promise<string>>();

/** Another app on the same database, with other settings or parts. One with a database of its own has no readers. */
export async function serviceWith(settings: Readonly<Record<string, string>>, parts?: Partial<Parts>): Promise<string> {
  const { watchedDatabase: database, readers } = await service();
  const config = readConfig({ ...environment, ...settings });
  const open = () =>
    listen(
      createApp({
        config,
        database,
        readers: parts?.database ? undefined : readers,
        links: signedLinks('test key'),
        log: pino({ level: 'silent' }),
        ...parts,
      }),
    );
  if (parts) return open();
  const key = JSON.stringify(settings);
  if (!others.has(key)) others.set(key, open());
  return others.get(key)!;
}

async function listen(app: Express): Promise<string> {
  return `http://127.0.0.1:${await httpServer(app, environment.GIT_COMMIT).listen(0, '127.0.0.1')}`;
}
