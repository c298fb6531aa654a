import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { checkResponse } from '../support/contract/response_check.ts';
import { figure, walkTimeoutMs, progress, seed, tally, repetitions } from '../support/verification.ts';
import { fuzzedRequests } from './requests/fuzzed_requests.ts';
import { send, type RawRequest } from '../support/contract/raw_http.ts';
import { service } from '../support/service.ts';
import { newTenant, type Tenant } from '../support/contract/tenant/tenant.ts';
import { operationsInCallOrder, type ApiOperation } from '../support/contract/operations.ts';

/*
 * The response to any request is one that the contract describes, arrives in time, and is never a 5xx. The seed in a failure
 * repeats its requests: npm run verify -- fuzzing --seed SEED
 */

const perOperation = repetitions(5, 500);

/** The requests of an operation do not depend on which other operations are tested. */
const seedFor = ({ id }: ApiOperation): number =>
  [...id].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, seed);

/** The fault of the response, or undefined. */
async function complaintAbout(
  url: string,
  { api, id, allParameters }: ApiOperation,
  request: RawRequest,
  seen: (status: number) => void,
): Promise<string | undefined> {
  try {
    const answer = await send(url, request);
    seen(answer.status);
    if (answer.status >= 500) return `${answer.status} ${answer.text}`;
    const hasFields = request.address.includes('fields') && allParameters.some(({ name }) => name === 'fields');
    checkResponse(api, id, answer, hasFields);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const shown = ({ method, address, headers, body }: RawRequest): string =>
  `${method} ${address.slice(0, 500)} ${JSON.stringify({ ...headers, Authorization: undefined })} ${String(body ?? '').slice(0, 1500)}`;

/** The heap in use after garbage collection. */
function heapMegabytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** In the long form each operation has its own records, because earlier operations may have deleted theirs. */
async function tenants(): Promise<() => Promise<Tenant>> {
  const first = await newTenant('Fuzz');
  return repetitions(0, 1) === 0 ? async () => first : () => newTenant('Fuzz');
}

describe('every operation', () => {
  it(
    'answers whatever it is sent as the contract says',
    async () => {
      const { url, jobs } = await service();
      const nextTenant = await tenants();
      const line = tally(`requests made up from the schemas and past them (seed ${seed})`);
      let slowest = 0;
      let succeeded = 0;
      let early = 0;
      for (const [index, operation] of operationsInCallOrder.entries()) {
        if (index === Math.floor(operationsInCallOrder.length / 4)) early = heapMegabytes();
        const tenant = await nextTenant();
        for (const [number, request] of fuzzedRequests(operation, tenant, seedFor(operation), perOperation).entries()) {
          const started = performance.now();
          const complaint = await complaintAbout(
            url,
            operation,
            request,
            (status) => (succeeded += Number(status < 300)),
          );
          line.count();
          slowest = Math.max(slowest, performance.now() - started);
          if (complaint)
            line.fail(`${operation.id}, request ${number} of seed ${seed}: ${complaint}\n    ${shown(request)}`);
        }
        // The jobs that the request enqueued must run too.
        if (operation.method !== 'get' && operation.requestBody) await jobs.drain();
        if (index % 10 === 9) progress(`${index + 1} of ${operationsInCallOrder.length} operations`);
      }
      const growth = heapMegabytes() - early;
      figure('the slowest answer, in ms', Math.round(slowest));
      figure('growth of the heap over the last three quarters, in MiB', Math.round(growth));
      figure('of these, requests that succeeded', succeeded);
      line.close();
      // If few requests pass validation, the code behind it was not tested.
      expect(succeeded).toBeGreaterThan((operationsInCallOrder.length * perOperation) / 10);
      expect(growth).toBeLessThan(64);
    },
    walkTimeoutMs,
  );
});
