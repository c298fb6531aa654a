/** Checks everything about the repository that needs no test run, and says what to do about each failure. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { missingFromChangelog } from './breaking_changes.ts';

const root = path.resolve(import.meta.dirname, '..');
const execute = promisify(execFile);

interface Check {
  readonly name: string;
  readonly advice: string;
  /** Returns the problems as text; empty if there are none. */
  find(): Promise<string>;
}

async function outputOf(program: string, ...options: string[]): Promise<{ isFine: boolean; output: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true', NO_COLOR: '1' };
  try {
    const { stdout, stderr } = await execute(program, options, { cwd: root, env, maxBuffer: 64 * 2 ** 20 });
    return { isFine: true, output: stdout + stderr };
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
    return { isFine: false, output: stdout + stderr || message };
  }
}

/** The output of a program that failed; empty if it succeeded. */
async function failureOf(program: string, ...options: string[]): Promise<string> {
  const { isFine, output } = await outputOf(program, ...options);
  return isFine ? '' : output;
}

const tool = (file: string, ...options: string[]) =>
  failureOf(process.execPath, path.join('node_modules', file), ...options);
const script = (file: string) => failureOf(process.execPath, '--import', 'tsx', file);
const redocly = (...options: string[]) => tool('@redocly/cli/bin/cli.js', 'lint', ...options);

const generatedFolder = path.join(root, 'generated');
const generatedFiles = (): Map<string, string> =>
  new Map(
    readdirSync(generatedFolder).map((name) => [name, readFileSync(path.join(generatedFolder, name), 'utf8')] as const),
  );

/** Regenerates generated/ and lists the files whose content changed, or the generator's error. */
async function drift(): Promise<string> {
  const before = generatedFiles();
  const failure = await script('scripts/generate.ts');
  if (failure) return failure;
  return [...generatedFiles()]
    .filter(([name, text]) => before.get(name) !== text)
    .map(([name]) => `generated/${name} was out of date.`)
    .join('\n');
}

const workflows = readdirSync(path.join(root, 'openapi/workflows'))
  .filter((name) => name !== 'redocly.yaml')
  .map((name) => `openapi/workflows/${name}`);

const generatedCheck: Check = {
  name: 'generated/ is up to date',
  advice: 'generated/ has been regenerated (npm run generate): commit it together with the change that caused it.',
  find: drift,
};

const checks: readonly Check[] = [
  {
    name: 'contracts lint',
    advice: 'Correct the lines above in openapi/.',
    find: () => redocly('v3', 'public'),
  },
  {
    name: 'workflows lint',
    advice: 'Correct the lines above in openapi/workflows/.',
    find: () => redocly(...workflows, '--config', 'openapi/workflows/redocly.yaml'),
  },
  {
    name: 'breaking changes are in the changelog',
    advice: 'Undo the breaking change, or add these lines to the newest section of CHANGELOG.md.',
    find: async () => missingFromChangelog().join('\n'),
  },
  {
    name: 'code compiles',
    advice: 'A missing handler, a wrong parameter or a wrong answer is a compile error: follow or change the contract.',
    find: () => tool('typescript/bin/tsc', '-p', '.'),
  },
  {
    name: 'code lints',
    advice: 'Correct it, or try: npx eslint . --fix',
    find: () => tool('eslint/bin/eslint.js', '.', ...cacheIn('eslint')),
  },
  {
    name: 'files are formatted',
    advice: 'Run: npm run format',
    find: () => tool('prettier/bin/prettier.cjs', '--check', '.', ...cacheIn('prettier')),
  },
  {
    name: 'examples are what the service answers',
    advice: 'Run: npm run examples -- --write',
    find: () => script('scripts/examples.ts'),
  },
];

/** By content, because a checkout changes the times of files. */
function cacheIn(name: string): string[] {
  return ['--cache', '--cache-strategy', 'content', '--cache-location', `.cache/${name}`];
}

async function report({ name, advice, find }: Check): Promise<boolean> {
  const started = performance.now();
  const problems = (await find()).trim();
  const line = `${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`;
  console.log(problems ? `✗ ${line}\n\n${problems.replaceAll(/^/gm, '    ')}\n\n  → ${advice}\n` : `✓ ${line}`);
  return problems === '';
}

// It writes the files that the other checks read, so it runs first.
const isGenerated = await report(generatedCheck);
const results = await Promise.all(checks.map(report));
const failureCount = [isGenerated, ...results].filter((isFine) => !isFine).length;
const { output: uncommitted } = await outputOf('git', 'status', '--short', '--', 'generated');
if (isGenerated && uncommitted)
  console.log('\nNote: generated/ is up to date, but not committed yet. Commit it with your change.');
console.log(failureCount === 0 ? '\nAll checks passed.' : `\n${failureCount} of ${checks.length + 1} checks failed.`);
process.exitCode = failureCount === 0 ? 0 : 1;
