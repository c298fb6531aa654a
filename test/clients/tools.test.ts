import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { addProgram, compiles, counted, fetchContracts, printed } from './generated_client.ts';
import { run } from './run.ts';
import { serverUrl } from './server.ts';
import { installTools, toolsFolder as tools } from './tools.ts';

/* Further programs that people use on contracts. Generators make clients that compile under `strict` and call a real server. */
// Below the package, so that the clients find what they import.
const workshop = path.join(tools, 'dist/contracts');
const installTimeoutMs = 900_000;

const fileOf = (name: string): string => path.join(workshop, `${name}.json`);
const editions = ['v3', 'public'].flatMap((api) => ['', '-3.0', '-dereferenced'].map((edition) => api + edition));

const program = (file: string, ...options: string[]) => run(process.execPath, [file, ...options], workshop);
const tool = (file: string, ...options: string[]) => program(path.join(tools, 'node_modules', file), ...options);

beforeAll(async () => {
  await installTools();
  await fetchContracts(workshop, editions);
}, installTimeoutMs);

/** Each makes clients of both contracts in a folder. */
const generators: Record<string, (folder: string) => Promise<void>> = {
  async swagger_typescript_api(folder) {
    for (const api of ['v3', 'public'])
      await made(tool('swagger-typescript-api/dist/cli.mjs', 'generate', '-p', fileOf(api), '-o', folder, '-n', api));
  },
  async orval(folder) {
    const bases = { v3: '/api/v3', public: '/public_api/v1' };
    const jobs = Object.entries(bases).map(([api, base]) => [
      api,
      {
        input: fileOf(api),
        output: { target: path.join(folder, `${api}.ts`), client: 'fetch', baseUrl: serverUrl() + base },
      },
    ]);
    const config = path.join(folder, 'orval.config.cjs');
    writeFileSync(config, `module.exports = ${JSON.stringify(Object.fromEntries(jobs))};\n`);
    await made(tool('orval/dist/bin/orval.js', '--config', config));
  },
  async openapi_client_axios(folder) {
    for (const api of ['v3', 'public']) {
      const { code, output } = await tool('openapi-client-axios-typegen/typegen.js', fileOf(api));
      expect(code, output).toBe(0);
      writeFileSync(path.join(folder, `${api}.d.ts`), output);
    }
  },
  async openapi_zod_client(folder) {
    const options = ['-o', path.join(folder, 'public.ts')];
    await made(tool('openapi-zod-client/bin.js', fileOf('public'), ...options));
    // One file for each tag: the compiler gives up on the type of all operations together.
    mkdirSync(path.join(folder, 'v3'));
    const byTag = ['-o', path.join(folder, 'v3'), '--group-strategy', 'tag-file'];
    await made(tool('openapi-zod-client/bin.js', fileOf('v3'), ...byTag));
  },
  async rtk_query(folder) {
    cpSync(path.join(tools, 'programs/empty_api.ts'), path.join(folder, 'empty_api.ts'));
    for (const [api, apiImport] of Object.entries({ v3: 'v3', public: 'enterprise' })) {
      const config = path.join(folder, `${api}.config.cjs`);
      const files = { schemaFile: fileOf(api), apiFile: './empty_api.ts', outputFile: `./${api}.ts` };
      writeFileSync(config, `module.exports = ${JSON.stringify({ ...files, apiImport, exportName: 'api' })};\n`);
      await made(tool('@rtk-query/codegen-openapi/lib/bin/cli.mjs', config));
    }
  },
  async kubb(folder) {
    const config = path.join(folder, 'kubb.config.mjs');
    cpSync(path.join(tools, 'programs/kubb.config.mjs'), config);
    await made(tool('@kubb/cli/bin/kubb.cjs', 'generate', '--config', config));
  },
};

/** Some generators end with 0 although something failed. */
async function made(running: ReturnType<typeof program>): Promise<void> {
  const { code, output } = await running;
  expect(code, output).toBe(0);
  expect(output).not.toMatch(/\bfailed\b|✗/i);
}

describe.each(Object.keys(generators))('%s', (name) => {
  const folder = path.join(workshop, name);

  it('generates clients of both contracts, which compile under strict', async () => {
    mkdirSync(folder, { recursive: true });
    await generators[name]!(folder);
    addProgram(folder, path.join(tools, 'programs', `${name}.ts`));
    await compiles(folder, tools, true);
  });

  it('signs in, reads a month, lists records, and calls the public API', async () => {
    expect(await printed(folder)).toEqual({
      ...(await counted()),
      found: ['Erin Example'],
      enterprise: ['Alex Admin', 'Erin Example', 'Robin Baker', 'Sam Cook', 'Noor Night', 'Jo Newman', 'Lee Leaver'],
    });
  });
});

describe.each(editions)('%s.json', (name) => {
  it('is valid for a validator of its version', async () => {
    const { code, output } = await tool('@seriousme/openapi-schema-validator/bin/validate-api-cli.js', fileOf(name));
    expect(code, output).toBe(0);
    expect(JSON.parse(readFileSync(fileOf(name), 'utf8')).openapi).toMatch(name.endsWith('3.0') ? /^3\.0/ : /^3\.1/);
  });
});

/*
 * Spectral takes up to a minute for an edition, so each commit chooses one of them, and four commits see them all. What an edition
 * may look like is checked above for all of them in every run, and the sources are linted by `npm run check`.
 */
const linted = ['v3', 'public', 'v3-3.0', 'public-3.0'];
const chosen =
  linted[Number.parseInt(execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).slice(0, 8), 16) % 4]!;

describe.each([chosen])('%s.json', (name) => {
  it('has no finding of the OpenAPI rules of Spectral', async () => {
    const rules = path.join(workshop, 'spectral.json');
    // In the editions of 3.0, null is not among the values of an enum that is nullable, and Spectral then refuses it in examples.
    const offIn30 = { 'oas3-valid-media-example': 'off', 'oas3-valid-schema-example': 'off' };
    const isOf30 = name.endsWith('-3.0');
    writeFileSync(rules, JSON.stringify({ extends: ['spectral:oas'], ...(isOf30 && { rules: offIn30 }) }));
    const options = ['lint', '--ruleset', rules, '--fail-severity', 'hint', '--format', 'text', fileOf(name)];
    const { code, output } = await tool('@stoplight/spectral-cli/dist/index.js', ...options);
    expect(code, output).toBe(0);
  });
});

describe.each(['v3', 'public'])('%s-3.0.json', (api) => {
  it('makes types with a generator that knows only 3.0', async () => {
    const folder = path.join(workshop, `openapi_30_${api}`);
    mkdirSync(folder, { recursive: true });
    const types = path.join(folder, 'types.ts');
    await made(tool('openapi-typescript/bin/cli.js', fileOf(`${api}-3.0`), '--output', types));
    const operation = api === 'v3' ? 'listAreas' : 'findPublicUsers';
    writeFileSync(
      path.join(folder, 'program.ts'),
      `import type { operations } from './types';\n` +
        `type Answer = operations['${operation}']['responses']['200']['content'];\n` +
        `export const isTyped: unknown extends Answer ? false : true = true;\n`,
    );
    await compiles(folder, tools, true);
  });
});
