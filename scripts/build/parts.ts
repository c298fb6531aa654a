import { writeFileSync } from 'node:fs';
import { builtFile, rootFolder } from '../../src/platform/core/own_files.ts';
import {
  buildRecord,
  hashOf,
  recordFile,
  sources,
  type BuildRecord,
} from '../../src/programs/process/current_build.ts';

/** A part of dist/. */
export interface Part {
  readonly title: string;
  readonly name: keyof BuildRecord;
  /** What it is made from. */
  readonly from: readonly string[];
  readonly make: () => Promise<void>;
}

export const reference: Part = {
  title: 'the reference',
  name: 'docs',
  from: [
    'generated',
    'openapi/workflows',
    'scripts/docs',
    'src/programs/demo/credentials.ts',
    'src/programs/docs',
    'src/platform/http/contract_document.ts',
    'CHANGELOG.md',
    'package-lock.json',
  ],
  make: async () => (await import('../docs/build.ts')).writeDocs(),
};

const template: Part = {
  title: 'the template of the embedded database',
  name: 'template',
  from: [
    'src/platform/core',
    'src/platform/db',
    'src/platform/jobs',
    'src/programs/job_handlers.ts',
    'scripts/build/template.ts',
    'package-lock.json',
  ],
  make: async () => (await import('./template.ts')).writeTemplate(),
};

export const programs: Part = {
  title: 'the programs',
  name: 'sources',
  from: sources,
  make: async () => (await import('./programs.ts')).writePrograms(),
};

/** All parts. The programs are the last, because they start only if their hash fits. */
export const parts: readonly Part[] = [reference, template, programs];

export const isUpToDate = ({ name, from }: Part): boolean => buildRecord()[name] === hashOf(rootFolder, from);

/** Makes a part. A file that is saved meanwhile makes it outdated again. */
export async function makePart({ name, from, make }: Part): Promise<void> {
  const hash = hashOf(rootFolder, from);
  await make();
  writeFileSync(builtFile(recordFile), JSON.stringify({ ...buildRecord(), [name]: hash }));
}
