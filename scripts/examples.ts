/** Are the examples of the contracts true? Carries out every operation on a fresh demo organisation, and compares or writes. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { differencesIn, sharedDifferences } from './examples/compare.ts';
import { writeExampleFiles } from './examples/files.ts';
import { play } from './examples/play.ts';

const help = `npm run examples              compare every example of both contracts with what the service really answers
npm run examples -- --write   put what the service really answers into openapi/examples, and make generated/ anew
npm run examples -- --help    show this

The scenes are in scripts/examples/scenes: every operation stands in one of them, asked rightly once, and wrongly
once for each refusal that the contract names.`;

async function run(isWriting: boolean): Promise<number> {
  const started = performance.now();
  console.log('Opening a fresh demo organisation …');
  const { examples, failure } = await play(undefined, (scene) => console.log(`  ${scene}`));
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  if (isWriting) {
    await writeExampleFiles(examples);
    console.log(`Wrote the examples of ${examples.size} operations in ${seconds} s.`);
    const generate = path.resolve(import.meta.dirname, 'generate.ts');
    return (
      spawnSync(process.execPath, ['--import', 'tsx', generate, '--contract-only'], { stdio: 'inherit' }).status ?? 1
    );
  }
  const differences = [
    ...[...examples].flatMap(([operationId, { api, ...example }]) => differencesIn(operationId, api, example)),
    ...(['v3', 'public'] as const).flatMap((api) => sharedDifferences(api, [...examples.values()], failure)),
  ];
  for (const difference of differences) console.error(`✗ ${difference}`);
  console.log(
    differences.length === 0
      ? `✓ The examples of ${examples.size} operations are true (${seconds} s).`
      : `\n${differences.length} differences. Where the service is right: npm run examples -- --write`,
  );
  return differences.length === 0 ? 0 : 1;
}

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
if (values.help) console.log(help);
else process.exitCode = await run(values.write);
