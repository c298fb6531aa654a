import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { addProgram, compiles, counted, fetchContracts, printed } from './generated_client.ts';
import { run } from './run.ts';

/*
 * Clients of other generators. Each generator makes a client from each contract. A small program compiles with both under
 * `strict` and calls a real server. If a generator fails, the contract is changed.
 */
const root = path.resolve(import.meta.dirname, '../..');
// Below the repository, so that the clients find the packages they import, and outside of dist/, whose files are CommonJS.
const workshop = path.join(root, '.cache/clients');

const generators: Record<string, (contract: string, output: string) => string[]> = {
  hey_api: (contract, output) => ['@hey-api/openapi-ts/bin/run.js', '-i', contract, '-o', output],
  oazapfts: (contract, output) => ['oazapfts/dist/cli.js', contract, `${output}.ts`],
  openapi_typescript_codegen: (contract, output) => [
    'openapi-typescript-codegen/bin/index.js',
    '--input',
    contract,
    '--output',
    output,
    '--useOptions',
  ],
  redocly: (contract, output) => ['@redocly/cli/bin/cli.js', 'generate-client', contract, '--output', `${output}.ts`],
};

beforeAll(() => fetchContracts(workshop, ['v3', 'public']));

const contractOf = (api: string): string => path.join(workshop, `${api}.json`);

const tool = (file: string, ...options: string[]) =>
  run(process.execPath, [path.join(root, 'node_modules', file), ...options], root);

describe.each(Object.keys(generators))('%s', (name) => {
  const folder = path.join(workshop, name);

  it('generates clients of both contracts without a warning, which compile under strict', async () => {
    mkdirSync(folder, { recursive: true });
    for (const api of ['v3', 'public']) {
      const [file, ...options] = generators[name]!(contractOf(api), path.join(folder, api));
      expect((await tool(file!, ...options)).output).not.toMatch(/SDK warning|already declares|unsupported/i);
    }
    addProgram(folder, path.join(import.meta.dirname, 'programs', `${name}.ts`));
    await compiles(folder, root);
  });

  it('signs in, reads a month, lists with a filter, punches, is refused, and calls the public API', async () => {
    expect(await printed(folder)).toEqual({
      nobody: 0,
      found: ['Erin Example'],
      ...(await counted()),
      punched: ['start', 'end'],
      refused: 'action_type',
      enterprise: ['Alex Admin', 'Erin Example', 'Robin Baker', 'Sam Cook', 'Noor Night', 'Jo Newman', 'Lee Leaver'],
      vacationDays: 5,
    });
  });
});
