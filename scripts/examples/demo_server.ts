import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { pino } from 'pino';
import { createApp } from '../../src/programs/app.ts';
import { readConfig } from '../../src/platform/config.ts';
import { openDatabase } from '../../src/platform/db/connection.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { createDemo } from '../../src/programs/demo/demo.ts';
import { signedLinks } from '../../src/platform/files/links.ts';
import { deliveryOf, jobHandlers } from '../../src/programs/job_handlers.ts';
import { openJobs } from '../../src/platform/jobs/queue.ts';
import type { Mail } from '../../src/platform/notifications/mailer.ts';

/** A server on a fresh demo organisation, with a clock of its own. */
export interface DemoServer {
  readonly url: string;
  /** Runs the queued jobs, such as batches and mails. */
  drain(): Promise<void>;
  /** Delivers what has happened to webhooks on this machine. The names of others have no address here. */
  deliver(): Promise<void>;
  /** How many events there are. */
  eventCount(): Promise<number>;
  /** The names of the events after that many, each once. */
  eventsAfter(count: number): Promise<string[]>;
  /** The mails sent so far. */
  readonly mails: readonly Mail[];
  /** Starts a second server on the same data and returns its address. */
  startVariant(variant: { settings?: Readonly<Record<string, string>>; isStopping?: boolean }): Promise<string>;
  readonly pool: pg.Pool;
  /** A folder that is removed with the server. */
  readonly folder: string;
  close(): Promise<void>;
}

/** The key that signs links and cursors. */
export const exampleKey = 'an example';

/** The first request of the examples: on a Monday, with three months of the same year behind it. */
const firstRequest = new Date('2026-05-04T09:30:00Z');

/** How much older the organisation is than the first request. */
const ageMs = 2.5 * 3600 * 1000;

const settings = {
  GIT_COMMIT: '2f1a9c47d0b3',
  PUBLIC_URL: 'https://time.example.com',
  APP_URL: 'https://app.example.com',
};

export async function openDemoServer(clock = () => firstRequest): Promise<DemoServer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-examples-'));
  const database = await openDatabase({ memory: true });
  await migrate(database.db);
  await setDatabaseClock(database.pool, clock());
  const log = pino({ level: 'error' }, pino.destination(2));
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), place: 'a list', close: () => {} };
  const configWith = (others: Readonly<Record<string, string>>) =>
    readConfig({ ...settings, ...others, DATA_DIR: folder });
  const jobs = await openJobs(database, {
    directUrl: undefined,
    handlers: jobHandlers(database.db, mailer, configWith({}), clock),
    log,
  });
  const policy = { allowsPrivate: true, resolve: async () => [] };
  const delivery = deliveryOf(database.db, configWith({}), { clock, policyFor: () => policy });
  await createDemo(database.db, new Date(clock().getTime() - ageMs));
  await jobs.drain();
  const servers: Server[] = [];

  const startVariant: DemoServer['startVariant'] = async ({ settings: others = {}, isStopping = false }) => {
    const parts = { config: configWith(others), database, links: signedLinks(exampleKey, clock), log, clock };
    // A stopping server logs every refusal as an error, which would only clutter the output.
    const server = createServer(
      createApp({ ...parts, ...(isStopping ? { isStopping: () => true, log: pino({ level: 'silent' }) } : {}) }),
    );
    // A scenario may pause between two requests for longer than the default keep-alive.
    server.keepAliveTimeout = 60_000;
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  return {
    url: await startVariant({}),
    drain: () => jobs.drain(),
    deliver: () => delivery.deliverDue(),
    eventCount: async () => Number((await database.pool.query('select count(*) from events')).rows[0].count),
    async eventsAfter(count) {
      const { rows } = await database.pool.query<{ name: string }>('select name from events order by id offset $1', [
        count,
      ]);
      return [...new Set(rows.map(({ name }) => name))].sort();
    },
    mails,
    startVariant,
    pool: database.pool,
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

/** Moves now() of the database to the given time, because the examples must not depend on the day they are written. */
async function setDatabaseClock(pool: pg.Pool, start: Date): Promise<void> {
  const offsetMs = start.getTime() - Date.now();
  await pool.query(
    `create function public.now() returns timestamptz stable language sql as $$ select pg_catalog.now() + interval '${offsetMs} ms' $$`,
  );
  await pool.query('set search_path = public, pg_catalog');
}
