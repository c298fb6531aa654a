import { beforeAll, describe, expect, it } from 'vitest';
import { checkResponse } from '../support/contract/response_check.ts';
import {
  validRequests,
  namesRecordAt,
  withRecordOf,
  rawRequestOf,
  type RequestParts,
} from '../support/contract/valid_requests.ts';
import { walkTimeoutMs, sample, tally, repetitions } from '../support/verification.ts';
import { recordReferences, type RecordReference } from '../support/contract/record_references.ts';
import { changedTables, accountDigest } from '../support/database/account_rows.ts';
import { send, type RawResponse } from '../support/contract/raw_http.ts';
import { service } from '../support/service.ts';
import { newTenant, type Tenant } from '../support/contract/tenant/tenant.ts';
import { operationsInCallOrder, operations, type ApiOperation } from '../support/contract/operations.ts';

/*
 * Two accounts with records of every kind share one database. One of them names records of the other in every place of every
 * request. It can neither read nor change nor count them.
 */

let own: Tenant;
let other: Tenant;

beforeAll(async () => {
  other = await newTenant('Other');
  own = await newTenant('Own');
});

/** As the reference says, deleting a record that does not exist succeeds. */
const countsAsDone = ({ id }: ApiOperation, { body }: RequestParts): boolean =>
  (id === 'batchTimeTrackings' || id === 'batchNotifications') && JSON.stringify(body).includes('"destroy"');

interface Listing {
  data?: unknown[];
  meta?: { total_count?: number };
}

/** Whether the response is an empty list. */
function isEmpty({ body }: RawResponse): boolean {
  if (Array.isArray(body)) return body.length === 0;
  const { data, meta } = body as Listing;
  const listed = data ?? Object.values(body as object).find((member) => Array.isArray(member));
  return (
    Array.isArray(listed) &&
    listed.length === 0 &&
    (meta?.total_count ?? 0) === 0 &&
    !(body as { next_page?: unknown }).next_page
  );
}

/** The fault of a response to a request that names a record of the other account, or undefined. */
function complaintAbout(
  operation: ApiOperation,
  draft: RequestParts,
  place: RecordReference,
  answer: RawResponse,
): string | undefined {
  if (answer.text.includes(other.mark) && !JSON.stringify(draft).includes(other.mark))
    return 'shows texts of the other account';
  if ([403, 404].includes(answer.status)) return undefined;
  if (answer.status === 400) return place.where === 'path' ? 'is 400, although the record is addressed' : undefined;
  if (answer.status >= 300) return `is ${answer.status}`;
  if (place.where === 'query') return isEmpty(answer) ? undefined : 'finds something';
  return countsAsDone(operation, draft) ? undefined : `is ${answer.status}, as if the record were there`;
}

const inWords = ({ where, steps }: RecordReference): string => `${where} ${steps.join('.')}`;

describe('every place in which an operation names a record', () => {
  it(
    'takes nothing of another account, and shows and changes nothing there',
    async () => {
      const { url, database, jobs } = await service();
      const line = tally('operations × places that name a record of another account');
      let before = await accountDigest(database.db, other.accountId);
      let since: string[] = [];
      const people = [own.admin, own.workspaceAdmin, own.areaAdmin, own.employee].slice(0, repetitions(1, 4));
      for (const operation of operations) {
        const places = recordReferences(operation);
        for (const draft of validRequests(operation, own)) {
          for (const person of operation.api === 'v3' ? people : [own.admin]) {
            for (const place of places.filter((one) => namesRecordAt(draft, one))) {
              const request = withRecordOf(draft, place, other);
              const answer = await send(url, rawRequestOf(operation, request, own, person));
              line.count();
              checkResponse(operation.api, operation.id, answer, false);
              const complaint = complaintAbout(operation, request, place, answer);
              if (complaint)
                line.fail(
                  `${operation.id}, ${inWords(place)}: ${complaint}. ${JSON.stringify(request)} ${answer.text.slice(0, 300)}`,
                );
            }
          }
        }
        since.push(operation.id);
        if (operation.method === 'get' || (since.length < repetitions(15, 1) && operation !== operations.at(-1)))
          continue;
        await jobs.drain();
        const after = await accountDigest(database.db, other.accountId);
        for (const table of changedTables(before, after))
          line.fail(`${since.join(' or ')} changed ${table} of the other account.`);
        before = after;
        since = [];
      }
      line.close();
    },
    walkTimeoutMs,
  );
});

/** Requests that could make a list show more than it should: includes, sorts, counts, and texts of the other account in every filter. */
function curiousQueries({ allParameters }: ApiOperation): string[] {
  const parameters = allParameters.filter((parameter) => parameter.in === 'query') as {
    name: string;
    description?: string;
  }[];
  const includes = [...(parameters.find(({ name }) => name === 'include')?.description ?? '').matchAll(/`(\w+)`/g)].map(
    (match) => match[1],
  );
  const filters = parameters.filter(({ name }) => name.startsWith('filter['));
  const fields = filters.map(({ name }) => name.slice('filter['.length, -1));
  const texts = filters.flatMap(({ name }) => ['eq', 'ct', 'in'].map((matcher) => `${name}=${matcher}:${other.mark}`));
  return [
    ...(includes.length > 0 ? [`include=${includes.join(',')}&permissions=true&items=100`] : []),
    ...fields.flatMap((field) => [`sort=${field}`, `sort=-${field}&items=1`]),
    ...(fields.length > 0 ? ['outset=1', 'items=1&page=2', 'page=1000'] : []),
    ...texts,
    ...parameters
      .filter(({ name }) => ['title', 'external_id', 'location_external_id'].includes(name))
      .map(({ name }) => `${name}=${other.mark}`),
  ];
}

describe('every list and record', () => {
  it(
    'shows nothing of another account, however it is sorted, filtered, paged and completed',
    async () => {
      const { url } = await service();
      const line = tally('reads × includes, sorts, filters and pages: nothing of another account');
      const totals = new Map<string, Set<number>>();
      for (const [index, operation] of operations.filter(({ method }) => method === 'get').entries()) {
        const [draft] = validRequests(operation, own);
        const { address, ...rest } = rawRequestOf(operation, draft!, own);
        for (const query of ['', ...sample(curiousQueries(operation), 6, index)]) {
          const answer = await send(url, {
            ...rest,
            address: `${address}${address.includes('?') ? '&' : '?'}${query}`,
          });
          line.count();
          if (query === '' && answer.status >= 300) line.fail(`${operation.id} is ${answer.status}: ${answer.text}`);
          const { total_count: total } = (answer.body as Listing | null)?.meta ?? {};
          if (answer.text.includes(other.mark) && !query.includes(other.mark))
            line.fail(`${operation.id}?${query} shows texts of the other account.`);
          if (query.startsWith('sort') && total !== undefined)
            totals.set(operation.id, (totals.get(operation.id) ?? new Set()).add(total));
          if (
            query.includes(other.mark) &&
            answer.status === 200 &&
            answer.text.replaceAll(encodeURIComponent(other.mark), '').includes(other.mark)
          ) {
            line.fail(`${operation.id}?${query} finds texts of the other account.`);
          }
        }
      }
      for (const [id, counts] of totals)
        if (counts.size > 1) line.fail(`${id} counts differently when it is sorted: ${[...counts].join(', ')}.`);
      line.close();
    },
    walkTimeoutMs,
  );
});

describe('the walk', () => {
  it(
    'has a record of every kind in both accounts',
    async () => {
      const { db } = (await service()).database;
      const digest = await accountDigest(db, other.accountId);
      // Items are gone once a batch is done, no request was repeated, and one server numbers all events unless rows are distributed.
      const mayBeEmpty = ['batch_items', 'idempotency_keys', 'event_servers'];
      const empty = Object.keys(digest).filter(
        (table) => digest[table]!.startsWith('0 ') && !mayBeEmpty.includes(table),
      );
      expect(empty).toEqual([]);
    },
    walkTimeoutMs,
  );

  // Last, because it deletes the records.
  it(
    'succeeds with the caller’s own records: nothing else was wrong with those requests',
    async () => {
      const { url } = await service();
      const line = tally('the same requests with own records: they succeed');
      for (const operation of operationsInCallOrder) {
        for (const draft of validRequests(operation, own)) {
          const answer = await send(url, rawRequestOf(operation, draft, own));
          line.count();
          if (answer.status >= 300)
            line.fail(`${operation.id}: ${JSON.stringify(draft)} ${answer.status} ${answer.text}`);
        }
      }
      line.close();
    },
    walkTimeoutMs,
  );
});
