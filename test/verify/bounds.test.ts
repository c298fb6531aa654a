import { describe, expect, it } from 'vitest';
import { envelopesOf, pointerTo } from '../../src/platform/http/requests/pointers.ts';
import { operationsInCallOrder, resolvers, type ApiOperation } from '../support/contract/operations.ts';
import { send, type RawResponse } from '../support/contract/raw_http.ts';
import { formsOf, isAllowed, numbersOf, withNumber, type NumberPlace } from './requests/request_numbers.ts';
import { newTenant, type Tenant } from '../support/contract/tenant/tenant.ts';
import { rawRequestOf, validRequests } from '../support/contract/valid_requests.ts';
import { comparableRows, referencesIn } from './requests/comparable_rows.ts';
import { service } from '../support/service.ts';
import { figure, sample, tally, walkTimeoutMs } from '../support/verification.ts';

/*
 * Every number of every request has bounds in the contract. The service refuses a value outside the bounds, names the field and
 * writes nothing. A value inside the bounds never causes a 5xx.
 */

const tried = [-1, -300, 1e9];

/** Balances and changes of balances can be negative. All other numbers are amounts, positions or ids. */
const signed = ['hours', 'initial_time_account'];
/** Codes that clients choose. Like ids, they can be any number. */
const codes = ['saldo_type'];

interface Trial {
  readonly place: NumberPlace;
  readonly value: number | string;
}

/** In the short form one value of each number, a different one each time. */
const trialsOf = (operation: ApiOperation): Trial[] =>
  numbersOf(operation).flatMap((place, index) =>
    sample(tried, 1, index)
      .flatMap((number) => formsOf(operation, place, number))
      .map((value) => ({ place, value })),
  );

const pointersIn = ({ body }: RawResponse): string[] =>
  ((body as { errors?: { source: { pointer: string } }[] } | undefined)?.errors ?? []).map(
    ({ source }) => source.pointer,
  );

/** The names of the numbers for which the contract allows a value. */
const namesAllowing = (value: number): string[] => [
  ...new Set(
    operationsInCallOrder
      .flatMap(numbersOf)
      .filter((place) => isAllowed(place, value))
      .map(({ steps }) => String(steps.findLast((step) => step !== 0))),
  ),
];

describe('every number of every request', () => {
  it('is at least 0, unless it is a balance or changes one', () => {
    expect(namesAllowing(-1)).toEqual(signed);
  });

  it('is far below a billion, unless it is an id or a code', () => {
    const isId = (name: string): boolean => /(^|_)ids?$/.test(name) || name === 'tags';
    expect(namesAllowing(1e9).filter((name) => !isId(name))).toEqual(codes);
  });

  it(
    'is refused by name outside of its bounds, and bearable within',
    async () => {
      const { url, database, jobs } = await service();
      const references = await referencesIn(database.db);
      const tenant = await newTenant('Bounds');
      const rows = async (): Promise<string> =>
        JSON.stringify(await comparableRows(database.db, tenant.accountId, references));
      const answerTo = (operation: ApiOperation, { place, value }: Trial): Promise<RawResponse> =>
        send(url, rawRequestOf(operation, withNumber(draftFor(operation, tenant), place, value), tenant));
      const outside = tally('numbers outside of their bounds: refused by name, nothing written');
      const inside = tally('numbers inside of their bounds: no fault of the server');
      figure('numbers in requests', operationsInCallOrder.flatMap(numbersOf).length);
      for (const operation of operationsInCallOrder) {
        const trials = trialsOf(operation);
        if (trials.length === 0) continue;
        const isWrite = operation.method !== 'get';
        const before = isWrite ? await rows() : '';
        for (const trial of trials.filter(({ place, value }) => !isAllowed(place, value))) {
          const answer = await answerTo(operation, trial);
          const pointer = pointerTo(trial.place.steps.map(String), envelopesOf(operation, resolvers[operation.api]));
          outside.count();
          if (answer.status !== 400 || !pointersIn(answer).includes(pointer))
            outside.fail(`${operation.id}, ${pointer} ${JSON.stringify(trial.value)}: ${answer.status} ${answer.text}`);
        }
        if (isWrite) await jobs.drain();
        if (isWrite && (await rows()) !== before) outside.fail(`${operation.id} wrote something.`);
        for (const trial of trials.filter(({ place, value }) => isAllowed(place, value))) {
          const { status, text } = await answerTo(operation, trial);
          inside.count();
          if (status >= 500) inside.fail(`${operation.id}, ${trial.place.steps.join('/')} ${trial.value}: ${text}`);
        }
        if (isWrite) await jobs.drain();
      }
      outside.close();
      inside.close();
    },
    walkTimeoutMs,
  );
});

const draftFor = (operation: ApiOperation, tenant: Tenant) => validRequests(operation, tenant)[0]!;
