/**
 * What the service promises, tried at length: each section walks the contract or breaks something on purpose, and its figures
 * end up in one table. `npm test` holds the same sections in their short form.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster, type Cluster } from './cluster.ts';
import { sections, type Database, type Section } from './verify/sections.ts';
import { tableOf, type Line } from './verify/table.ts';

const root = path.resolve(import.meta.dirname, '..');

const help = `Tries at length what the service promises, and prints the figures in one table.

Usage: npm run verify -- [SECTION…] [OPTIONS]      (all sections unless some are named)

${sections.map(({ name, promise }) => `  ${name.padEnd(14)} ${promise}`).join('\n')}

  --on DATABASE   embedded or postgres; otherwise both. PostgreSQL is the server in DATABASE_URL, whose user must be allowed to
                  create databases, or a temporary one from the binaries that are installed here
  --seed NUMBER   repeats the random choices of an earlier run
  --short         as short as within npm test, to try a section out
  --help          this page

A whole run takes the better part of an hour on two cores. It ends with 1 if anything failed.`;

const options = {
  on: { type: 'string' },
  seed: { type: 'string' },
  short: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;
const { values, positionals } = read();

function read() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return giveUp((error as Error).message);
  }
}

function giveUp(problem: string): never {
  console.error(`${problem}\n"npm run verify -- --help" shows what there is.`);
  process.exit(2);
}

if (values.help) {
  console.log(help);
  process.exit(0);
}
const unknown = positionals.filter((name) => !sections.some((section) => section.name === name));
if (unknown.length > 0)
  giveUp(`There is no section ${unknown.join(', ')}. There are ${sections.map(({ name }) => name).join(', ')}.`);
if (values.on !== undefined && !['embedded', 'postgres'].includes(values.on))
  giveUp(`--on takes embedded or postgres, not ${values.on}.`);
if (values.seed !== undefined && !/^\d{1,10}$/.test(values.seed))
  giveUp(`--seed takes a whole number, not ${values.seed}.`);

const chosen = sections.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-verify-'));
const ended = { isInterrupted: false };

/** Runs one section in a process of its own, and returns its lines of the table. */
async function run({ name, file }: Section, database: Database, url: string | undefined): Promise<Line[]> {
  const figures = path.join(folder, `${name}-${database}`);
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    DATABASE_URL: '',
    VERIFY: values.short ? 'short' : 'long',
    VERIFY_FIGURES: figures,
  };
  delete environment['TEST_DATABASE_URL'];
  if (url) environment['TEST_DATABASE_URL'] = url;
  if (values.seed) environment['VERIFY_SEED'] = values.seed;
  const vitest = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.verify.config.ts', file],
    {
      cwd: root,
      stdio: 'inherit',
      env: environment,
    },
  );
  const stop = (): void => {
    ended.isInterrupted = true;
    vitest.kill('SIGTERM');
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const [code] = (await once(vitest, 'exit')) as [number | null];
  process.off('SIGINT', stop).off('SIGTERM', stop);
  const lines = existsSync(figures)
    ? readFileSync(figures, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Omit<Line, 'section' | 'database'>)
    : [];
  const found = lines.reduce((sum, { failures }) => sum + failures, 0);
  // A section that broke down has failed, even if it counted nothing wrong before.
  const broken = code !== 0 && found === 0 ? [{ what: 'broke down: see above', count: 0, failures: 1 }] : [];
  return [...lines, ...broken].map((line) => ({ section: name, database, ...line }));
}

const started = Date.now();
const table: Line[] = [];
let cluster: Cluster | undefined;
try {
  for (const section of chosen) {
    for (const database of section.databases.filter((one) => values.on === undefined || one === values.on)) {
      if (ended.isInterrupted) break;
      console.log(`\n== ${section.name} (${database}): ${section.promise}`);
      if (database === 'postgres' && !process.env['DATABASE_URL']) cluster ??= await startCluster();
      table.push(
        ...(await run(
          section,
          database,
          database === 'postgres' ? (process.env['DATABASE_URL'] ?? cluster!.url) : undefined,
        )),
      );
    }
  }
} finally {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
}

const failures = table.reduce((sum, line) => sum + line.failures, 0);
console.log(
  `\n${tableOf(table)}\n\n${Math.round((Date.now() - started) / 1000)} s. ${failures === 0 ? 'All is well.' : `${failures} failures: they are described above.`}`,
);
process.exitCode = failures === 0 && table.length > 0 && !ended.isInterrupted ? 0 : 1;
