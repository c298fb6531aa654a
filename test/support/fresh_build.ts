import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isUpToDate, programs, reference } from '../../scripts/build/parts.ts';

const run = (...options: string[]) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/build/build.ts', ...options]);

/** Builds the reference before the tests if it is outdated: the app that they share serves it. */
export default async function setup(): Promise<void> {
  if (!isUpToDate(reference)) await run('docs');
}

let building: Promise<unknown> | undefined;

/** Builds dist/ if it is outdated, because a process runs from there. */
export const freshBuild = async (): Promise<void> => {
  building ??= isUpToDate(programs) ? Promise.resolve() : run();
  await building;
};
