import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from './run.ts';
import { serverUrl } from './server.ts';

/*
 * Clients of other generators. Each generator makes a client from each contract. A small program compiles with both under
 * `strict` and calls a real server. If a generator fails, the contract is changed.
 */
const root = path.resolve(import.meta.dirname, '../..');
// Below the repository, so that the clients find the packages they import.
const workshop = path.join(root, 'dist/clients');

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

const strict = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'bundler',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: ['node'],
  },
};

beforeAll(async () => {
  rmSync(workshop, { recursive: true, force: true });
  mkdirSync(workshop, { recursive: true });
  // The published contracts, with examples and samples.
  for (const api of ['v3', 'public'])
    writeFileSync(contractOf(api), await (await fetch(`${serverUrl()}/openapi/${api}.json`)).text());
});

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
    cpSync(path.join(import.meta.dirname, 'programs', `${name}.ts`), path.join(folder, 'program.ts'));
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(strict));
    expect(await tool('typescript/bin/tsc', '-p', folder)).toEqual({ code: 0, output: '' });
  });

  it('signs in, lists with a filter, punches, is refused, and calls the public API', async () => {
    const { code, output } = await run(
      process.execPath,
      ['--import', 'tsx', path.join(folder, 'program.ts'), serverUrl()],
      root,
    );
    expect(code, output).toBe(0);
    expect(JSON.parse(output)).toEqual({
      nobody: 0,
      found: ['Erin Example'],
      punched: ['start', 'end'],
      refused: 'action_type',
      enterprise: ['Alex Admin', 'Erin Example', 'Robin Baker', 'Sam Cook', 'Noor Night', 'Jo Newman'],
      vacationDays: 5,
    });
  });
});
