/** Finds breaking changes of the contracts since the last release that the changelog does not list. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Contract } from '../src/http/contract_document.ts';
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

const byVersion = (a: string, b: string): number => a.localeCompare(b, 'en', { numeric: true });

/** The lines that are missing in the changelog, for both contracts. */
export function missingFromChangelog(): string[] {
  const versions = readdirSync(releasedFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const latest = versions
    .map(({ name }) => name)
    .sort(byVersion)
    .at(-1);
  if (!latest) return [];
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  return ['v3', 'public'].flatMap((api) => {
    const released = readContract(path.join(releasedFolder, latest, `${api}.json`));
    const changes = contractChanges(released, readContract(path.join(root, 'generated', `${api}.json`)));
    return unnamed(api, changes, changelog).map((change) => changelogLine(api, change));
  });
}

const readContract = (file: string): Contract => JSON.parse(readFileSync(file, 'utf8')) as Contract;
