/** Compares the speed of Punchcard with that of a bare server and of Fastify. See --help and docs/performance.md. */
import { readFileSync, writeFileSync } from 'node:fs';
import { measureBatch } from './bench/batch.ts';
import { copyOfDataSet, cacheMonths, deepCursors, openServer, someShownIds } from './bench/database.ts';
import { measureDeployments } from './bench/deployments.ts';
import { measureDistribution } from './bench/distribution.ts';
import { measureLedgers } from './bench/ledger/measure.ts';
import { startLoadGenerator, type LoadGenerator } from './bench/loading.ts';
import { help, readOptions, type Options } from './bench/options.ts';
import { reportOf, withFigures, type Measured } from './bench/report.ts';
import { allRows, type Row } from './bench/requests.ts';
import { measure } from './bench/rounds.ts';
import { requireSameBytes, requireSameShape } from './bench/same_answers.ts';
import { startContenders } from './bench/servers.ts';
import { measureStart } from './bench/start.ts';

const say = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);

async function run(options: Options): Promise<void> {
  const { isChosen } = options;
  const generator = startLoadGenerator();
  const measured: Measured = { options, figures: {} };
  try {
    const rows = Object.values(allRows(options.dataSet)).flat();
    if ([...rows.map(({ name }) => name), 'batch', 'two_processes', 'standby'].some(isChosen))
      await measureOnServer(generator, measured);
    if (isChosen('ledger')) measured.ledgers = await measureLedgers(options, say);
    if (isChosen('distribution')) measured.distribution = await measureDistribution(generator, options, say);
    if (isChosen('start')) measured.start = await measureStart(options.rounds, say);
    const report = reportOf(measured);
    console.log(report);
    if (options.page) writeFileSync(options.page, withFigures(readFileSync(options.page, 'utf8'), report));
  } finally {
    generator.stop();
  }
}

/** Everything that is measured on a copy of the data set. */
async function measureOnServer(generator: LoadGenerator, measured: Measured): Promise<void> {
  const server = await openServer(measured.options.folder);
  try {
    const copy = await copyOfDataSet(server.url, measured.options.dataSet, 'run', say);
    await measureOnCopy(generator, copy.url, measured);
    await copy.remove();
  } finally {
    await server.stop();
  }
}

async function measureOnCopy(generator: LoadGenerator, url: string, measured: Measured): Promise<void> {
  const { options } = measured;
  const { dataSet, isChosen } = options;
  const chosen = (rows: readonly Row[]): Row[] => rows.filter(({ name }) => isChosen(name));
  const rows = allRows(dataSet, await someShownIds(url), await deepCursors(url));
  const [reads, accounts, writes] = [chosen(rows.reads), chosen(rows.accounts), chosen(rows.writes)];
  if (isChosen('two_processes') || isChosen('standby'))
    measured.deployments = await measureDeployments(generator, url, rows.reads, options, say);
  const contenders = await startContenders(url);
  const servers = Object.fromEntries(Object.entries(contenders).map(([name, one]) => [name, [one]]));
  try {
    for (const row of reads) await requireSameBytes(contenders, row);
    Object.assign(measured.figures, await measure(generator, servers, reads, options, say));
    if (accounts.length > 0) {
      await cacheMonths(url, dataSet.tenants[0]!);
      measured.accounts = await measure(generator, servers, accounts, options, say);
    }
    for (const row of writes) await requireSameShape(contenders, row);
    Object.assign(measured.figures, await measure(generator, servers, writes, options, say));
    if (isChosen('batch')) measured.batch = await measureBatch(contenders.ours, url, options, say);
  } finally {
    for (const contender of Object.values(contenders)) await contender.stop();
  }
}

const options = readOptions();
if (options) await run(options);
else console.log(help);
