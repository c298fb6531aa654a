import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../coverage');
mkdirSync(folder, { recursive: true });

/** Notes that a test saw an operation answer with a status; scripts/covered.ts reads the notes. */
export const noteAnswer = (api: string, operationId: string, status: number): void =>
  appendFileSync(path.join(folder, `answers-${process.pid}.tsv`), `${api}\t${operationId}\t${status}\n`);

/** Forgets what earlier runs have seen. */
export function clearNotes(): void {
  for (const name of readdirSync(folder)) if (name.startsWith('answers-')) rmSync(path.join(folder, name));
}
