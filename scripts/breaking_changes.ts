/** Finds breaking changes of the contracts since the last release that the changelog does not list. */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '..');
export const releasedFolder = path.join(root, 'openapi/released');

/** One change, in the words of the changelog. */
export interface BreakingChange {
  /** The schema member or the operation, such as `Area.attributes.color` or `GET /users/me`. */
  readonly place: string;
  readonly message: string;
}

interface Report {
  readonly changes: readonly {
    readonly verdicts: readonly {
      readonly impact: string;
      readonly message: string;
      readonly location: { readonly pointer: string };
    }[];
  }[];
}

/** Compares two bundled contracts. */
export async function breakingChanges(released: string, present: string): Promise<BreakingChange[]> {
  const cli = path.join(root, 'node_modules/@redocly/cli/bin/cli.js');
  const options = [
    'diff',
    released,
    present,
    '--config',
    path.join(releasedFolder, 'redocly.yaml'),
    '--fail-on',
    'none',
    '--format',
    'json',
  ];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_NOTIFICATIONS: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...options], {
    cwd: root,
    env,
    maxBuffer: 256 * 2 ** 20,
  });
  const { changes } = JSON.parse(stdout) as Report;
  return changes
    .flatMap(({ verdicts }) => verdicts)
    .filter(({ impact }) => impact === 'major')
    .map(({ message, location }) => ({ place: placeOf(location.pointer), message }));
}

/** Turns `#/components/schemas/Area/properties/name/type` into `Area.name.type`, and a pointer into a path into its operation. */
function placeOf(pointer: string): string {
  const [first, second, third, ...rest] = pointer
    .slice(2)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (first === 'paths') return third ? `${third.toUpperCase()} ${second}` : second!;
  const steps = second === 'schemas' ? [third!, ...rest] : [second!, third!, ...rest];
  return steps.filter((step, index) => index === 0 || step !== 'properties').join('.');
}

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
export async function missingFromChangelog(): Promise<string[]> {
  const versions = readdirSync(releasedFolder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const latest = versions
    .map(({ name }) => name)
    .sort(byVersion)
    .at(-1);
  if (!latest) return [];
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const missing = await Promise.all(
    ['v3', 'public'].map(async (api) => {
      const changes = await breakingChanges(
        path.join(releasedFolder, latest, `${api}.json`),
        path.join(root, 'generated', `${api}.json`),
      );
      return unnamed(api, changes, changelog).map((change) => changelogLine(api, change));
    }),
  );
  return missing.flat();
}
