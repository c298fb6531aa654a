/**
 * Compares the speed of Punchcard with the limit and with other frameworks. See --help and
 * docs/performance.md.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { measureAssignments } from './bench/measures/assignments.ts';
import { measureBatch } from './bench/measures/batch.ts';
import { startContenders } from './bench/contenders.ts';
import { adminId, tokenOf } from './bench/data_set.ts';
import { copyOfDataSet, openServer, someShownIds } from './bench/database.ts';
import { measureDistribution } from './bench/distribution.ts';
import { embeddedFolder, measureAround, measureEmbedded, measureStandby } from './bench/deployments.ts';
import { startLoadGenerator } from './bench/loading.ts';
import { measureMemory } from './bench/measures/memory.ts';
import { publicListRows } from './bench/measures/public_lists.ts';
import { help, readOptions, type Options } from './bench/options.ts';
import { profileOf } from './bench/profile.ts';
import { reportOf, withFigures, type Measured } from './bench/report.ts';
import { compareReads, compareWrites, measureReads } from './bench/rounds.ts';
import { readRows, writeRows } from './bench/rows.ts';
import { measureSearches, searchRows } from './bench/measures/searches.ts';
import { measureStart } from './bench/measures/start.ts';
import { measureTimeAccounts, timeAccountRows } from './bench/measures/time_accounts.ts';

const say = (text: string): void => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`);

async function run(options: Options): Promise<void> {
  const isChosen = (name: string): boolean =>
    options.rows.length === 0 || options.rows.some((row) => name.startsWith(row));
  const server = await openServer(process.env['DATABASE_URL'], options.folder);
  const generator = startLoadGenerator();
  const measured: Measured = { options, figures: {} };
  try {
    const copy = await copyOfDataSet(server.url, options.dataSet, 'run', say);
    const reads = readRows(options.dataSet, await someShownIds(copy.url));
    const writes = writeRows(options.dataSet);
    const accounts = timeAccountRows(options.dataSet);
    const publicLists = publicListRows(options.dataSet);
    const searches = searchRows(options.dataSet);
    if (options.profile !== undefined) {
      console.log(
        await profileOf(
          generator,
          copy.url,
          { reads: [...reads, ...accounts, ...publicLists], writes, row: options.profile },
          options,
        ),
      );
      return;
    }
    const chosenReads = reads.filter(({ name }) => isChosen(name));
    const chosenWrites = writes.filter(({ name }) => isChosen(name));
    const chosenAccounts = accounts.filter(({ name }) => isChosen(name));
    const chosenPublicLists = publicLists.filter(({ name }) => isChosen(name));
    const chosenSearches = searches.filter(({ name }) => isChosen(name));
    const chosenRows = [chosenReads, chosenWrites, chosenAccounts, chosenPublicLists, chosenSearches].flat();
    if (chosenRows.length > 0 || isChosen('batch') || isChosen('assignments')) {
      say('Starting the contenders.');
      const contenders = await startContenders(copy.url, {
        path: '/api/v3/workspaces/3/time_trackings',
        headers: { authorization: `Bearer ${tokenOf(adminId)}` },
      });
      try {
        Object.assign(measured.figures, await compareReads(generator, contenders, chosenReads, options, say));
        if (chosenAccounts.length > 0)
          measured.accounts = await measureTimeAccounts(
            generator,
            contenders.ours,
            copy.url,
            chosenAccounts,
            options,
            say,
          );
        if (chosenPublicLists.length > 0)
          measured.publicLists = await measureReads(
            generator,
            { ours: [contenders.ours] },
            chosenPublicLists,
            options,
            say,
          );
        if (chosenSearches.length > 0)
          measured.searches = await measureSearches(generator, contenders.ours, copy.url, chosenSearches, options, say);
        Object.assign(measured.figures, await compareWrites(generator, contenders, chosenWrites, options, say));
        if (isChosen('assignments'))
          measured.assignments = await measureAssignments(contenders.ours, copy.url, options, say);
        if (isChosen('batch')) measured.batch = await measureBatch(contenders.ours, copy.url, options, say);
      } finally {
        await Promise.all(Object.values(contenders).map((contender) => contender.stop()));
      }
    }
    if (isChosen('pgbouncer') || isChosen('two_processes'))
      measured.around = await measureAround(generator, copy.url, reads, options, say);
    if (isChosen('standby')) measured.standby = await measureStandby(generator, copy.url, reads, options, say);
    if (isChosen('distribution'))
      measured.distribution = await measureDistribution(generator, server.url, options, say);
    if (isChosen('memory')) measured.memory = await measureMemory(generator, copy.url, reads, options, say);
    await copy.remove();
    if (isChosen('embedded') || isChosen('start')) {
      const { folder, remove } = await embeddedFolder(say);
      try {
        if (isChosen('start')) measured.start = await measureStart(folder, options.rounds, say);
        if (isChosen('embedded'))
          measured.embedded = await measureEmbedded(generator, server.url, folder, options, say);
      } finally {
        remove();
      }
    }
    const about = Object.fromEntries(
      [...reads, ...writes, ...accounts, ...publicLists, ...searches].map((row) => [row.name, row.about]),
    );
    const report = reportOf(measured, about);
    console.log(report);
    if (options.json) writeFileSync(options.json, JSON.stringify(measured, null, 1));
    if (options.page) writeFileSync(options.page, withFigures(readFileSync(options.page, 'utf8'), report));
  } finally {
    generator.stop();
    await server.stop();
  }
}

const options = readOptions();
if (options) await run(options);
else console.log(help);
