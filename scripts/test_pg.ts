/**
 * Runs all tests that use a database on PostgreSQL: on the server in DATABASE_URL, whose user must be allowed to create databases,
 * or on a temporary one started from the installed binaries. Then checks that they cover the contracts. With --citus, runs those
 * that need a Citus coordinator, on one. Arguments after "--" are passed to vitest, which then chooses by them alone.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startCitus } from './citus.ts';
import { startCluster } from './cluster.ts';
import { workersOf } from './databases.ts';

const root = path.resolve(import.meta.dirname, '..');
const isOnCitus = process.argv[2] === '--citus';
const given = process.argv.slice(isOnCitus ? 3 : 2);
const isWhole = !isOnCitus && given.length === 0;
const options = isOnCitus
  ? ['--config', 'vitest.citus.config.ts', ...given]
  : isWhole
    ? ['--project', 'api', '--project', 'system']
    : given;
const address = process.env['DATABASE_URL'];
if (address && isOnCitus && (await workersOf(address)).length === 0) {
  console.error('DATABASE_URL leads to no Citus coordinator with workers.');
  process.exit(1);
}
const server = address ? undefined : await (isOnCitus ? startCitus() : startCluster());
const url = address ?? server!.url;

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
if (isWhole && code === 0) await import('./covered.ts');
