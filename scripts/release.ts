/** Stores the current contracts as those of the version in package.json, so that later ones are compared with them. */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { releasedFolder } from './breaking_changes.ts';

const root = path.resolve(import.meta.dirname, '..');

if (process.argv.includes('--help')) {
  console.log(
    'npm run release\n\nStores generated/v3.json and generated/public.json as the contracts of the version in package.json.',
  );
} else {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  const folder = path.join(releasedFolder, version);
  mkdirSync(folder, { recursive: true });
  for (const name of ['v3.json', 'public.json'])
    copyFileSync(path.join(root, 'generated', name), path.join(folder, name));
  console.log(
    `The contracts of ${version} are in ${path.relative(process.cwd(), folder)}. Commit them together with the release.`,
  );
}
