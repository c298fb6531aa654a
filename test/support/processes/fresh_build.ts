import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isUpToDate, programs, reference, type Part } from '../../../scripts/build/parts.ts';

/** Builds once in a run, and only if the part is outdated. */
function fresh(part: Part, ...options: string[]): () => Promise<void> {
  let building: Promise<unknown> | undefined;
  return async () => {
    const command = ['--import', 'tsx', 'scripts/build/build.ts', ...options];
    building ??= isUpToDate(part) ? Promise.resolve() : promisify(execFile)(process.execPath, command);
    await building;
  };
}

/** Builds the reference if it is outdated, before a test asks for it. */
export const freshDocs = fresh(reference, 'docs');

/** Builds dist/ if it is outdated, because a process runs from there. */
export const freshBuild = fresh(programs);

/** Before all tests, so that no hook waits for it. */
export default freshBuild;
