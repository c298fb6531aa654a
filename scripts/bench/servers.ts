import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import { builtFile } from '../../src/platform/core/own_files.ts';
import { freePort } from '../cluster.ts';

/* Every server runs in its own process and writes its output to a file, so that it shares no time with the load generator. */

export interface Server {
  readonly url: string;
  readonly pid: number;
  /** The time from the start of the process to its first answer. */
  readonly startSeconds: number;
  stop(): Promise<void>;
}

/** How `npm start` calls Node. All contenders have its options. */
const start = packageFile.scripts.start.split(' ').slice(1);
const fromSources = (file: string): string[] => [
  ...start.filter((word) => word.startsWith('--')),
  '--import',
  'tsx',
  path.join(import.meta.dirname, file),
];

/** A program that was bundled into dist/. */
export const bundled = (name: string): string[] => [
  ...start.filter((word) => word.startsWith('--')),
  builtFile(`${name}.js`),
];

/** Punchcard is the last one. The others are compared with it. */
export const contenders = { limit: fromSources('limit/server.ts'), fastify: fromSources('fastify.ts'), ours: start };

export type Contender = keyof typeof contenders;

/** Every server answers with this version of the software. */
export const gitCommit = 'bench';

/** Starts a server on a free port, and waits until it answers. */
export async function startServer(
  program: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Server> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-bench-'));
  const log = path.join(folder, 'log');
  const descriptor = openSync(log, 'w');
  const port = await freePort();
  const begin = performance.now();
  const child = spawn(process.execPath, program, {
    cwd: path.resolve(import.meta.dirname, '../..'),
    stdio: ['ignore', descriptor, descriptor],
    env: {
      ...{ PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_ENV: 'production' },
      ...{ GIT_COMMIT: gitCommit, PUBLIC_URL: 'http://bench.local', HOST: '127.0.0.1', PORT: String(port) },
      ...environment,
    },
  });
  closeSync(descriptor);
  const url = `http://127.0.0.1:${port}`;
  while (!(await isReady(url))) {
    if (child.exitCode !== null || performance.now() - begin > 120_000) {
      child.kill('SIGKILL');
      throw new Error(`${program.join(' ')} does not start. It wrote:\n${readFileSync(log, 'utf8').slice(-4_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return {
    url,
    pid: child.pid!,
    startSeconds: (performance.now() - begin) / 1000,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/health/ready`).then(
    async (response) => (await response.arrayBuffer(), response.status === 200),
    () => false,
  );

/** Starts Punchcard as `npm start` does, and waits until it is idle. */
export async function startOurs(environment: Readonly<Record<string, string>>): Promise<Server> {
  const server = await startServer(contenders.ours, { MONTH_CACHE: 'off', ...environment });
  await untilIdle(server);
  return server;
}

/** Starts all contenders on one database. */
export async function startContenders(databaseUrl: string): Promise<Record<Contender, Server>> {
  const started: Partial<Record<Contender, Server>> = {};
  try {
    for (const name of Object.keys(contenders) as Contender[])
      started[name] = await startServer(contenders[name], { DATABASE_URL: databaseUrl, MONTH_CACHE: 'off' });
    await untilIdle(started.ours!);
  } catch (error) {
    for (const server of Object.values(started)) await server.stop();
    throw error;
  }
  return started as Record<Contender, Server>;
}

/** Waits until a server does nothing. Punchcard compiles the rest of its contract after it is ready, which must not be measured. */
async function untilIdle({ pid }: Server): Promise<void> {
  if (Number.isNaN(secondsAtWork(pid))) return new Promise((resolve) => setTimeout(resolve, 20_000));
  for (let [before, quiet] = [secondsAtWork(pid), 0]; quiet < 4;) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    const after = secondsAtWork(pid);
    quiet = after - before <= 0.02 ? quiet + 1 : 0;
    before = after;
  }
}

/** The CPU seconds that a process has used so far; NaN if the system does not report them. */
export function secondsAtWork(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return NaN;
  // The 14th and 15th field: user and system time in hundredths of a second. The second field is a name, which may hold blanks.
  const figures = readFileSync(file, 'utf8').split(') ').at(-1)!.split(' ');
  return (Number(figures[11]) + Number(figures[12])) / 100;
}
