import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../../coverage');
mkdirSync(folder, { recursive: true });

/** Records that an operation answered with a status, for scripts/covered.ts. */
export const recordStatus = (api: string, operationId: string, status: number): void =>
  appendFileSync(path.join(folder, `answers-${process.pid}.tsv`), `${api}\t${operationId}\t${status}\n`);

/** Records the titles of an error answer, for scripts/covered.ts. */
export function recordTitles(status: number, titles: readonly string[]): void {
  for (const title of titles)
    appendFileSync(path.join(folder, `titles-${process.pid}.tsv`), `${status}\t${JSON.stringify(title)}\n`);
}

/** Deletes the records of earlier runs. */
export function clearRecords(): void {
  for (const name of readdirSync(folder)) if (/^(answers|titles)-/.test(name)) rmSync(path.join(folder, name));
}
