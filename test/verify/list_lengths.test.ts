import v8 from 'node:v8';
import vm from 'node:vm';
import { describe, expect, it } from 'vitest';
import { envelopesOf, pointerTo } from '../../src/platform/http/requests/pointers.ts';
import { operationsInCallOrder, resolvers, type ApiOperation } from '../support/contract/operations.ts';
import { send, type RawResponse } from '../support/contract/raw_http.ts';
import { listsOf, type ListPlace } from './requests/request_lists.ts';
import { placed } from './requests/request_numbers.ts';
import { newTenant, type Tenant } from '../support/contract/tenant/tenant.ts';
import { rawRequestOf, validRequests, type RequestParts } from '../support/contract/valid_requests.ts';
import { service } from '../support/service.ts';
import { figure, sample, tally, walkTimeoutMs } from '../support/verification.ts';

/*
 * No body blocks the process. The test sends every list of every request with 300,000 items, as an object with numbers for keys,
 * and with as many wrong items as allowed. It measures CPU time, so that a busy machine does not fail it. No turn of the event
 * loop may take much of it, because all other requests wait meanwhile.
 */

const maxProcessorMs = 1_000;

/** The event loop may be blocked for 100 ms, or on a slow machine for as long as it takes to parse such a list ten times. */
const maxBlockedMs = 100;
const maxParsings = 10;

const manyItems = 300_000;
const manyMembers = 90_000;

const numbered = (length: number): object =>
  Object.fromEntries(Array.from({ length }, (_item, index) => [String(index), 0]));

const places = operationsInCallOrder.flatMap((operation) =>
  listsOf(operation).map((place) => ({ operation, place, name: `${operation.id} ${place.steps.join('/')}` })),
);

const bodyWith = (operation: ApiOperation, tenant: Tenant, { steps }: ListPlace, value: unknown): RequestParts => {
  const request = structuredClone(validRequests(operation, tenant)[0]!);
  return { ...request, body: placed(request.body, steps, value) as RequestParts['body'] };
};

interface Measured extends RawResponse {
  /** The CPU time of this process until the response arrived. */
  readonly processorMs: number;
  /** The longest part of it during which no other request could be served. */
  readonly blockedMs: number;
}

const processorMsSince = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

const longText = JSON.stringify(Array<object>(manyItems).fill({}));

/** How long the event loop may be blocked on this machine, under its current load. */
function blockLimitMs(): number {
  const before = process.cpuUsage();
  JSON.parse(longText);
  return Math.max(maxBlockedMs, maxParsings * processorMsSince(before));
}

/** How often a request is measured that seems to take too long. */
const maxMeasurings = 4;

v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc') as () => void;

/**
 * Measures a request. One that takes too long is sent again, because slow code is slow each time. A collection of the garbage of
 * earlier tests is not: it is done beforehand.
 */
async function measured(request: () => Promise<RawResponse>): Promise<Measured> {
  let best = await measuredOnce(request);
  for (let count = 1; count < maxMeasurings && isSlow(best); count++) {
    collectGarbage();
    const next = await measuredOnce(request);
    best = {
      ...next,
      processorMs: Math.min(best.processorMs, next.processorMs),
      blockedMs: Math.min(best.blockedMs, next.blockedMs),
    };
  }
  return best;
}

const isSlow = ({ processorMs, blockedMs }: Measured): boolean =>
  processorMs > maxProcessorMs || blockedMs > blockLimitMs();

/** Sends a request and measures the CPU time of its response. */
async function measuredOnce(request: () => Promise<RawResponse>): Promise<Measured> {
  const before = process.cpuUsage();
  let lastTurn = before;
  let blockedMs = 0;
  const endTurn = (): void => {
    blockedMs = Math.max(blockedMs, processorMsSince(lastTurn));
    lastTurn = process.cpuUsage();
  };
  const turns = setInterval(endTurn, 1);
  try {
    const answer = await request();
    endTurn();
    return { ...answer, processorMs: processorMsSince(before), blockedMs };
  } finally {
    clearInterval(turns);
  }
}

interface ReadableError {
  readonly title: string;
  readonly source: { readonly pointer: string };
}

describe('every list of every request', () => {
  it('has a greatest length', () => {
    expect(places.filter(({ place }) => place.maxItems === undefined).map(({ name }) => name)).toEqual([]);
  });

  it(
    'is answered within a second of processor time, whatever it holds',
    async () => {
      const { url } = await service();
      const tenant = await newTenant('Lengths');
      const trials = tally('lists and objects of 1 MiB: refused by name within a second of processor time');
      let [slowestMs, longestBlockMs] = [0, 0];
      // The validator compiles an operation at its first request.
      for (const { operation } of places)
        await send(url, rawRequestOf(operation, { ...validRequests(operation, tenant)[0]!, body: {} }, tenant));
      for (const [turn, { operation, place, name }] of places.entries()) {
        const pointer = pointerTo(place.steps.map(String), envelopesOf(operation, resolvers[operation.api]));
        const tooMany = `${place.steps.at(-1)} must have at most ${place.maxItems} items, but had ${manyItems}.`;
        const tries: [string, unknown, string?][] = [
          ['empty objects', Array<object>(manyItems).fill({}), tooMany],
          ['numbers', Array<number>(manyItems).fill(0), tooMany],
          ['an object with numbers for keys', numbered(manyMembers)],
          ['wrong items', Array<object>(place.maxItems!).fill({})],
        ];
        for (const [what, value, title] of sample(tries, 1, turn)) {
          const request = rawRequestOf(operation, bodyWith(operation, tenant, place, value), tenant);
          const { status, text, body, processorMs, blockedMs } = await measured(() => send(url, request));
          trials.count();
          slowestMs = Math.max(slowestMs, processorMs);
          if (title) longestBlockMs = Math.max(longestBlockMs, blockedMs);
          const errors = (body as { errors?: ReadableError[] }).errors ?? [];
          if (status !== 400) trials.fail(`${name}, ${what}: ${status} ${text.slice(0, 200)}`);
          else if (title && !errors.some((error) => error.source.pointer === pointer && error.title === title))
            trials.fail(`${name}, ${what}: ${text.slice(0, 200)}`);
          if (processorMs > maxProcessorMs) trials.fail(`${name}, ${what}: ${Math.round(processorMs)} ms.`);
          if (title && blockedMs > blockLimitMs())
            trials.fail(`${name}, ${what}: blocked others for ${Math.round(blockedMs)} ms.`);
        }
      }
      figure('the slowest of them, in ms of processor time', Math.round(slowestMs));
      figure(
        'the longest time that one of them kept others waiting, in ms of processor time',
        Math.round(longestBlockMs),
      );
      trials.close();
    },
    walkTimeoutMs,
  );
});

describe('every body', () => {
  it(
    'with very many unknown members is answered within a second of processor time',
    async () => {
      const { url } = await service();
      const tenant = await newTenant('Members');
      const trials = tally('bodies with 90,000 unknown members: answered within a second of processor time');
      const unknown = numbered(manyMembers);
      const withBody = operationsInCallOrder.filter(
        ({ requestBody }) => requestBody && Object.hasOwn(requestBody.content, 'application/json'),
      );
      for (const operation of sample(withBody, 10, 1)) {
        const request = validRequests(operation, tenant)[0]!;
        const data = request.body?.['data'] as { attributes?: object } | undefined;
        const body = data?.attributes
          ? { ...request.body, data: { ...data, attributes: { ...data.attributes, ...unknown } } }
          : { ...request.body, ...unknown };
        const { status, text, processorMs } = await measured(() =>
          send(url, rawRequestOf(operation, { ...request, body }, tenant)),
        );
        trials.count();
        if (status >= 500) trials.fail(`${operation.id}: ${status} ${text.slice(0, 200)}`);
        if (processorMs > maxProcessorMs) trials.fail(`${operation.id}: ${Math.round(processorMs)} ms.`);
      }
      trials.close();
    },
    walkTimeoutMs,
  );
});
