import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../cluster.ts';
import { settings } from './contenders/operation.ts';

/* Every server runs in its own process and writes its output to a file, so that it shares no time with the load generator. */

const root = path.resolve(import.meta.dirname, '../..');

export interface Server {
  readonly url: string;
  readonly pid: number;
  /** From the start of the process to its first answer: elapsed time, and CPU time. */
  readonly startSeconds: number;
  readonly startSecondsAtWork: number;
  /** Its output so far. */
  readonly output: () => string;
  stop(): Promise<void>;
}

export interface Start {
  /** The arguments of Node. */
  readonly program: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** An address that answers with 200 once the server is ready. */
  readonly ready: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Starts a server on a free port and waits for its first answer. */
export async function startServer({ program, environment, ready, headers = {} }: Start): Promise<Server> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-bench-'));
  const log = path.join(folder, 'log');
  const output = (): string => readFileSync(log, 'utf8');
  const descriptor = openSync(log, 'w');
  const port = await freePort();
  const begin = performance.now();
  const child = spawn(process.execPath, program, {
    cwd: root,
    stdio: ['ignore', descriptor, descriptor],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_ENV: 'production',
      ...commonEnvironment,
      ...environment,
      PORT: String(port),
    },
  });
  closeSync(descriptor);
  const url = `http://127.0.0.1:${port}`;
  while (!(await answers(url + ready, headers))) {
    if (child.exitCode !== null || performance.now() - begin > 120_000) {
      child.kill('SIGKILL');
      throw new Error(`${program.join(' ')} does not answer at ${ready}. It wrote:\n${output().slice(-4_000)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const startSeconds = (performance.now() - begin) / 1000;
  return {
    url,
    pid: child.pid!,
    startSeconds,
    startSecondsAtWork: secondsAtWork(child.pid!),
    output,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const commonEnvironment = { GIT_COMMIT: settings.gitCommit, PUBLIC_URL: settings.publicUrl, HOST: '127.0.0.1' };

const answers = (url: string, headers: Readonly<Record<string, string>>): Promise<boolean> =>
  fetch(url, { headers }).then(
    async (response) => (await response.arrayBuffer(), response.status === 200),
    () => false,
  );

/**
 * Waits until a server is idle after its start. Punchcard compiles the rest of its contract after it is ready, which must not be
 * measured.
 */
export async function untilIdle({ pid }: Server): Promise<void> {
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
