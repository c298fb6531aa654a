import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { builtFile, isBuilt, rootFolder } from '../../platform/core/own_files.ts';

/** Everything that "npm run build" makes dist/ from. */
export const sources = [
  'src',
  'generated',
  'openapi/workflows',
  'scripts/build',
  'scripts/docs',
  'CHANGELOG.md',
  'package-lock.json',
] as const;

/** The file in dist/ with the hashes of what its parts were made from. */
export const recordFile = 'build.json';

export interface BuildRecord {
  readonly sources?: string;
  readonly docs?: string;
  readonly template?: string;
}

/** The sources that dist/ was made from. */
export const buildRecord = (): BuildRecord =>
  existsSync(builtFile(recordFile)) ? (JSON.parse(readFileSync(builtFile(recordFile), 'utf8')) as BuildRecord) : {};

/** The hash of files, and of all files in folders, which are named relative to a root. */
export function hashOf(root: string, names: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of names.flatMap((name) => filesOf(root, name)))
    hash.update(`${file}\n`).update(readFileSync(path.join(root, file)));
  return hash.digest('hex');
}

function filesOf(root: string, name: string): string[] {
  if (statSync(path.join(root, name)).isFile()) return [name];
  return readdirSync(path.join(root, name))
    .filter((entry) => !entry.startsWith('.'))
    .sort()
    .flatMap((entry) => filesOf(root, `${name}/${entry}`));
}

/** Refuses a build that was made from other sources than those beside it. Where there are no sources, it is right. */
export function requireCurrentBuild(): void {
  if (!isBuilt || !existsSync(path.join(rootFolder, 'src'))) return;
  if (buildRecord().sources !== hashOf(rootFolder, sources))
    throw new Error('dist/ was built from other sources than those in this folder. Build it again with: npm run build');
}
