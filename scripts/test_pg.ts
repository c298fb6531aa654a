/**
 * Runs the tests on PostgreSQL: on the server in DATABASE_URL, whose user must be allowed to create databases, or on a temporary
 * one started from the installed binaries. With --citus, runs those that need a Citus coordinator, on one. Arguments after "--" are
 * passed to vitest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startCitus } from './citus.ts';
import { startCluster } from './cluster.ts';
import { workersOf } from './databases.ts';

const root = path.resolve(import.meta.dirname, '..');
const isOnCitus = process.argv[2] === '--citus';
const options = isOnCitus ? ['--config', 'vitest.citus.config.ts', ...process.argv.slice(3)] : process.argv.slice(2);
const given = process.env['DATABASE_URL'];
if (given && isOnCitus && (await workersOf(given)).length === 0) {
  console.error('DATABASE_URL leads to no Citus coordinator with workers.');
  process.exit(1);
}
const server = given ? undefined : await (isOnCitus ? startCitus() : startCluster());
const url = given ?? server!.url;

const vitest = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...options], {
  cwd: root,
  stdio: 'inherit',
  // The tests create their own databases.
  env: { ...process.env, DATABASE_URL: '', TEST_DATABASE_URL: url },
});
// Ctrl+C reaches vitest too. The server stops after vitest.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => vitest.kill(signal));
const [code] = (await once(vitest, 'exit')) as [number | null];
await server?.stop();
process.exitCode = code ?? 1;
