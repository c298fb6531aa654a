/** Compares the examples of both contracts with what the service answers on a fresh demo organisation, or writes them. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { differencesIn, sharedDifferences } from './examples/compare.ts';
import { changedExampleFiles, writeExampleFiles } from './examples/files.ts';
import { recordExamples, type Recording } from './examples/record.ts';

const help = `npm run examples              compare every example of both contracts with what the service answers
npm run examples -- --write   write what the service answers to openapi/examples, and regenerate generated/
npm run examples -- --help    show this

The requests are in scripts/examples/scenarios. Every operation is called there: once so that it succeeds, and once
for each error status that the contract lists.`;

async function write({ examples }: Recording): Promise<number> {
  const changed = await changedExampleFiles(examples);
  await writeExampleFiles(examples);
  console.log(`${changed.length} of ${examples.size} example files changed.`);
  const generate = path.resolve(import.meta.dirname, 'generate.ts');
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', generate, '--contract-only'], {
    stdio: 'inherit',
  });
  return status ?? 1;
}

async function compare({ examples, unavailable }: Recording): Promise<number> {
  const differences = [
    ...[...examples].flatMap(([operationId, { api, ...example }]) => differencesIn(operationId, api, example)),
    ...(['v3', 'public'] as const).flatMap((api) => sharedDifferences(api, [...examples.values()], unavailable)),
  ];
  const changed = await changedExampleFiles(examples);
  for (const difference of differences) console.error(`✗ ${difference}`);
  for (const file of changed) console.error(`✗ ${file} would change.`);
  if (differences.length + changed.length === 0) {
    console.log(`✓ The examples of ${examples.size} operations are what the service answers.`);
    return 0;
  }
  console.error('\nIf the service is right, run: npm run examples -- --write');
  return 1;
}

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
if (values.help) console.log(help);
else {
  const recording = await recordExamples();
  process.exitCode = await (values.write ? write : compare)(recording);
}
