import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freshBuild } from './fresh_build.ts';

const root = path.resolve(import.meta.dirname, '../../..');

/** A running process of the service. */
export interface Running {
  readonly output: () => string;
  /** Where it listens, once it is ready. */
  readonly url: string;
  signal(name: NodeJS.Signals): void;
  /** Resolves with the exit code, or with the name of the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** Sends a signal and returns the exit code, or the name of the signal that killed it. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** Starts a program of dist/ as npm does, and waits for a text in its output; throws with its output if it exits before. */
export async function startProcess(
  program: string,
  environment: Record<string, string>,
  readyText: string,
  wrapper: string[] = [],
): Promise<Running> {
  const { child, output } = await launch(program, [], environment, wrapper);
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  await new Promise<void>((resolve, reject) => {
    const look = (): void => void (output().includes(readyText) && resolve());
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    void ended.then((code) => reject(new Error(`${program} ended with ${code} before it was ready:\n${output()}`)));
  });
  return {
    output,
    ended,
    signal: (name) => void child.kill(name),
    url: /Reference +(http:\S+)\/docs/.exec(output())?.[1] ?? '',
    async stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** Starts the server as npm does: behind a shell, which receives the signals. */
export const startServerBehindShell = (environment: Record<string, string>): Promise<Running> =>
  startProcess('main', { ...environment, npm_lifecycle_event: 'start' }, 'Punchcard is ready.\n', [
    'sh',
    '-c',
    '"$@"; exit $?',
    'npm',
  ]);

/** Starts the server on a free port. */
export const startServer = (environment: Record<string, string>): Promise<Running> =>
  startProcess('main', environment, 'Punchcard is ready.\n');

/** Runs a program to its end. */
export async function runProgram(
  program: string,
  options: readonly string[],
  environment: Record<string, string>,
  wrapper: readonly string[] = [],
): Promise<{ code: number; output: string }> {
  const { child, output } = await launch(program, options, environment, wrapper);
  const [code] = (await once(child, 'close')) as [number];
  return { code, output: output() };
}

async function launch(
  program: string,
  options: readonly string[],
  environment: Record<string, string>,
  wrapper: readonly string[] = [],
) {
  await freshBuild();
  const [command, ...rest] = [...wrapper, process.execPath, `dist/${program}.js`, ...options];
  const child = spawn(command!, rest, {
    cwd: root,
    env: { ...cleanEnvironment(), PORT: '0', SHUTDOWN_DELAY_SECONDS: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return { child, output: () => text };
}

/** The environment without the settings of the user who runs the tests. */
const cleanEnvironment = (): Record<string, string | undefined> => ({
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  TMPDIR: process.env['TMPDIR'],
});

/** Creates a temporary folder. */
export function temporaryFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'punchcard-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
