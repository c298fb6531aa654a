import { describe, it } from 'vitest';
import { responseAttributes, withUndocumentedAttributes } from './requests/undocumented_attributes.ts';
import { validRequests, rawRequestOf } from '../support/contract/valid_requests.ts';
import { figure, walkTimeoutMs, tally, repetitions } from '../support/verification.ts';
import { comparableRows, referencesIn, type Rows } from './requests/comparable_rows.ts';
import { send } from '../support/contract/raw_http.ts';
import { service } from '../support/service.ts';
import { newTenant, type Tenant } from '../support/contract/tenant/tenant.ts';
import { operationsInCallOrder } from '../support/contract/operations.ts';

/*
 * Three equal accounts. Two of them get every write as the contract describes it. The third gets the same writes with additional
 * attributes: every attribute of any response and every column that the operation does not accept. Batches refuse them. All three must stay equal,
 * except for what differs between the first two, such as random pins.
 */

/** The columns in which two accounts differ. */
function differing(one: Rows, other: Rows): Set<string> {
  const columns = new Set<string>();
  for (const [table, rows] of Object.entries(one)) {
    if (rows.length !== other[table]!.length) columns.add(`${table} (how many)`);
    for (const [index, row] of rows.entries()) {
      for (const [name, value] of Object.entries(row)) {
        if (other[table]![index] && JSON.stringify(other[table]![index][name]) !== JSON.stringify(value))
          columns.add(`${table}.${name}`);
      }
    }
  }
  return columns;
}

const writes = operationsInCallOrder.filter(({ method, requestBody }) => method !== 'get' && requestBody);

describe('every write', () => {
  it(
    'changes nothing that it does not document',
    async () => {
      const { url, database, jobs } = await service();
      const { db } = database;
      const references = await referencesIn(db);
      const alike: Tenant[] = [];
      for (let count = 0; count < 3; count++) alike.push(await newTenant('Alike'));
      const [plain, twin, target] = alike as [Tenant, Tenant, Tenant];
      const rowsOf = ({ accountId }: Tenant): Promise<Rows> => comparableRows(db, accountId, references);
      const columns = Object.values(await rowsOf(plain)).flatMap((rows) => Object.keys(rows[0] ?? {}));
      const attributes = responseAttributes(columns);
      const line = tally('writes with every attribute of every answer: only documented ones change');
      figure('attributes sent along with each write', attributes.size);
      const random = new Set<string>();
      let since: string[] = [];
      for (const [index, operation] of writes.entries()) {
        for (const tenant of alike) {
          for (const draft of validRequests(operation, tenant)) {
            const isBatch = operation.id.startsWith('batch');
            const more =
              tenant === target ? withUndocumentedAttributes(operation, draft, attributes, tenant) : undefined;
            if (more && isBatch) {
              const refused = await send(url, rawRequestOf(operation, more, tenant));
              if (refused.status !== 400) line.fail(`${operation.id} takes what it should refuse: ${refused.text}`);
            }
            const request = more && !isBatch ? more : draft;
            const answer = await send(url, rawRequestOf(operation, request, tenant));
            // One after another, so that the order is the same in all accounts.
            if (isBatch) await jobs.drain();
            if (answer.status >= 300)
              line.fail(
                `${operation.id} ${tenant === target ? 'refuses what it should ignore' : 'fails'}: ${answer.text}`,
              );
          }
        }
        line.count();
        since.push(operation.id);
        if (index % repetitions(30, 1) !== 0 && index < writes.length - 1) continue;
        const [first, second, third] = await Promise.all([rowsOf(plain), rowsOf(twin), rowsOf(target)]);
        for (const column of differing(first, second)) random.add(column);
        for (const column of differing(first, third))
          if (!random.has(column)) line.fail(`${column} was changed by one of ${since.join(', ')}.`);
        since = [];
      }
      line.close();
    },
    walkTimeoutMs,
  );
});
