import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../../coverage');
mkdirSync(folder, { recursive: true });

/** Records that an operation answered with a status, for scripts/covered.ts. */
export const recordStatus = (api: string, operationId: string, status: number): void =>
  appendFileSync(path.join(folder, `answers-${process.pid}.tsv`), `${api}\t${operationId}\t${status}\n`);

/** Records the problems of an error answer, for scripts/covered.ts. */
export function recordProblems(status: number, problems: readonly { code: string; title: string }[]): void {
  for (const { code, title } of problems)
    appendFileSync(path.join(folder, `problems-${process.pid}.tsv`), `${status}\t${code}\t${JSON.stringify(title)}\n`);
}

/** Deletes the records of earlier runs. */
export function clearRecords(): void {
  for (const name of readdirSync(folder)) if (/^(answers|problems)-/.test(name)) rmSync(path.join(folder, name));
}
