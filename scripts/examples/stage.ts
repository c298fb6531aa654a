import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/db/connection.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createDemo } from '../../src/demo/demo.ts';
import { signedLinks } from '../../src/files/links.ts';
import { jobHandlers } from '../../src/job_handlers.ts';
import { openJobs } from '../../src/jobs/queue.ts';
import type { Mail } from '../../src/mail/mailer.ts';

/** The server on a fresh demo organisation, at a time that stands still. */
export interface Stage {
  readonly url: string;
  /** Does the jobs that wait, such as batches and mails. */
  drain(): Promise<void>;
  /** What was mailed so far. */
  readonly mails: readonly Mail[];
  /** The same server with other settings, or one that is just stopping. */
  variant(settings: Readonly<Record<string, string>>, isStopping?: boolean): Promise<string>;
  /** A folder that lives as long as the stage. */
  readonly folder: string;
  close(): Promise<void>;
}

/** A Monday, with three months of the same year behind it. The organisation is a little older than what happens on the stage. */
const founded = new Date('2026-05-04T07:00:00Z');
const now = new Date('2026-05-04T09:30:00Z');

const settings = {
  GIT_COMMIT: '2f1a9c47d0b3',
  PUBLIC_URL: 'https://time.example.com',
  APP_URL: 'https://app.example.com',
};

export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-examples-'));
  const database = await openDatabase({ memory: true });
  await migrate(database.db);
  const log = pino({ level: 'error' }, pino.destination(2));
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), place: 'a list', close: () => {} };
  const clock = (): Date => now;
  const configWith = (others: Readonly<Record<string, string>>) =>
    readConfig({ ...settings, ...others, DATA_DIR: folder });
  const jobs = await openJobs(database, {
    directUrl: undefined,
    handlers: jobHandlers(database.db, mailer, configWith({}), clock),
    log,
  });
  await createDemo(database.db, founded);
  await jobs.drain();
  const servers: Server[] = [];

  const variant = async (others: Readonly<Record<string, string>>, isStopping = false): Promise<string> => {
    const parts = { config: configWith(others), database, links: signedLinks('an example', clock), log, clock };
    // That a stopping server refuses to work is no error that anybody has to see.
    const server = createServer(
      createApp({ ...parts, ...(isStopping ? { isStopping: () => true, log: pino({ level: 'silent' }) } : {}) }),
    );
    // On a busy machine a connection may rest for a while between two requests.
    server.keepAliveTimeout = 60_000;
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  return {
    url: await variant({}),
    drain: () => jobs.drain(),
    mails,
    variant,
    folder,
    async close() {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
      await jobs.stop();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
