import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase, type Target } from '../../../src/platform/db/connection.ts';
import { bundle } from '../../build/programs.ts';
import { databaseUrl, onServer } from '../../databases.ts';
import { tokenOf } from '../data_set.ts';
import { fill, openServer } from '../database.ts';
import type { Options } from '../options.ts';
import { bundled, startServer } from '../servers.ts';
import { median } from '../table.ts';
import { addressesOf, dataSet, statements, type Years } from './histories.ts';

/* Two days of a user with one year of history and of one with ten, while the month cache is empty or no longer right. */

/** What was measured on one database, each with a value for every round. */
export interface LedgerFigures {
  /** The milliseconds of a request, by the state of the month cache and the years of history. */
  readonly milliseconds: Record<State, Record<Years, number[]>>;
  /** The milliseconds of the longest block of the event loop, by what the server did. */
  readonly blocked: Record<State | 'job', number[]>;
}

export type State = 'empty' | 'changed';

/** By the name of the database. */
export type LedgersByDatabase = Record<string, LedgerFigures>;

const requestsPerRound = 6;

export async function measureLedgers(options: Options, say: (text: string) => void): Promise<LedgersByDatabase> {
  // From its sources, every function would take longer.
  await bundle({ bench_ledger: 'scripts/bench/ledger/server.ts' });
  return {
    PostgreSQL: await onPostgres(options, say),
    'embedded database': await onEmbedded(options, say),
  };
}

async function onPostgres(options: Options, say: (text: string) => void): Promise<LedgerFigures> {
  const server = await openServer(options.folder);
  const name = `punchcard_bench_${dataSet.name}`;
  const drop = (): Promise<void> => onServer(server.url, `drop database if exists ${name} with (force)`);
  try {
    await drop();
    await onServer(server.url, `create database ${name}`);
    const url = databaseUrl(server.url, name);
    await load({ url, poolSize: 1 }, say);
    const figures = await measureOn({ DATABASE_URL: url }, options, say);
    await drop();
    return figures;
  } finally {
    await server.stop();
  }
}

async function onEmbedded(options: Options, say: (text: string) => void): Promise<LedgerFigures> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-embedded-'));
  try {
    await load({ folder: path.join(folder, 'db') }, say);
    return await measureOn({ DATA_DIR: folder }, options, say);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function load(target: Target, say: (text: string) => void): Promise<void> {
  const database = await openDatabase(target);
  try {
    await fill(database, statements, say);
  } finally {
    await database.close();
  }
}

async function measureOn(
  environment: Readonly<Record<string, string>>,
  { rounds }: Options,
  say: (text: string) => void,
): Promise<LedgerFigures> {
  const server = await startServer(bundled('bench_ledger'), { MONTH_CACHE: 'off', ...environment });
  const figures: LedgerFigures = {
    milliseconds: { empty: { 1: [], 10: [] }, changed: { 1: [], 10: [] } },
    blocked: { empty: [], changed: [], job: [] },
  };
  try {
    // The first two rounds do not count, as the JIT and the holidays of each year are new to them.
    for (let round = -1; round <= rounds; round++) {
      const measured = await oneRound(server.url, round);
      if (round <= 0) continue;
      for (const state of ['empty', 'changed'] as const)
        for (const years of [1, 10] as const)
          figures.milliseconds[state][years].push(median(measured.milliseconds[state][years]));
      for (const [what, longest] of Object.entries(measured.blocked))
        figures.blocked[what as State | 'job'].push(...longest);
      say(`Ledgers, round ${round} of ${rounds}.`);
    }
    return figures;
  } finally {
    await server.stop();
  }
}

async function oneRound(url: string, round: number): Promise<LedgerFigures> {
  const milliseconds: LedgerFigures['milliseconds'] = { empty: { 1: [], 10: [] }, changed: { 1: [], 10: [] } };
  await send(url, 'POST', '/month_cache/empty');
  await longestBlock(url);
  for (let request = 0; request < requestsPerRound; request++)
    for (const years of [1, 10] as const)
      milliseconds.empty[years].push(await send(url, 'GET', addressesOf(years).days));
  const empty = await longestBlock(url);
  await send(url, 'POST', '/month_cache/fill');
  const job = await longestBlock(url);
  let changed = 0;
  for (let request = 0; request < requestsPerRound; request++)
    for (const years of [1, 10] as const) {
      const { oldest, days } = addressesOf(years);
      await send(url, 'POST', '/month_cache/fill');
      await send(url, 'PATCH', oldest, changeOf((round + 1) * requestsPerRound + request));
      await longestBlock(url);
      milliseconds.changed[years].push(await send(url, 'GET', days));
      changed = Math.max(changed, await longestBlock(url));
    }
  return { milliseconds, blocked: { empty: [empty], changed: [changed], job: [job] } };
}

/** Takes the confirmation back, or confirms again. */
const changeOf = (number: number) => ({ data: { type: 'time_tracking', attributes: { confirmed: number % 2 === 1 } } });

/** Sends a request, and returns the milliseconds until the response is complete. */
async function send(url: string, method: string, address: string, body?: object): Promise<number> {
  const begin = performance.now();
  const response = await fetch(url + address, {
    method,
    headers: {
      authorization: `Bearer ${tokenOf(dataSet.tenants[0]!.firstCaller)}`,
      'content-type': 'application/json',
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${address} was answered with ${response.status}: ${text.slice(0, 500)}`);
  return performance.now() - begin;
}

/**
 * The milliseconds of the longest block of the event loop since the last call, as the metrics of the server have it. It looks
 * every 10 ms, so that a block seems up to 10 ms longer than it is, and never shorter.
 */
async function longestBlock(url: string): Promise<number> {
  await pause(25);
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics)![1]) * 1000;
}
