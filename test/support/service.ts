import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { createApp, jobHandlers } from '../../src/app.ts';
import { readConfig, type Config } from '../../src/config.ts';
import { signedLinks } from '../../src/files/links.ts';
import { openJobs, type Jobs } from '../../src/jobs/queue.ts';
import type { Mail } from '../../src/mail/mailer.ts';
import type { Database } from '../../src/db/connection.ts';
import { openTestDatabase, serverUrl } from './database.ts';

/** The real app on a real database, one per worker. */
export interface Service {
  readonly url: string;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly config: Config;
  /** What the job workers have sent so far. */
  readonly mails: Mail[];
}

let running: Promise<Service> | undefined;

export const service = (): Promise<Service> => (running ??= start());

async function start(): Promise<Service> {
  const { database, directUrl } = await openTestDatabase();
  const config = readConfig({
    DATA_DIR: mkdtempSync(path.join(os.tmpdir(), 'punchcard-')),
    GIT_COMMIT: 'test',
    RLS: serverUrl ? 'full' : 'writes',
    APP_URL: 'https://app.example.com',
  });
  const log = pino({ level: process.env['TEST_LOG'] ?? 'silent' });
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), place: 'a list', close: () => {} };
  const jobs = await openJobs(database, { directUrl, handlers: jobHandlers(database.db, mailer, config), log, quiet: true });
  const server = createServer(createApp({ config, database, links: signedLinks('test key'), log }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, database, jobs, config, mails };
}
