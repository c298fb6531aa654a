import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../../coverage');
mkdirSync(folder, { recursive: true });

/** Notes that a test saw an operation answer with a status; scripts/covered.ts reads the notes. */
export const recordStatus = (api: string, operationId: string, status: number): void =>
  appendFileSync(path.join(folder, `answers-${process.pid}.tsv`), `${api}\t${operationId}\t${status}\n`);

/** Notes the titles of an error answer; scripts/covered.ts looks for them in the catalogue. */
export function recordTitles(status: number, titles: readonly string[]): void {
  for (const title of titles)
    appendFileSync(path.join(folder, `titles-${process.pid}.tsv`), `${status}\t${JSON.stringify(title)}\n`);
}

/** Forgets what earlier runs have seen. */
export function clearRecords(): void {
  for (const name of readdirSync(folder)) if (/^(answers|titles)-/.test(name)) rmSync(path.join(folder, name));
}
