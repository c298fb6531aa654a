/**
 * Fails if no test got a documented success, 400, 403 or 404 of an operation, if no test got a code of errors, or if an error
 * title is missing in the catalogue.
 * The tests record every answer in coverage/; this compares the records of the last run with the contracts and with
 * openapi/guides/error_codes.md.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { operationsOf, readContract, wordsOf } from '../src/platform/http/contract_document.ts';
import { isListed, readErrorCatalogue } from './error_catalogue.ts';

const folder = path.resolve(import.meta.dirname, '../coverage');
const recordsOf = (kind: string): Set<string> => {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(`${kind}-`)) : [];
  return new Set(files.flatMap((name) => readFileSync(path.join(folder, name), 'utf8').trim().split('\n')));
};
const answered = recordsOf('answers');
if (answered.size === 0) {
  console.error('No test recorded an answer. Run the tests first: npm run test:pg');
  process.exit(1);
}

const mustBeShown = (status: string): boolean => /^2|^40[034]$/.test(status);

let missing = 0;
for (const api of ['v3', 'public'] as const) {
  const operations = operationsOf(readContract(api)).map(({ operation }) => {
    const statuses = Object.keys(operation.responses).filter(mustBeShown);
    return {
      id: operation.operationId,
      statuses,
      open: statuses.filter((status) => !answered.has(`${api}\t${operation.operationId}\t${status}`)),
    };
  });
  const all = operations.flatMap(({ statuses }) => statuses).length;
  const open = operations.filter((operation) => operation.open.length > 0);
  const count = open.flatMap((operation) => operation.open).length;
  console.log(
    `${api.padEnd(8)} ${operations.length} operations, ${all - count} of ${all} documented answers are covered by tests.`,
  );
  for (const operation of open)
    console.log(`  ${operation.id.padEnd(36)} has no test for ${operation.open.join(', ')}`);
  missing += count;
}
if (missing > 0) {
  console.error(
    `\n${missing} documented answers have no test: write one for each, or remove it from the contract if it cannot occur.`,
  );
  process.exitCode = 1;
}

const seen = [...recordsOf('problems')].map((note) => {
  const [status, code, title] = note.split('\t') as [string, string, string];
  return { status: Number(status), code, title: JSON.parse(title) as string };
});
const catalogue = readErrorCatalogue();
const unlisted = seen.filter((problem) => !isListed(catalogue, problem));
console.log(`errors   ${seen.length - unlisted.length} of ${seen.length} titles are in the catalogue.`);
if (unlisted.length > 0) {
  for (const { status, code, title } of unlisted) console.log(`  ${status}  ${code}  ${title}`);
  console.error(
    '\nThese error titles are not in the catalogue: add a line for each under its code in openapi/guides/error_codes.md.',
  );
  process.exitCode = 1;
}

const codes = wordsOf(readContract('v3'), 'ErrorCode');
const shown = new Set(seen.map(({ code }) => code));
const unseen = codes.filter((code) => !shown.has(code));
console.log(`codes    ${codes.length - unseen.length} of ${codes.length} are covered by tests.`);
if (unseen.length > 0) {
  console.error(`\nNo test got these codes: ${unseen.join(', ')}. Write one for each, or remove it from ErrorCode.`);
  process.exitCode = 1;
}
