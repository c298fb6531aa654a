import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

/** `failed`: a test failed. `broken`: no test could run. */
export type Outcome = 'passed' | 'failed' | 'broken';

export interface TestRun {
  readonly outcome: Outcome;
  /** The test that failed first, or the end of the output. */
  readonly detail: string;
  readonly seconds: number;
}

const settings = [
  ...['--root', '.', '--config', 'scripts/verify/mutations/vitest.config.ts'],
  ...['--bail', '1', '--reporter=json'],
];

/** A mutation can make a test wait for ever, which counts as failed. */
const timeoutMs = 600_000;

interface TestResult {
  readonly status: string;
  readonly fullName: string;
  readonly failureMessages: readonly string[];
}

interface Report {
  readonly numTotalTests: number;
  readonly numFailedTests: number;
  readonly success: boolean;
  readonly testResults: readonly { readonly assertionResults: readonly TestResult[] }[];
}

let running: ChildProcess | undefined;

/** Stops the tests that are running. */
export const stopTests = (): void => void running?.kill();

/** Runs some test files in a folder until the first failure. */
export async function runTests(folder: string, tests: readonly string[], url: string | undefined): Promise<TestRun> {
  const file = path.join(folder, 'report.json');
  rmSync(file, { force: true });
  const environment: NodeJS.ProcessEnv = { ...process.env, DATABASE_URL: '' };
  delete environment['TEST_DATABASE_URL'];
  if (url !== undefined) environment['TEST_DATABASE_URL'] = url;
  const startedAt = performance.now();
  const vitest = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...settings, `--outputFile=${file}`, ...tests],
    { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let output = '';
  for (const stream of [vitest.stdout, vitest.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  let isStuck = false;
  const timer = setTimeout(() => {
    isStuck = true;
    vitest.kill('SIGKILL');
  }, timeoutMs);
  running = vitest;
  await once(vitest, 'close');
  running = undefined;
  clearTimeout(timer);
  const seconds = (performance.now() - startedAt) / 1000;
  if (isStuck) return { outcome: 'failed', detail: `No end after ${timeoutMs / 1000} seconds.`, seconds };
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined;
  if (report && report.numFailedTests > 0) return { outcome: 'failed', detail: firstFailure(report), seconds };
  if (report?.success && report.numTotalTests > 0) return { outcome: 'passed', detail: '', seconds };
  return { outcome: 'broken', detail: output.slice(-2000), seconds };
}

function firstFailure({ testResults }: Report): string {
  const failed = testResults.flatMap((file) => file.assertionResults).find(({ status }) => status === 'failed');
  return `${failed?.fullName}: ${failed?.failureMessages[0]?.split('\n')[0]}`;
}
