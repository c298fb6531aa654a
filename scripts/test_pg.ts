/**
 * Runs the tests on PostgreSQL: on the server in DATABASE_URL, whose user must be allowed to create databases, or on a temporary
 * one started from the installed binaries. Arguments after "--" are passed to vitest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startCluster } from './cluster.ts';

const root = path.resolve(import.meta.dirname, '..');
const given = process.env['DATABASE_URL'];
const cluster = given ? undefined : await startCluster();
const url = given ?? cluster!.url;

const vitest = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  // The tests create their own databases.
  env: { ...process.env, DATABASE_URL: '', TEST_DATABASE_URL: url },
});
// Ctrl+C reaches vitest too. The cluster stops after vitest.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => vitest.kill(signal));
const [code] = (await once(vitest, 'exit')) as [number | null];
await cluster?.stop();
process.exitCode = code ?? 1;
