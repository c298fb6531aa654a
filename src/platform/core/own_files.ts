import path from 'node:path';

/** Set in the programs that "npm run build" makes. */
declare const IS_BUILT: true | undefined;

/** Whether this program runs from dist/, and not from its sources. */
export const isBuilt = typeof IS_BUILT !== 'undefined';

/** The folder with package.json. */
export const rootFolder = path.resolve(import.meta.dirname, isBuilt ? '..' : '../../..');

/** A file or a folder that "npm run build" makes. */
export const builtFile = (name: string): string =>
  isBuilt ? path.join(import.meta.dirname, name) : path.join(rootFolder, 'dist', name);

/** A file or a folder of the repository that the service reads. A built program has a copy of it beside itself. */
export const ownFile = (name: string): string => (isBuilt ? builtFile(name) : path.join(rootFolder, name));
