import { appendFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../coverage');
mkdirSync(folder, { recursive: true });

/** Notes that a test saw an operation answer with a status; `npm run covered` reads the notes. */
export const noteAnswer = (api: string, operationId: string, status: number): void =>
  appendFileSync(path.join(folder, `answers-${process.pid}.tsv`), `${api}\t${operationId}\t${status}\n`);
