/*
 * npm runs this after an installation. It builds dist/, unless only what runs in production is installed. It is a plain script,
 * because there is no compiler then.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const needed = ['src', 'generated', 'openapi', 'node_modules/tsx', 'node_modules/esbuild', 'node_modules/@redocly/cli'];
const missing = needed.filter((name) => !existsSync(path.join(root, name)));
if (missing.length > 0) console.log(`Nothing is built here: ${missing.join(', ')} is missing.`);
else {
  const options = ['--import', 'tsx', 'scripts/build/build.ts'];
  process.exitCode = spawnSync(process.execPath, options, { cwd: root, stdio: 'inherit' }).status ?? 1;
}
