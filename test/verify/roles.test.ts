import { beforeAll, describe, expect, it } from 'vitest';
import { validRequests, rawRequestOf, type RequestParts } from '../support/contract/valid_requests.ts';
import { walkTimeoutMs, tally } from '../support/verification.ts';
import { send } from '../support/contract/raw_http.ts';
import { service } from '../support/service.ts';
import { newTenant, type Tenant } from '../support/contract/tenant/tenant.ts';
import { operationsInCallOrder, namesInPath, operations, schemesOf } from '../support/contract/operations.ts';
import type { Person } from '../support/world.ts';

/*
 * Every role sends a valid request to every operation, for a record of a colleague who shares an area with the area admin.
 * roles.tsv lists the results, and a person reviews it whenever it changes. The public API has one role, that of the enterprise.
 */

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('Roles');
});

const secured = operationsInCallOrder.filter(
  (operation) => operation.api === 'v3' && schemesOf(operation)[0] === 'bearer',
);

/** Only its author may change a note, even where others may change the record. */
function withoutNotes(draft: RequestParts): RequestParts {
  delete (draft.body?.['data'] as { attributes?: { notes_attributes?: unknown } } | undefined)?.attributes
    ?.notes_attributes;
  return draft;
}

/** `no` where the role is refused. `yes` also where a lower role was allowed and deleted the record. */
function outcome(status: number, earlier: readonly string[]): string {
  if (status === 403) return 'no';
  return status < 300 || earlier.includes('yes') ? 'yes' : String(status);
}

describe('the role table', () => {
  it(
    'is the reviewed one',
    async () => {
      const { url } = await service();
      const people: [string, Person][] = [
        ['employee', tenant.employee],
        ['area admin', tenant.areaAdmin],
        ['workspace admin', tenant.workspaceAdmin],
        ['account admin', tenant.admin],
      ];
      const line = tally('operations × roles, as in the reviewed table');
      const rows = new Map<string, string[]>();
      for (const operation of secured) {
        const cells: string[] = [];
        for (const [, person] of people) {
          const answer = await send(
            url,
            rawRequestOf(operation, withoutNotes(validRequests(operation, tenant)[0]!), tenant, person),
          );
          cells.push(outcome(answer.status, cells));
          line.count();
        }
        rows.set(operation.id, [operation['x-role'] ?? '', ...cells]);
      }
      const lines = operations.filter(({ id }) => rows.has(id)).map(({ id }) => [id, ...rows.get(id)!]);
      const table = [['operation', 'x-role', ...people.map(([name]) => name)], ...lines].map((cells) =>
        cells.join('\t'),
      );
      line.close();
      await expect(table.join('\n') + '\n').toMatchFileSnapshot('roles.tsv');
    },
    walkTimeoutMs,
  );
});

describe('every place', () => {
  it(
    '404 where it cannot exist',
    async () => {
      const { url } = await service();
      const line = tally('operations at accounts and workspaces that cannot exist: 404');
      const impossible = ['99999999999999999999', 'abc', '0', '-1', '%00', '1e3'];
      for (const [index, operation] of operations
        .filter(({ path }) => /\{(account|workspace)_id\}/.test(path))
        .entries()) {
        const draft = validRequests(operation, tenant)[0]!;
        const names = namesInPath(operation.path).filter((name) => name === 'account_id' || name === 'workspace_id');
        const params = {
          ...draft.params,
          ...Object.fromEntries(names.map((name) => [name, impossible[index % impossible.length]!])),
        };
        const { status } = await send(url, rawRequestOf(operation, { ...draft, params }, tenant, tenant.owner));
        line.count();
        if (status !== 404) line.fail(`${operation.id} at ${JSON.stringify(params)} is ${status}.`);
      }
      line.close();
    },
    walkTimeoutMs,
  );

  it('404 at an address that is not in the contract, in the shape of every error', async () => {
    const { url } = await service();
    for (const address of ['/api/v3/nowhere', '/public_api/v1/nowhere', '/nowhere']) {
      const { status, body } = await send(url, { method: 'get', address });
      expect(status).toBe(404);
      expect(body).toMatchObject({
        errors: [{ status: 'not_found', source: { pointer: 'base' } }],
        meta: { git_commit: 'test' },
      });
    }
  });
});
