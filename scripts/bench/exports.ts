/**
 * Measures exports of 100,000 time trackings: the time, compared with `COPY … TO` of the same query on the same server, and how
 * much the process grows. Run with: npx tsx scripts/bench/exports.ts
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { createAccountFor } from '../../src/auth/auth.ts';
import { openDatabase, type Db } from '../../src/db/connection.ts';
import { migrate } from '../../src/db/migrate.ts';
import { findActor } from '../../src/db/actors.ts';
import { forAccount, forNoAccount } from '../../src/db/transactions.ts';
import { createExport } from '../../src/exports/exports.ts';
import { exportJobs } from '../../src/exports/make.ts';
import { timeTrackingLines } from '../../src/exports/tables/time_trackings.ts';
import { openJobs } from '../../src/jobs/queue.ts';
import { startCluster } from '../cluster.ts';

const rows = 100_000;
const rounds = 3;

const cluster = await startCluster();
const database = await openDatabase({ url: cluster.url, poolSize: 5 });
const { db } = database;
try {
  await migrate(db);
  const now = new Date();
  const log = pino({ level: 'warn' });
  const jobs = await openJobs(database, {
    directUrl: cluster.url,
    handlers: exportJobs(db, () => new Date()),
    log,
  });
  const actor = await newActor(db, now);
  await addTimeTrackings(db, actor.accountId, actor.workspace.id, actor.userId!);

  const make = async (format: string, filter: object): Promise<void> => {
    const coverage = { filter: { ...filter }, sort: [] };
    const wanted = { resource: 'time_trackings', exportType: 'list', format, language: 'en', coverage } as const;
    const { id } = await forAccount(db, actor.accountId, (tx) => createExport(tx, actor, wanted, now));
    await jobs.drain();
    const { status } = await db.selectFrom('exports').select('status').where('id', '=', id).executeTakeFirstOrThrow();
    if (status !== 'success') throw new Error(`The export has the status ${status}.`);
  };

  for (let round = 1; round <= rounds; round++) {
    const copied = await timeOf(() => copyOf(db, actor, now));
    console.log(`COPY of ${rows} rows: ${copied.seconds.toFixed(2)} s`);
    for (const format of ['csv', 'xlsx']) {
      await make(format, { starts_at: 'lt:2020-01-02' });
      const made = await timeOf(() => make(format, {}));
      const factor = (made.seconds / copied.seconds).toFixed(1);
      console.log(
        `${format} of ${rows} rows: ${made.seconds.toFixed(2)} s, ${factor} × COPY, ${made.grownMiB} MiB more`,
      );
    }
  }
  await jobs.stop();
} finally {
  await database.close();
  await cluster.stop();
}

async function newActor(on: Db, now: Date) {
  const email = `${randomUUID()}@example.com`;
  const user = { email, username: 'Erika Mustermann', password_hash: 'none', isConfirmed: true };
  const { accountId, userId } = await forNoAccount(on, (tx) => createAccountFor(tx, user, now));
  const workspace = await on.selectFrom('workspaces').select('id').executeTakeFirstOrThrow();
  return (await findActor(on, accountId, workspace.id, userId))!;
}

/** Working days of the last years, each with a tag. */
async function addTimeTrackings(on: Db, accountId: number, workspaceId: number, userId: number): Promise<void> {
  await sql`
    insert into time_trackings (account_id, workspace_id, user_id, starts_at, ends_at, actual_starts_at, actual_ends_at, created_by, created_at, updated_at)
    select ${accountId}, ${workspaceId}, ${userId}, start, start + interval '8 hours', start, start + interval '8 hours', 'user', start, start
    from (select timestamptz '2020-01-01 07:00Z' + number * interval '30 minutes' as start from generate_series(1, ${rows}::integer) number) span`.execute(
    on,
  );
  await sql`
    with tag as (
      insert into tags (account_id, workspace_id, title, created_at, updated_at)
      values (${accountId}, ${workspaceId}, 'Night', now(), now()) returning id)
    insert into time_tracking_tags (account_id, time_tracking_id, tag_id)
    select ${accountId}, time_trackings.id, tag.id from time_trackings, tag`.execute(on);
  await sql`vacuum analyze time_trackings, time_tracking_tags`.execute(on);
}

/** Lets the server write the rows itself. COPY takes no parameters, so the values are in the text. */
async function copyOf(on: Db, actor: Parameters<typeof timeTrackingLines>[0], now: Date): Promise<void> {
  const { sql: text, parameters } = timeTrackingLines(actor, [], now).compile(on);
  const literal = (value: unknown): string => {
    if (Array.isArray(value)) return 'array(select id from time_trackings order by starts_at, id)';
    return typeof value === 'number'
      ? String(value)
      : `'${value instanceof Date ? value.toISOString() : String(value)}'`;
  };
  const query = text.replaceAll(/\$(\d+)/g, (_match, position: string) => literal(parameters[Number(position) - 1]));
  await sql.raw(`copy (${query}) to '/dev/null' (format csv)`).execute(on);
}

async function timeOf(work: () => Promise<void>): Promise<{ seconds: number; grownMiB: number }> {
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10);
  const start = performance.now();
  await work();
  clearInterval(timer);
  peak = Math.max(peak, process.memoryUsage().rss);
  return { seconds: (performance.now() - start) / 1000, grownMiB: Math.round((peak - before) / 2 ** 20) };
}
