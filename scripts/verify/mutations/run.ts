/**
 * Makes each mutation in a copy of the tree and runs its tests, one mutation after the other. Words on the command line choose
 * the mutations whose topic, file or sentence contains one of them.
 */
import { appendFileSync } from 'node:fs';
import path from 'node:path';
import { startCluster, type Cluster } from '../../cluster.ts';
import { allMutations, leastCaught, mutated, type ListedMutation } from './all_mutations.ts';
import { copyTree } from './copy.ts';
import { runTests, stopTests, type TestRun } from './run_tests.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const words = process.argv.slice(2);
const isChosen = ({ topic, file, breaks }: ListedMutation): boolean =>
  words.length === 0 || words.some((word) => `${topic} ${file} ${breaks}`.includes(word));
const chosen = allMutations.filter(isChosen);

const copy = copyTree(root);
let cluster: Cluster | undefined;
let isInterrupted = false;
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    isInterrupted = true;
    stopTests();
  });

const given = process.env['TEST_DATABASE_URL'];

/** PostgreSQL for the mutations that need it; undefined means the embedded database. */
const urlFor = async (needsPostgres: boolean): Promise<string | undefined> =>
  needsPostgres ? (given ?? (cluster ??= await startCluster()).url) : undefined;

/** The tests must pass without a mutation. Otherwise every mutation would seem to be caught. */
async function requirePassingTests(): Promise<void> {
  for (const needsPostgres of [false, true]) {
    const some = chosen.filter((mutation) => (mutation.needsPostgres === true) === needsPostgres);
    if (some.length === 0) continue;
    const tests = [...new Set(some.flatMap((mutation) => mutation.tests))];
    const { outcome, detail } = await runTests(copy.folder, tests, await urlFor(needsPostgres));
    if (outcome !== 'passed') throw new Error(`The tests fail without any mutation: ${detail}`);
  }
}

async function tryMutation(mutation: ListedMutation): Promise<TestRun> {
  const source = copy.read(mutation.file);
  copy.write(mutation.file, mutated(source, mutation));
  try {
    return await runTests(copy.folder, mutation.tests, await urlFor(mutation.needsPostgres === true));
  } finally {
    copy.write(mutation.file, source);
  }
}

const verdicts = { failed: 'caught', passed: 'SURVIVED', broken: 'BROKEN' } as const;

try {
  for (const mutation of chosen) mutated(copy.read(mutation.file), mutation);
  if (words.length === 0) await requirePassingTests();
  const survivors: ListedMutation[] = [];
  let caught = 0;
  console.log(`${'topic'.padEnd(12)}${'verdict'.padEnd(10)}${'s'.padStart(4)}  what the mutation breaks`);
  for (const mutation of chosen) {
    const { outcome, detail, seconds } = await tryMutation(mutation);
    if (isInterrupted) break;
    if (outcome === 'failed') caught += 1;
    else survivors.push(mutation);
    const columns = [mutation.topic.padEnd(11), verdicts[outcome].padEnd(9), seconds.toFixed(0).padStart(4)];
    console.log(`${columns.join(' ')}  ${mutation.breaks}`);
    if (outcome === 'failed') console.log(`${' '.repeat(28)}by: ${detail}`);
    if (outcome === 'broken') console.log(detail);
    if (outcome === 'passed' && mutation.survives) console.log(`${' '.repeat(28)}because: ${mutation.survives}`);
  }
  const unargued = survivors.filter(({ survives }) => survives === undefined);
  const missing = Math.max(0, Math.min(leastCaught, chosen.length) - caught);
  const failures = words.length > 0 ? unargued.length : Math.max(missing, unargued.length);
  console.log(`\n${caught} of ${chosen.length} mutations are caught. ${unargued.length} survive without an argument.`);
  const figures = process.env['VERIFY_FIGURES'];
  if (figures) appendFileSync(figures, `${JSON.stringify({ what: 'mutations caught', count: caught, failures })}\n`);
  process.exitCode = failures === 0 && !isInterrupted ? 0 : 1;
} finally {
  await cluster?.stop();
  copy.remove();
}
