/** Everything about the code that needs no running: is it generated, linted, typed and formatted? Says what to do where not. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { missingFromChangelog } from './breaking_changes.ts';

const root = path.resolve(import.meta.dirname, '..');
const execute = promisify(execFile);

interface Check {
  readonly name: string;
  readonly advice: string;
  /** Returns what is wrong, or nothing. */
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

const tool = (file: string, ...options: string[]) =>
  outputOf(process.execPath, path.join('node_modules', file), ...options);
const complaints = async (run: ReturnType<typeof outputOf>): Promise<string> => {
  const { isFine, output } = await run;
  return isFine ? '' : output;
};

async function drift(): Promise<string> {
  const failure = await complaints(outputOf(process.execPath, '--import', 'tsx', 'scripts/generate.ts'));
  if (failure) return failure;
  const changed = await outputOf('git', 'diff', '--stat', '--', 'generated');
  const untracked = await outputOf('git', 'ls-files', '--others', '--exclude-standard', '--', 'generated');
  return changed.output + untracked.output;
}

const workflows = readdirSync(path.join(root, 'openapi/workflows'))
  .filter((name) => name !== 'redocly.yaml')
  .map((name) => `openapi/workflows/${name}`);

const checks: readonly Check[] = [
  {
    name: 'contract lints',
    advice: 'Correct the lines above in openapi/.',
    find: () => complaints(tool('@redocly/cli/bin/cli.js', 'lint', 'v3', 'public')),
  },
  {
    name: 'workflows lint',
    advice: 'Correct the lines above in openapi/workflows/.',
    find: () =>
      complaints(tool('@redocly/cli/bin/cli.js', 'lint', ...workflows, '--config', 'openapi/workflows/redocly.yaml')),
  },
  {
    name: 'nothing released is broken without notice',
    advice: 'Undo it. Where it cannot be helped, say so in the newest section of CHANGELOG.md, with these very lines.',
    find: async () => (await missingFromChangelog()).join('\n'),
  },
  {
    name: 'code compiles',
    advice:
      'A missing handler, a wrong parameter or a wrong answer shows up here: follow the contract, or change it first.',
    find: () => complaints(tool('typescript/bin/tsc', '-p', '.')),
  },
  {
    name: 'code lints',
    advice: 'Correct it, or try: npx eslint . --fix',
    find: () => complaints(tool('eslint/bin/eslint.js', '.')),
  },
  {
    name: 'files are formatted',
    advice: 'Run: npm run format',
    find: () => complaints(tool('prettier/bin/prettier.cjs', '--check', '.')),
  },
];

async function report({ name, advice, find }: Check): Promise<boolean> {
  const found = (await find()).trim();
  console.log(found ? `✗ ${name}\n\n${found.replaceAll(/^/gm, '    ')}\n\n  → ${advice}\n` : `✓ ${name}`);
  return found === '';
}

// First, because it writes the files that the others read.
const generated = await report({
  name: 'generated/ follows from openapi/ and the migrations',
  advice: 'generated/ has been made anew: look at the difference and commit it together with what caused it.',
  find: drift,
});
const others = await Promise.all(checks.map(report));
const failures = [generated, ...others].filter((isFine) => !isFine).length;
console.log(failures === 0 ? '\nAll is well.' : `\n${failures} of ${checks.length + 1} checks failed.`);
process.exitCode = failures === 0 ? 0 : 1;
