import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { validRequests, rawRequestOf, type RequestParts } from '../support/contract/valid_requests.ts';
import { walkTimeoutMs, sample, tally, repetitions } from '../support/verification.ts';
import { changedTables, accountDigest } from '../support/database/account_rows.ts';
import { send, type RawResponse, type RawRequest } from '../support/contract/raw_http.ts';
import { service } from '../support/service.ts';
import { newTenant, type Tenant } from '../support/contract/tenant/tenant.ts';
import { operationsInCallOrder, type ApiOperation } from '../support/contract/operations.ts';

/*
 * A client that does not know whether its request arrived sends it again, under the same key. The service carries out every POST
 * once, and repeats the first response.
 */

/** Their responses contain a secret, which the service does not store. */
const withoutKeys = [
  ...[
    'checkPasswordToken',
    'confirmEmail',
    'createApiToken',
    'createCalendarFeed',
    'createInvitation',
    'createWebhook',
    'joinWorkspace',
  ],
  ...['requestPasswordReset', 'signIn', 'signUp'],
];
const posts = operationsInCallOrder.filter(({ method, id }) => method === 'post' && !withoutKeys.includes(id));

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('Again');
});

const keyed = (operation: ApiOperation, draft: RequestParts, key: string): RawRequest => {
  const sent = rawRequestOf(operation, draft, tenant);
  return { ...sent, headers: { ...sent.headers, 'Idempotency-Key': key } };
};

const told = ({ status, text }: RawResponse): string => `${status} ${text}`;

describe('every POST under a key', () => {
  it(
    'is done once, gives the first answer again, and 409 for another body',
    async () => {
      const { url, database } = await service();
      const line = tally('POSTs sent again under their key: done once, answered alike; 409 for another body');
      const done: { id: string; request: RawRequest; first: RawResponse }[] = [];
      for (const operation of posts) {
        for (const draft of validRequests(operation, tenant)) {
          const request = keyed(operation, draft, randomUUID());
          const first = await send(url, request);
          if (first.status >= 300) line.fail(`${operation.id} is ${told(first)}`);
          done.push({ id: operation.id, request, first });
        }
      }
      const before = await accountDigest(database.db, tenant.accountId);
      for (const { id, request, first } of done) {
        const second = await send(url, request);
        const other = await send(url, {
          ...request,
          address: `${request.address}${request.address.includes('?') ? '&' : '?'}another=1`,
        });
        line.count();
        if (told(second) !== told(first)) line.fail(`${id} answers ${told(first)} and then ${told(second)}`);
        if (second.headers['idempotency-replayed'] !== 'true')
          line.fail(`${id} does not say that it gave an answer again.`);
        // A batch refuses the parameter that makes it another request.
        if (other.status !== (id.startsWith('batch') ? 400 : 409))
          line.fail(`${id} takes another request under the same key: ${told(other)}`);
      }
      const after = await accountDigest(database.db, tenant.accountId);
      for (const table of changedTables(before, after))
        line.fail(`${table} was written to when requests were sent again.`);
      line.close();
    },
    walkTimeoutMs,
  );

  it(
    'is done once when many come at the same moment, and all get one answer',
    async () => {
      const { url, database } = await service();
      const many = repetitions(10, 100);
      const line = tally(`POSTs sent ${many} times at once: done once, answered alike`);
      const rows = async (): Promise<number> => {
        // Totals are stored in several rows, by connection.
        const { time_tracking_totals: _sums, ...digests } = await accountDigest(database.db, tenant.accountId);
        return Object.values(digests).reduce((sum, digest) => sum + Number(digest.split(' ')[0]), 0);
      };
      for (const operation of sample(
        posts.filter(({ id }) => !id.startsWith('batch') && id !== 'createAction'),
        6,
        1,
      )) {
        const alone = await grownBy(rows, () =>
          send(url, keyed(operation, validRequests(operation, tenant)[0]!, randomUUID())),
        );
        const request = keyed(operation, validRequests(operation, tenant)[0]!, randomUUID());
        const answers: RawResponse[] = [];
        const together = await grownBy(rows, async () =>
          answers.push(...(await Promise.all(Array.from({ length: many }, () => send(url, request))))),
        );
        line.count();
        if (new Set(answers.map(told)).size !== 1 || answers[0]!.status >= 300)
          line.fail(`${operation.id}: ${[...new Set(answers.map(told))].join('\n')}`);
        // The first request of its kind may write more rows than later ones, but not fewer.
        if (together > alone || together === 0)
          line.fail(`${operation.id} makes ${alone} rows alone and ${together} when it is sent ${many} times.`);
      }
      line.close();
    },
    walkTimeoutMs,
  );

  it('is accepted by every POST except those whose response contains a secret', () => {
    const without = operationsInCallOrder
      .filter(
        ({ method, allParameters }) =>
          method === 'post' && !allParameters.some(({ name }) => name === 'Idempotency-Key'),
      )
      .map(({ id }) => id);
    expect(without.sort()).toEqual(withoutKeys);
  });
});

async function grownBy(rows: () => Promise<number>, work: () => Promise<unknown>): Promise<number> {
  const before = await rows();
  await work();
  return (await rows()) - before;
}
