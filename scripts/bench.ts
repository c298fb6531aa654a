/**
 * Measures Punchcard side by side with the limit and with what one would pick instead. See --help, and the chapter
 * "Performance" of the reference.
 */
import { writeFileSync } from 'node:fs';
import os from 'node:os';
import pg from 'pg';
import { startContenders, contenders, type Contender } from './bench/contenders.ts';
import { adminId, tokenOf } from './bench/data_set.ts';
import { copyOfDataSet, openServer } from './bench/database.ts';
import { startLoadGenerator } from './bench/loading.ts';
import { help, readOptions, type Options } from './bench/options.ts';
import type { Server } from './bench/processes.ts';
import { compareReads, compareWrites, type Figures } from './bench/rounds.ts';
import { readRows, writeRows } from './bench/rows.ts';
import { figuresTable } from './bench/table.ts';
import { targetsOf, targetsTable } from './bench/targets.ts';

const say = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);

async function run(options: Options): Promise<void> {
  const isChosen = ({ name }: { name: string }): boolean => options.rows.length === 0 || options.rows.some((row) => name.startsWith(row));
  const server = await openServer(process.env['DATABASE_URL'], options.folder);
  const generator = startLoadGenerator();
  let servers: Partial<Record<Contender, Server>> = {};
  try {
    const copy = await copyOfDataSet(server.url, options.dataSet, say);
    const reads = readRows(options.dataSet, await someShownIds(copy.url)).filter(isChosen);
    const writes = writeRows(options.dataSet).filter(isChosen);
    say('Starting the contenders.');
    const all = (servers = await startContenders(copy.url, {
      path: '/api/v3/workspaces/3/time_trackings',
      headers: { authorization: `Bearer ${tokenOf(adminId)}` },
    }));
    const figures: Figures = {
      ...(await compareReads(generator, all as Record<Contender, Server>, reads, options, say)),
      ...(await compareWrites(generator, all as Record<Contender, Server>, writes, options, say)),
    };
    await Promise.all(Object.values(servers).map((each) => each.stop()));
    servers = {};
    const about = Object.fromEntries([...reads, ...writes].map((row) => [row.name, row.about]));
    const [cpu] = os.cpus();
    console.log(`\n${os.cpus().length} × ${cpu?.model}, ${Math.round(os.totalmem() / 2 ** 30)} GiB, Node ${process.version}, ${options.rounds} rounds\n`);
    console.log(figuresTable(figures, about, contenders.slice(0, -1), 'ours'));
    const targets = targetsOf(figures);
    console.log(`\n${targetsTable(targets)}`);
    if (options.json) writeFileSync(options.json, JSON.stringify({ figures, targets }, null, 1));
    await copy.remove();
  } finally {
    generator.stop();
    await Promise.all(Object.values(servers).map((each) => each.stop()));
    await server.stop();
  }
}

/** Ids of time trackings of the large workspace, as v3 shows them, from all over it. */
async function someShownIds(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(`
    select coalesce(uuid::text, id::text) as id from time_trackings where workspace_id = 1 and ends_at is not null and id % 97 = 0 order by id limit 500`);
  await client.end();
  return rows.map(({ id }) => id);
}

const options = readOptions();
if (options) await run(options);
else console.log(help);
