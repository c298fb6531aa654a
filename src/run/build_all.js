/* Builds every program, so that no start has to. For images, and for folders in which nothing may be written later. */
import path from 'node:path';
import { buildOf } from './build.js';

for (const name of ['main', 'worker', 'cli', 'docs']) {
  const source = path.resolve(import.meta.dirname, '..', `${name}.ts`);
  const file = await buildOf(source, path.resolve(import.meta.dirname, '../../dist/run'));
  console.log(`Built ${path.relative(process.cwd(), file)}.`);
}
