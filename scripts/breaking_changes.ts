/** Finds breaking changes of the contracts that the changelog does not list. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Contract } from '../src/platform/http/contract_document.ts';
import { contractChanges } from './contract/contract_changes.ts';
import type { BreakingChange } from './contract/schema_changes.ts';

const root = path.resolve(import.meta.dirname, '..');
export const releasedFolder = path.join(root, 'openapi/released');

/** The line of the changelog for a change. */
export const changelogLine = (api: string, { place, message }: BreakingChange): string =>
  `- **Breaking** in ${api}, \`${place}\`: ${message}`;

/** The changes that the newest section of the changelog does not list. */
export function unnamed(api: string, changes: readonly BreakingChange[], changelog: string): BreakingChange[] {
  const newest = changelog.split(/^## /m)[1] ?? '';
  return changes.filter((change) => !newest.includes(changelogLine(api, change)));
}

/** The lines that are missing in the changelog, for both contracts. */
export function missingFromChangelog(): string[] {
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  return ['v3', 'public'].flatMap((api) => {
    const earlier = releasedContract(api) ?? landedContract(root, `generated/${api}.json`);
    if (earlier === undefined) return [];
    const present = readFileSync(path.join(root, 'generated', `${api}.json`), 'utf8');
    const changes = contractChanges(JSON.parse(earlier) as Contract, JSON.parse(present) as Contract);
    return unnamed(api, changes, changelog).map((change) => changelogLine(api, change));
  });
}

const byVersion = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** The contract of the last release, if there is one. */
function releasedContract(api: string): string | undefined {
  const versions = existsSync(releasedFolder) ? readdirSync(releasedFolder).sort(byVersion) : [];
  const latest = versions.at(-1);
  return latest && readFileSync(path.join(releasedFolder, latest, `${api}.json`), 'utf8');
}

/**
 * The newest text of a file on the main branch that differs from the present one. On a branch, that is the text before the branch;
 * on the main branch, the text before the last change. Undefined where Git knows no other.
 */
export function landedContract(folder: string, file: string): string | undefined {
  const git = (...values: string[]): string | undefined => {
    try {
      return execFileSync('git', values, {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    } catch {
      return undefined;
    }
  };
  const landed = git('merge-base', 'HEAD', 'origin/main') ?? git('merge-base', 'HEAD', 'main') ?? 'HEAD';
  const present = readFileSync(path.join(folder, file), 'utf8');
  const commits = git('rev-list', '--max-count=2', landed.trim(), '--', file)?.match(/\S+/g) ?? [];
  return commits
    .map((commit) => git('show', `${commit}:${file}`))
    .find((text) => text !== undefined && text !== present);
}
