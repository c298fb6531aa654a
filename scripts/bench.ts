/** Compares the speed of Punchcard with that of a bare server and of Fastify. See --help and docs/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { measureBatch } from './bench/batch.ts';
import { copyOfDataSet, keepMonths, openServer, someShownIds } from './bench/database.ts';
import { measureDeployments } from './bench/deployments.ts';
import { measureDistribution } from './bench/distribution.ts';
import { startLoadGenerator, type LoadGenerator } from './bench/loading.ts';
import { help, readOptions, type Options } from './bench/options.ts';
import { reportOf, withFigures, type Measured } from './bench/report.ts';
import { readRows, timeAccountRows, writeRows, type Row } from './bench/requests.ts';
import { measure } from './bench/rounds.ts';
import { requireSameBytes, requireSameShape } from './bench/same_answers.ts';
import { startContenders } from './bench/servers.ts';
import { measureStart } from './bench/start.ts';

const say = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);

async function run(options: Options): Promise<void> {
  const { isChosen } = options;
  const server = await openServer(process.env['DATABASE_URL'], options.folder);
  const generator = startLoadGenerator();
  const measured: Measured = { options, figures: {} };
  try {
    const reads = readRows(options.dataSet, {});
    const rows = [...reads, ...timeAccountRows(options.dataSet), ...writeRows(options.dataSet)];
    if ([...rows.map(({ name }) => name), 'batch', 'two_processes', 'standby'].some(isChosen))
      await measureOnServer(generator, server.url, measured);
    if (isChosen('distribution'))
      measured.distribution = await measureDistribution(generator, server.url, options, say);
    if (isChosen('start')) measured.start = await measureStart(options.rounds, say);
    const report = reportOf(measured, Object.fromEntries(rows.map(({ name, about }) => [name, about])));
    console.log(report);
    if (options.page) writeFileSync(options.page, withFigures(readFileSync(options.page, 'utf8'), report));
  } finally {
    generator.stop();
    await server.stop();
  }
}

/** Everything that is measured on a copy of the data set. */
async function measureOnServer(generator: LoadGenerator, serverUrl: string, measured: Measured): Promise<void> {
  const { options } = measured;
  const { dataSet, isChosen } = options;
  const copy = await copyOfDataSet(serverUrl, dataSet, 'run', say);
  const chosen = (rows: readonly Row[]): Row[] => rows.filter(({ name }) => isChosen(name));
  const allReads = readRows(dataSet, await someShownIds(copy.url));
  const [reads, accounts, writes] = [allReads, timeAccountRows(dataSet), writeRows(dataSet)].map(chosen) as [Row[], Row[], Row[]]; // prettier-ignore
  try {
    if (isChosen('two_processes') || isChosen('standby'))
      measured.deployments = await measureDeployments(generator, copy.url, allReads, options, say);
    const contenders = await startContenders(copy.url);
    const servers = Object.fromEntries(Object.entries(contenders).map(([name, one]) => [name, [one]]));
    try {
      for (const row of reads) await requireSameBytes(contenders, row);
      Object.assign(measured.figures, await measure(generator, servers, reads, options, say));
      if (accounts.length > 0) {
        await keepMonths(copy.url, dataSet.tenants[0]!);
        measured.accounts = await measure(generator, servers, accounts, options, say);
      }
      for (const row of writes) await requireSameShape(contenders, row);
      Object.assign(measured.figures, await measure(generator, servers, writes, options, say));
      if (isChosen('batch')) measured.batch = await measureBatch(contenders.ours, copy.url, options, say);
    } finally {
      for (const contender of Object.values(contenders)) await contender.stop();
    }
  } finally {
    await copy.remove();
  }
}

const options = readOptions();
if (options) await run(options);
else console.log(help);
