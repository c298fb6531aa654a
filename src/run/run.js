/*
 * Runs a program of src/ from its build: "node src/run/run.js main" starts the server. This is a plain script, so that no
 * compiler has to be loaded for it.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { buildOf } from './build.js';

// The program finds its options at the usual position in argv.
const name = `${process.argv.splice(2, 1)[0]}.ts`;
const file = await buildOf(
  path.resolve(import.meta.dirname, '..', name),
  path.resolve(import.meta.dirname, '../../dist/run'),
  () => process.stderr.write(`Building ${name}. Later starts skip this.\n`),
).catch(undefinedIfReadOnly);

if (file) {
  // Stack traces then show the lines of the sources.
  process.setSourceMapsEnabled(true);
  createRequire(import.meta.url)(file);
} else {
  const { register } = await import('tsx/esm/api');
  register();
  await import(`../${name}`);
}

/**
 * Where nothing can be written there is no build. The program runs without one, and starts more slowly.
 *
 * @param {NodeJS.ErrnoException} error
 */
function undefinedIfReadOnly(error) {
  if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(error.code ?? '')) throw error;
  return undefined;
}
