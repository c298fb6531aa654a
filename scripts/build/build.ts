/**
 * Makes dist/: the programs, the published reference, and a migrated template of the embedded database. What is up to date stays
 * as it is. `npm run docs` makes the reference alone.
 */
import { mkdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { builtFile } from '../../src/platform/core/own_files.ts';
import { lockFolder } from '../../src/platform/db/driver/folder_lock.ts';
import { isUpToDate, makePart, parts, reference } from './parts.ts';

/** Waits until no other process builds. */
async function locked(): Promise<() => void> {
  mkdirSync(builtFile('.'), { recursive: true });
  for (;;) {
    try {
      return lockFolder(builtFile('.'));
    } catch (error) {
      if (!String(error).includes('is in use')) throw error;
      await pause(200);
    }
  }
}

const unlock = await locked();
for (const part of process.argv[2] === 'docs' ? [reference] : parts) {
  if (isUpToDate(part)) {
    console.log(`dist/ has ${part.title} already.`);
    continue;
  }
  const started = performance.now();
  console.log(`Building ${part.title} in dist/ …`);
  await makePart(part);
  console.log(`Built ${part.title} in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
}
unlock();
