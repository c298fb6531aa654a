/**
 * Runs the tests that need only Node. Of the files that send requests it takes a fifth, which the commit chooses, and those
 * that you have changed; `npm run test:pg` takes all of them. With --all it takes all too, and checks that they cover the
 * contracts. Other arguments are passed to vitest, which then chooses by them alone.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

const parts = 5;
const root = path.resolve(import.meta.dirname, '..');

const isAll = process.argv.includes('--all');
const options = process.argv.slice(2).filter((option) => option !== '--all');
const git = (...words: string[]): string[] =>
  execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .trim()
    .split('\n');

/** A fifth of the files, and those that differ from the commit. Undefined where Git does not know the commit. */
function sample(): string[] | undefined {
  try {
    const [commit] = git('rev-parse', 'HEAD') as [string];
    const changed = new Set([
      ...git('diff', '--name-only', '--relative', 'HEAD'),
      ...git('ls-files', '--others', '--exclude-standard'),
    ]);
    const part = Number.parseInt(commit.slice(0, 8), 16) % parts;
    const files = [...testsIn('test/api'), ...testsIn('test/verify').filter((file) => !file.includes('/processes/'))];
    const chosen = files.filter((file, index) => index % parts === part || changed.has(file));
    console.log(`Commit ${commit.slice(0, 8)} chooses ${chosen.length} of the ${files.length} files with requests.`);
    return chosen;
  } catch {
    return undefined;
  }
}

const testsIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name.replaceAll(path.sep, '/')}`)
    .sort();

const run = (file: string, ...words: string[]): number =>
  spawnSync(process.execPath, [file, ...words], { cwd: root, stdio: 'inherit', env: process.env }).status ?? 1;

const chosen = isAll || options.length > 0 ? undefined : sample();
if (chosen) process.env['TEST_SAMPLE'] = chosen.join(',');
process.exitCode = run('node_modules/vitest/vitest.mjs', 'run', ...options);
if (isAll && process.exitCode === 0) process.exitCode = run('node_modules/tsx/dist/cli.mjs', 'scripts/covered.ts');
