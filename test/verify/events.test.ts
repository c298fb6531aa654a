import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { resolvers, writesInCallOrder, type ApiOperation } from '../support/contract/operations.ts';
import { send } from '../support/contract/raw_http.ts';
import { newTenant, type Tenant } from '../support/contract/tenant/tenant.ts';
import { rawRequestOf, validRequests } from '../support/contract/valid_requests.ts';
import { service } from '../support/service.ts';
import { tally, walkTimeoutMs } from '../support/verification.ts';

/*
 * Every operation that writes leaves an event, with a name that the contract lists. The test sends a valid request to each, runs
 * the jobs of batches, and looks for new events.
 */

/** Operations with a method of writes that change no record of an account, and why. */
const withoutEvents: Readonly<Record<string, string>> = {
  requestPasswordReset:
    'It sends a mail. Anybody can ask for it, and the answer must not reveal whether there is a user.',
  checkPasswordToken: 'It only checks a token.',
  checkTimeTracking: 'It only says which working-time rules a time tracking would violate.',
  createWebhookPing: 'It sends a message. The log of deliveries has it.',
  createWebhookRedelivery: 'It sends a message again. The log of deliveries has it.',
};

/** Requests for what the tenant has already. `test/api/v3/integration/events/` shows the events of these operations. */
const askForNothingNew: readonly string[] = [
  'batchTimeTrackings (tag)',
  'confirmWorkingSession',
  'createActionTagging',
  'createAssignment',
  'createShiftPublication',
  'createTagging',
  'updateCurrentWorkspaceUser',
  'updateShiftUsers',
];

let tenant: Tenant;
beforeAll(async () => {
  tenant = await newTenant('Events');
});

/** The names of the events since one, of the tenant or of the account that the request has created. */
async function eventsSince(lastId: number, requestId: unknown): Promise<{ lastId: number; names: string[] }> {
  const { db } = (await service()).database;
  const { accountId } = tenant;
  const { rows } = await sql<{ id: number; account_id: number; name: string }>`
    select id, account_id, name from events
    where (account_id = ${accountId} and id > ${lastId}) or (account_id <> ${accountId} and request_id = ${requestId ?? null})
    order by id`.execute(db);
  // Other accounts may be on another server, with ids of its own.
  const own = rows.filter(({ account_id }) => account_id === accountId);
  return { lastId: own.at(-1)?.id ?? lastId, names: rows.map(({ name }) => name) };
}

/** The second of two switches of the role gives the admin their rights back. */
const timesSent = ({ id }: ApiOperation): number => (id === 'switchRole' ? 2 : 1);

const namesInContract = (resolvers.v3('#/components/schemas/EventName') as { enum: string[] }).enum;
const written = new Set<string>();

describe('every operation that writes', () => {
  it(
    'leaves at least one event, whose name is in the contract',
    async () => {
      const { url, jobs } = await service();
      const line = tally('operations that write, each with an event');
      let { lastId } = await eventsSince(0, null);
      const silent: string[] = [];
      for (const operation of writesInCallOrder) {
        for (const request of validRequests(operation, tenant)) {
          for (let times = timesSent(operation); times > 0; times--) {
            const response = await send(url, rawRequestOf(operation, request, tenant));
            if (response.status >= 300) line.fail(`${operation.id} is ${response.status} ${response.text}`);
            await jobs.drain();
            const found = await eventsSince(lastId, response.headers['x-request-id']);
            lastId = found.lastId;
            line.count();
            const action = (request.body?.['data'] as { attributes?: { action?: string } } | undefined)?.attributes
              ?.action;
            const called = `${operation.id}${action ? ` (${action})` : ''}`;
            if (found.names.length === 0 && !(operation.id in withoutEvents) && !askForNothingNew.includes(called))
              silent.push(called);
            if (found.names.length > 0 && operation.id in withoutEvents)
              line.fail(`${called} is said to leave no event, but leaves ${found.names.join(', ')}.`);
            for (const name of found.names) written.add(name);
          }
        }
      }
      // One message lists all of them.
      if (silent.length > 0) line.fail(`${silent.length} leave no event: ${silent.join(', ')}.`);
      for (const name of written) if (!namesInContract.includes(name)) line.fail(`The contract does not list ${name}.`);
      line.close();
    },
    walkTimeoutMs,
  );
});

describe('every name of an event in the contract', () => {
  it('was left by an operation above, or is shown by a test of events', () => {
    const folder = new URL('../api/v3/integration/events/', import.meta.url);
    const shown = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'));
    const missing = namesInContract.filter(
      (name) => !written.has(name) && !shown.some((text) => text.includes(`'${name}'`)),
    );
    expect(missing).toEqual([]);
  });
});
