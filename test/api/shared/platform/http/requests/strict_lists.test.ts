import { beforeAll, describe, expect, it } from 'vitest';
import {
  operationsOf,
  partsOf,
  readContract,
  resolver,
  resolveSchema,
  type Parameter,
} from '../../../../../../src/platform/http/contract_document.ts';
import { prefersStrict } from '../../../../../../src/platform/http/answers/strictness.ts';
import { pointersIn, titlesIn } from '../../../../../support/client.ts';
import { issueApiKey } from '../../../../../support/people.ts';
import { sharedRecords } from '../../../../../support/shared_records.ts';
import { generalToken } from '../../../../v3/access/invitations/support.ts';

let records: Awaited<ReturnType<typeof sharedRecords>>;
let apiKey: string;
/** The parameters without which a list is refused. */
const needed: Record<string, string> = {
  listUserSummaries: 'from=2026-01-01&to=2026-01-31&',
  listSearches: 'filter[query]=a&',
};
beforeAll(async () => {
  records = await sharedRecords();
  apiKey = await issueApiKey();
  needed['listInvitedUsers'] = `invite_token=${await generalToken(records)}&`;
});

const strict = { Prefer: 'handling=strict' };

/** A query with everything that it needs beside the parameters under test. */
/** Users read their own preferences and calendar feeds only. */
const isOfOneself = (operationId: string): boolean => ['listPreferences', 'listCalendarFeeds'].includes(operationId);

const send = (operationId: string, query: string, headers: Record<string, string> = {}) =>
  records.admin.call(operationId, {
    params: { ...records.params, user_id: (isOfOneself(operationId) ? records.admin : records.employee).id },
    query: `${needed[operationId] ?? ''}${query}`,
    headers: { 'Api-Key': apiKey, ...headers },
  });

const contract = readContract('v3');
const resolve = resolver(contract);
const lists = operationsOf(contract)
  .filter(({ operation }) => operation.operationId.startsWith('list'))
  .map(({ operation }) => ({
    operationId: operation.operationId,
    parameters: (operation.parameters ?? []).map((parameter) =>
      '$ref' in parameter ? (resolve(parameter.$ref) as Parameter) : parameter,
    ) as readonly (Parameter & { example?: unknown })[],
  }));

describe('every list of the resource API', () => {
  it.each(lists)('$operationId accepts everything in its contract when strict', async ({ operationId, parameters }) => {
    const filters = parameters.filter(({ name }) => name.startsWith('filter['));
    expect(filters.length).toBeGreaterThan(0);
    const query = filters.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join('&');
    const response = await send(operationId, `${query}&page=1&items=5&outset=0&sort=id`, strict);
    expect([response.status, response.text]).toEqual([200, response.text]);
    expect(response.headers['preference-applied']).toBe('handling=strict');
    expect(response.body.meta).not.toHaveProperty('ignored');
  });

  it.each(lists)('$operationId names what it ignores, and refuses it when strict', async ({ operationId }) => {
    const query = 'fliter[id]=eq:1&filter[nothing]=eq:1&filter[id]=approximately:1&sort=-nothing,id';
    const { status, body, headers } = await send(operationId, query);
    expect(status).toBe(200);
    expect(body.meta.ignored).toEqual([
      'fliter[id]=eq:1',
      'filter[nothing]=eq:1',
      'filter[id]=approximately:1',
      'sort=-nothing',
    ]);
    expect(headers).not.toHaveProperty('preference-applied');
    const refused = await send(operationId, query, strict);
    expect([refused.status, pointersIn(refused)]).toEqual([400, ['fliter', 'filter[nothing]', 'filter[id]', 'sort']]);
  });
});

/** Values of every kind, with every kind of matcher and without. */
const id = '0b9a4a3e-2d0f-4d0c-8f5b-7d3f0a6c1e52';
const samples = [
  ...['eq:1', '!eq:1', 'gte:-1.5', 'in:1,x', 'present:true', 'approximately:1', 'ct:a', 'eq:true', `eq:${id}`, 'eq:2026-05-01'],
  ...['lt:2026-05-01T08:00:00+02:00', '1,2', 'true', '2026-05-01_2026-05-31', 'pending', 'vacation'],
]; // prettier-ignore

type Filter = Parameter & { readonly example?: unknown; readonly description?: string };
const schemasOf = (filter: Parameter) => partsOf(resolveSchema(filter.schema, resolve), resolve);
const fits = (filter: Parameter, value: string): boolean =>
  schemasOf(filter).some(({ pattern }) => pattern !== undefined && new RegExp(pattern, 'u').test(value));
const takesList = (filter: Parameter): boolean => schemasOf(filter).some(({ type }) => type === 'array');
const isRefused = ({ description }: Filter): boolean => /returns 400/.test(description ?? '');
const queryOf = (name: string, ...values: readonly unknown[]): string =>
  values.map((value) => `${name}=${encodeURIComponent(String(value))}`).join('&');

describe('the pattern of a filter', () => {
  const filters = lists.map(({ operationId, parameters }) => ({
    operationId,
    // The text to search for is required, and any will do.
    filters: (parameters as readonly Filter[]).filter(
      ({ name }) => name.startsWith('filter[') && name !== 'filter[query]',
    ),
  }));

  it.each(filters)('is what $operationId reads', async ({ operationId, filters }) => {
    for (const sample of samples) {
      const sent = filters.filter((filter) => !isRefused(filter) || fits(filter, sample));
      const { status, text, body } = await send(operationId, sent.map(({ name }) => queryOf(name, sample)).join('&'));
      expect([status, text]).toEqual([200, text]);
      const unfit = sent.filter((filter) => !fits(filter, sample)).map(({ name }) => `${name}=${sample}`);
      expect(body.meta.ignored ?? []).toEqual(unfit);
    }
  });

  it.each(filters)('lets $operationId take several, in either spelling', async ({ operationId, filters }) => {
    const several = filters.filter(takesList);
    for (const brackets of ['', '[]']) {
      const query = several.map(({ name, example }) => queryOf(name + brackets, example, example)).join('&');
      const { status, text } = await send(operationId, query, strict);
      expect([status, text]).toEqual([200, text]);
    }
  });
});

describe('a strict list', () => {
  it.each([
    ['listAreas', 'filter[nothing]=eq:1', /^filter does not know "nothing". It may name: .*external_id/],
    [
      'listAreas',
      'filter[name]=Bar',
      /^filter\[name\] must be matcher:value with a text and one .* pre, suf, ct, !ct, in/,
    ],
    ['listAreas', 'filter[name]=', /but was ""\.$/],
    ['listAreas', 'filter[created_at]=gt:yesterday', /must be matcher:value with a time with its offset or a day/],
    ['listAreas', 'filter[id]=in:1,x', /but was "in:1,x"\.$/],
    ['listAreas', 'filter[id][]=1&filter[id][]=x', /but was "1,x"\.$/],
    ['listAreas', 'filter[id]=gte:1&filter[id]=lt:x', /but was "gte:1,lt:x"\.$/],
    ['listAreas', 'filter[name][eq]=Bar', /^filter\[name\] must be/],
    ['listAreas', 'filter[name]=eq:%00', /^filter\[name\] must be/],
    [
      'listAreas',
      'filter=name',
      /^The list does not know the parameter "filter". It takes: page, items, .*filter\[name\]/,
    ],
    ['listAreas', 'sort=name,nothing', /^sort does not know "nothing". It may name: .*name/],
    [
      'listAbsences',
      'filter[user_id]=1,x',
      /^filter\[user_id\] must be ids, separated by commas, or matcher:value .*"1,x"\.$/,
    ],
    [
      'listAbsences',
      'filter[user_id]=x',
      /^filter\[user_id\] must be ids, separated by commas, or matcher:value .*"x"\.$/,
    ],
    ['listAbsences', 'filter[confirmation_status]=open', /one or several of pending, confirmed, rejected, or matcher/],
    ['listTimeTrackings', 'filter[running]=maybe', /^filter\[running\] must be 1, true, 0 or false, but was "maybe"/],
    ['listTimeTrackings', 'filter[user_id]=eq:1,x', /must be ids, separated by commas/],
    ['listTimeTrackings', 'filter[overlapping_with_range]=2026-05', /must be a day, or two days with an underscore/],
    ['listActions', 'filter[working_session_id]=x', /must be ids or UUIDs, separated by commas, or matcher:value/],
    [
      'listActions',
      'filter[id]=eq:x',
      /must be matcher:value with a UUID and one of the matchers eq, !eq, in or present/,
    ],
  ])('400 %s?%s', async (operationId, query, title) => {
    const response = await send(operationId, query, strict);
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual([expect.stringMatching(title)]);
    expect((await send(operationId, query)).body.meta.ignored.length).toBeGreaterThan(0);
  });

  it('400 for an unknown parameter of the public API, which is otherwise ignored', async () => {
    const lenient = await records.world.enterprise('findPublicUsers', { query: 'loaction_ids=1' });
    expect(lenient.status).toBe(200);
    const response = await records.world.enterprise('findPublicUsers', { query: 'loaction_ids=1', headers: strict });
    expect([response.status, pointersIn(response)]).toEqual([400, ['loaction_ids']]);
    const known = await records.world.enterprise('findPublicUsers', { query: 'tags=0', headers: strict });
    expect([known.status, known.headers['preference-applied']]).toEqual([200, 'handling=strict']);
  });

  it('400 for an unknown parameter alone, and 404 where the record is unknown too', async () => {
    const alone = await send('listAreas', 'fliter=1', strict);
    expect([alone.status, pointersIn(alone)]).toEqual([400, ['fliter']]);
    const params = { time_tracking_id: 999_999_999 };
    const missing = await records.world.admin.call('listTimeTrackingTags', {
      params,
      query: 'fliter=1',
      headers: strict,
    });
    expect(missing.status).toBe(404);
  });

  it('does not depend on earlier requests of the same list', async () => {
    const query = 'filter[nothing]=eq:planned';
    expect((await send('listTimeTrackings', query)).status).toBe(200);
    expect((await send('listTimeTrackings', query, strict)).status).toBe(400);
    expect((await send('listTimeTrackings', query)).body.meta.ignored).toEqual([query]);
  });

  it('can be asked for by a page of another origin', async () => {
    const { headers } = await send('listAreas', '', { ...strict, Origin: 'https://example.com' });
    expect(headers['access-control-expose-headers']).toContain('Preference-Applied');
  });
});

describe('the header Prefer', () => {
  it.each([
    ['handling=strict', true],
    ['respond-async, handling=strict; foo="bar", wait=10', true],
    ['Handling = "Strict"', true],
    ['handling=strict, handling=lenient', true],
    ['handling=lenient, handling=strict', false],
    ['handling=strictly', false],
    ['foo="a, handling=strict"', false],
    ['handling', false],
    ['"', false],
    ['', false],
  ])('%s', (header, expected) => {
    expect(prefersStrict(header)).toBe(expected);
  });
});
