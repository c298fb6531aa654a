import { beforeAll, describe, expect, it } from 'vitest';
import { validRequests, namesRecordAt, withRecordOf, rawRequestOf } from '../support/contract/valid_requests.ts';
import { figure, walkTimeoutMs, sample, seed, tally, repetitions } from '../support/verification.ts';
import { recordReferences } from '../support/contract/record_references.ts';
import { changedTables, accountDigest } from '../support/database/account_rows.ts';
import { send } from '../support/contract/raw_http.ts';
import { service, serviceWith } from '../support/service.ts';
import { withoutFilters } from '../support/database/statements.ts';
import { newTenant, type Tenant } from '../support/contract/tenant/tenant.ts';
import { operations, type ApiOperation } from '../support/contract/operations.ts';
import { bodyOf } from '../support/world.ts';
import { needsOneServer } from '../support/database/distribution.ts';

/*
 * Two walls separate accounts: every query filters by account, and the database has row-level security. This test removes the
 * first wall. It deletes the conditions on account and workspace from every statement before the database gets it, as if a
 * programmer had forgotten them all.
 */

let own: Tenant;
let other: Tenant;

beforeAll(async () => {
  other = await newTenant('Other');
  own = await newTenant('Own');
});

/** A summary without filters computes the users of the accounts of all tests. */
const readOfEverything = { timeoutSeconds: 200 };

/** Requests the records of the other account in every place, without the first wall, and returns the requests that showed any. */
async function trespass(url: string, operation: ApiOperation, count: () => void): Promise<string[]> {
  const leaks: string[] = [];
  for (const draft of validRequests(operation, own)) {
    const requests = [
      draft,
      ...recordReferences(operation)
        .filter((place) => namesRecordAt(draft, place))
        .map((place) => withRecordOf(draft, place, other)),
    ];
    for (const request of requests) {
      const { text } = await withoutFilters(() => send(url, rawRequestOf(operation, request, own), readOfEverything));
      count();
      if (text.includes(other.mark) && !JSON.stringify(request).includes(other.mark))
        leaks.push(`${operation.id} ${JSON.stringify(request)}`);
    }
  }
  return leaks;
}

// A token is looked up before the account is known, so its table is on the list of those without a policy.
const guarded = operations.filter(({ path }) => !path.includes('api_tokens'));
const reads = guarded.filter(({ method, id }) => method === 'get' && id !== 'getStatus');

describe('under reads, the second wall', () => {
  it(
    'has a price, which is measured',
    async () => {
      const [without, full] = [await serviceWith({ RLS: 'writes' }), await serviceWith({ RLS: 'full' })];
      for (const [what, id] of [
        ['one record', 'getArea'],
        ['a page of time trackings', 'listTimeTrackings'],
      ] as const) {
        const operation = operations.find((one) => one.id === id)!;
        const request = rawRequestOf(operation, validRequests(operation, own)[0]!, own);
        const taken: [number[], number[]] = [[], []];
        // In turns, so that other load on the machine slows both.
        for (let round = 0; round < repetitions(2, 500); round++) {
          for (const [index, url] of [without, full].entries()) {
            const started = performance.now();
            expect((await send(url, request)).status).toBe(200);
            taken[index]!.push(performance.now() - started);
          }
        }
        const [plain, fenced] = taken.map(
          (list) => list.sort((one, other) => one - other)[Math.floor(list.length / 2)]!,
        ) as [number, number];
        figure(
          `time that reading ${what} takes with RLS=full, in % of that without`,
          Math.round((100 * fenced) / plain),
        );
      }
    },
    walkTimeoutMs,
  );
});

describe('without the first wall', () => {
  it(
    'the second lets nothing be written, and nothing of what it guards be read',
    async () => {
      const { url, database, jobs } = await service();
      const line = tally('writes × places, without the first wall: nothing of another account');
      let before = await accountDigest(database.db, other.accountId);
      // Without a filter, a deleted user loses only their own records.
      const writes = guarded.filter(
        ({ method, id }) => method !== 'get' && !['signOut', 'deleteOtherSessions', 'deleteWorkspace'].includes(id),
      );
      for (const operation of sample(writes, 12, seed)) {
        for (const leak of await trespass(url, operation, line.count)) line.fail(`Shown: ${leak}`);
        await withoutFilters(() => jobs.drain());
        const after = await accountDigest(database.db, other.accountId);
        for (const table of changedTables(before, after))
          line.fail(`${operation.id} changed ${table} of the other account.`);
        before = after;
      }
      line.close();
    },
    walkTimeoutMs,
  );

  it(
    'a batch of everything is one of everything that is one’s own',
    async (context) => {
      needsOneServer(context, 'A statement without the account names no server.');
      const { database, jobs } = await service();
      const line = tally('batches of everything, without the first wall: nothing of another account');
      for (const [operationId, action] of [
        ['batchTimeTrackings', 'confirm'],
        ['batchNotifications', 'destroy'],
      ] as const) {
        const before = await accountDigest(database.db, other.accountId);
        const body = bodyOf('batch_action', { action, all: true });
        const { status } = await withoutFilters(() => own.owner.call(operationId, { body }));
        await withoutFilters(() => jobs.drain());
        line.count();
        if (status !== 200) line.fail(`${operationId} is ${status}.`);
        for (const table of changedTables(before, await accountDigest(database.db, other.accountId)))
          line.fail(`${operationId} changed ${table} of the other account.`);
      }
      line.close();
    },
    walkTimeoutMs,
  );

  it(
    'the second lets nothing be read where it is put under reads (RLS=full)',
    async () => {
      const url = await serviceWith({ RLS: 'full' });
      const line = tally('reads × places, without the first wall, with RLS=full: nothing of another account');
      for (const operation of sample(reads, 8, seed))
        for (const leak of await trespass(url, operation, line.count)) line.fail(`Shown: ${leak}`);
      line.close();
    },
    walkTimeoutMs,
  );

  it(
    'and without the second everything lies open: this walk would notice',
    async (context) => {
      needsOneServer(context, 'A statement without the account names no server.');
      const url = await serviceWith({ RLS: 'writes' });
      const leaks: string[] = [];
      for (const operation of sample(reads, 20, seed)) leaks.push(...(await trespass(url, operation, () => {})));
      expect(leaks.length).toBeGreaterThan(5);
    },
    walkTimeoutMs,
  );
});
