import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { draftsOf, sentOf, type Draft } from '../support/drafts.ts';
import { patience, sampled, tally, times } from '../support/figures.ts';
import { differences, digestOf } from '../support/rows.ts';
import { send, type Received, type Sent } from '../support/send.ts';
import { service } from '../support/service.ts';
import { newTenant, type Tenant } from '../support/tenant.ts';
import { inOrder, type Walked } from '../support/walk.ts';

/*
 * A client that does not know whether its request arrived sends it again, under the same key. Whichever POST it is, it is done
 * once, and every answer is the first one.
 */

/** Their answers hold a secret, which is kept nowhere. */
const withoutKeys = ['createApiToken', 'requestPasswordReset', 'signIn', 'signUp'];
const posts = inOrder.filter(({ method, id }) => method === 'post' && !withoutKeys.includes(id));

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('Again');
});

const keyed = (operation: Walked, draft: Draft, key: string): Sent => {
  const sent = sentOf(operation, draft, tenant);
  return { ...sent, headers: { ...sent.headers, 'Idempotency-Key': key } };
};

const told = ({ status, text }: Received): string => `${status} ${text}`;

describe('every POST under a key', () => {
  it(
    'is done once, gives the first answer again, and 409 for another body',
    async () => {
      const { url, database } = await service();
      const line = tally('POSTs sent again under their key: done once, answered alike; 409 for another body');
      const done: { id: string; request: Sent; first: Received }[] = [];
      for (const operation of posts) {
        for (const draft of draftsOf(operation, tenant)) {
          const request = keyed(operation, draft, randomUUID());
          const first = await send(url, request);
          if (first.status >= 300) line.fail(`${operation.id} is ${told(first)}`);
          done.push({ id: operation.id, request, first });
        }
      }
      const before = await digestOf(database.db, tenant.accountId);
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
        if (other.status !== 409) line.fail(`${id} takes another request under the same key: ${told(other)}`);
      }
      const after = await digestOf(database.db, tenant.accountId);
      for (const table of differences(before, after))
        line.fail(`${table} was written to when requests were sent again.`);
      line.close();
    },
    patience,
  );

  it(
    'is done once when many come at the same moment, and all get one answer',
    async () => {
      const { url, database } = await service();
      const many = times(10, 100);
      const line = tally(`POSTs sent ${many} times at once: done once, answered alike`);
      const rows = async (): Promise<number> => {
        // Sums are kept in several rows, by connection.
        const { time_tracking_totals: _sums, ...digests } = await digestOf(database.db, tenant.accountId);
        return Object.values(digests).reduce((sum, digest) => sum + Number(digest.split(' ')[0]), 0);
      };
      for (const operation of sampled(
        posts.filter(({ id }) => !id.startsWith('batch') && id !== 'createAction'),
        6,
        1,
      )) {
        const alone = await grownBy(rows, () =>
          send(url, keyed(operation, draftsOf(operation, tenant)[0]!, randomUUID())),
        );
        const request = keyed(operation, draftsOf(operation, tenant)[0]!, randomUUID());
        const answers: Received[] = [];
        const together = await grownBy(rows, async () =>
          answers.push(...(await Promise.all(Array.from({ length: many }, () => send(url, request))))),
        );
        line.count();
        if (new Set(answers.map(told)).size !== 1 || answers[0]!.status >= 300)
          line.fail(`${operation.id}: ${[...new Set(answers.map(told))].join('\n')}`);
        // The first of its kind may have more to tell than those after it, never less.
        if (together > alone || together === 0)
          line.fail(`${operation.id} makes ${alone} rows alone and ${together} when it is sent ${many} times.`);
      }
      line.close();
    },
    patience,
  );

  it('is known to every POST but those whose answer holds a secret', () => {
    const without = inOrder
      .filter(({ method, all }) => method === 'post' && !all.some(({ name }) => name === 'Idempotency-Key'))
      .map(({ id }) => id);
    expect(without.sort()).toEqual(withoutKeys);
  });
});

async function grownBy(rows: () => Promise<number>, work: () => Promise<unknown>): Promise<number> {
  const before = await rows();
  await work();
  return (await rows()) - before;
}
