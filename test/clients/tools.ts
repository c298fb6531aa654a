import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.ts';

/** Programs of others that are used on contracts. They have a package of their own, so that the lock file of the product stays small. */
export const toolsFolder = path.join(import.meta.dirname, 'tools');

/** Installs them, unless they are installed as their lock file says. */
export async function installTools(): Promise<void> {
  const lock = readFileSync(path.join(toolsFolder, 'package-lock.json'), 'utf8');
  const installed = path.join(toolsFolder, 'dist/installed-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
  const { code, output } = await run('npm', ['ci', '--ignore-scripts', '--prefer-offline'], toolsFolder);
  if (code !== 0) throw new Error(output);
  mkdirSync(path.dirname(installed), { recursive: true });
  writeFileSync(installed, lock);
}
