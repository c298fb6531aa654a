import { statSync } from 'node:fs';
import path from 'node:path';
import { buildDocs, docsFolder } from './docs/build.ts';
import { failed } from './process/process.ts';

const shown = (file: string): string => path.relative(process.cwd(), file);

/** Builds the reference of both APIs in dist/docs. Without it, the first start does. */
async function build(): Promise<void> {
  console.log(`Building the reference in ${shown(docsFolder)} …`);
  const started = performance.now();
  const pages = await buildDocs();
  for (const page of pages) console.log(`  ${shown(page)}  ${(statSync(page).size / 2 ** 20).toFixed(1)} MiB`);
  console.log(
    pages.length === 0
      ? 'Everything is up to date.'
      : `Done in ${((performance.now() - started) / 1000).toFixed(1)} s. "npm start" serves it at /docs.`,
  );
}

build().catch(failed);
