/**
 * Fails if no test got a documented success, 400, 403 or 404 of an operation, or if an error title is missing in the catalogue.
 * The tests record every answer in coverage/; this compares the records of the last run with the contracts and with
 * openapi/guides/errors.md.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { operationsOf, readContract } from '../src/http/contract_document.ts';

const folder = path.resolve(import.meta.dirname, '../coverage');
const recordsOf = (kind: string): Set<string> => {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(`${kind}-`)) : [];
  return new Set(files.flatMap((name) => readFileSync(path.join(folder, name), 'utf8').trim().split('\n')));
};
const answered = recordsOf('answers');
if (answered.size === 0) {
  console.error('No test recorded an answer. Run the tests first: npx vitest run');
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

/** The titles of the catalogue as patterns; an ellipsis matches any text. */
const guide = readFileSync(path.resolve(import.meta.dirname, '../openapi/guides/errors.md'), 'utf8');
const catalogue = [...guide.matchAll(/^\| (\d{3}) \| (.+?) \|/gm)].map(([, status, title]) => {
  const text = title!.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '.*');
  return new RegExp(`^${status}\t${text}$`, 's');
});
const seen = [...recordsOf('titles')].map((note) =>
  note.replace(/\t(.*)/s, (_all, title: string) => `\t${JSON.parse(title) as string}`),
);
const unlisted = seen.filter((title) => !catalogue.some((pattern) => pattern.test(title)));
console.log(`errors   ${seen.length - unlisted.length} of ${seen.length} titles are in the catalogue.`);
if (unlisted.length > 0) {
  for (const title of unlisted) console.log(`  ${title.replace('\t', '  ')}`);
  console.error('\nThese error titles are not in the catalogue: add a line for each to openapi/guides/errors.md.');
  process.exitCode = 1;
}
