/**
 * Verifies the guarantees of the service at length: each section walks the contract or breaks something on purpose, and prints
 * its figures in one table. `npm run test:pg` runs the same sections in their short form.
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

const help = `Verifies the guarantees of the service at length, and prints the figures in one table.

Usage: npm run verify -- [SECTION…] [OPTIONS]      (by default all but tests and mutations; "all" includes them)

${sections.map(({ name, promise }) => `  ${name.padEnd(14)} ${promise}`).join('\n')}

  --on DATABASE   embedded or postgres; by default both. PostgreSQL is the server in DATABASE_URL, whose user must be allowed
                  to create databases, or a temporary one from the installed binaries
  --seed NUMBER   repeats the random choices of an earlier run
  --short         the short form, as in npm run test:pg
  --help          show this

Without sections a run takes almost an hour on two cores, and "all" takes several. The exit code is 1 if anything failed.`;

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
    return exitWith((error as Error).message);
  }
}

function exitWith(problem: string): never {
  console.error(`${problem}\nHelp: npm run verify -- --help`);
  process.exit(2);
}

if (values.help) {
  console.log(help);
  process.exit(0);
}
const isAll = positionals.includes('all');
const unknown = positionals.filter((name) => name !== 'all' && !sections.some((section) => section.name === name));
if (unknown.length > 0)
  exitWith(`Unknown section ${unknown.join(', ')}. Sections: ${sections.map(({ name }) => name).join(', ')}.`);
if (values.on !== undefined && !['embedded', 'postgres'].includes(values.on))
  exitWith(`--on must be embedded or postgres, but was "${values.on}".`);
if (values.seed !== undefined && !/^\d{1,10}$/.test(values.seed))
  exitWith(`--seed must be a whole number, but was "${values.seed}".`);

const chosen = sections.filter(
  ({ name, isOptional }) => isAll || (positionals.length === 0 ? !isOptional : positionals.includes(name)),
);
const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-verify-'));
const ended = { isInterrupted: false };

/** Runs one section in its own process, and returns its lines of the table. */
async function run({ name, command, isShort }: Section, database: Database, url: string | undefined): Promise<Line[]> {
  const figures = path.join(folder, `${name}-${database}`);
  const environment: NodeJS.ProcessEnv = {
    ...process.env,
    DATABASE_URL: '',
    VERIFY: values.short || isShort ? 'short' : 'long',
    VERIFY_FIGURES: figures,
  };
  delete environment['TEST_DATABASE_URL'];
  if (url) environment['TEST_DATABASE_URL'] = url;
  if (values.seed) environment['VERIFY_SEED'] = values.seed;
  const child = spawn(process.execPath, command, { cwd: root, stdio: 'inherit', env: environment });
  const stop = (): void => {
    ended.isInterrupted = true;
    child.kill('SIGTERM');
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  const [code] = (await once(child, 'exit')) as [number | null];
  process.off('SIGINT', stop).off('SIGTERM', stop);
  const lines = existsSync(figures)
    ? readFileSync(figures, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Omit<Line, 'section' | 'database'>)
    : [];
  const found = lines.reduce((sum, { failures }) => sum + failures, 0);
  // A section that crashed has failed, even if it counted no failure.
  const broken = code !== 0 && found === 0 ? [{ what: 'crashed, see above', count: 0, failures: 1 }] : [];
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
  `\n${tableOf(table)}\n\n${Math.round((Date.now() - started) / 1000)} s. ${failures === 0 ? 'No failures.' : `${failures} failures, see above.`}`,
);
process.exitCode = failures === 0 && table.length > 0 && !ended.isInterrupted ? 0 : 1;
