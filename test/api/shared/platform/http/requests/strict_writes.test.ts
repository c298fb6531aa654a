import { beforeAll, describe, expect, it } from 'vitest';
import {
  operationsOf,
  operationsWith,
  readContract,
  requestBodySchema,
  resolver,
  resolveSchema,
} from '../../../../../../src/platform/http/contract_document.ts';
import { codesIn, pointersIn, titlesIn } from '../../../../../support/client.ts';
import { issueApiKey } from '../../../../../support/people.ts';
import { sharedRecords } from '../../../../../support/shared_records.ts';
import { bodyOf, newWorld } from '../../../../../support/world.ts';

const headers = { Prefer: 'handling=strict' };

let apiKey: string;
beforeAll(async () => {
  apiKey = await issueApiKey();
});

/** The operations of an API whose bodies are records in JSON. */
function writesOf(api: 'v3' | 'public') {
  const contract = readContract(api);
  const resolve = resolver(contract);
  const strict = operationsWith(contract, 'Prefer');
  return operationsOf(contract).flatMap(({ operation, path }) => {
    const schema = requestBodySchema(operation, undefined, resolve);
    if (schema === undefined) return [];
    const { properties = {} } = resolveSchema(schema, resolve);
    const named = Object.fromEntries(
      [...path.matchAll(/\{((?!account_id|workspace_id)\w+)\}/g)].map(([, name]) => [name!, 1]),
    );
    const isForm = operation.requestBody?.content['multipart/form-data'] !== undefined;
    return [
      { operationId: operation.operationId, isStrict: strict.has(operation.operationId), properties, isForm, named },
    ];
  });
}

describe('a strict write', () => {
  it.each(writesOf('v3'))('$operationId refuses an attribute that it does not know', async (write) => {
    expect(write.isStrict).toBe(true);
    const { admin, params } = await sharedRecords();
    const isRecord = 'data' in write.properties;
    const options = write.isForm
      ? { form: { nonsense: '1' } }
      : { body: isRecord ? bodyOf('any', { nonsense: 1 }) : { nonsense: 1 } };
    const refused = await admin.call(write.operationId, {
      ...options,
      params: { ...write.named, ...params, user_id: admin.id },
      headers: { ...headers, 'Api-Key': apiKey },
    });
    expect([refused.status, pointersIn(refused)]).toEqual([400, expect.arrayContaining(['nonsense'])]);
  });

  it.each(writesOf('public'))('$operationId refuses a member that it does not know', async (write) => {
    expect(write.isStrict).toBe(true);
    const { world } = await sharedRecords();
    const options = write.isForm ? { form: { nonsense: '1', api_token: world.apiToken } } : { body: { nonsense: 1 } };
    const refused = await world.enterprise(write.operationId, { ...options, params: { id: 1 }, headers });
    expect([refused.status, pointersIn(refused)]).toEqual([400, expect.arrayContaining(['nonsense'])]);
  });

  it('names every problem at once, says what there is, and writes nothing', async () => {
    const { admin } = await newWorld();
    const body = bodyOf('tag', { titel: 'Night', colour: null, color: 'red' });
    const refused = await admin.call('createTag', { body, headers });
    expect(refused.status).toBe(400);
    expect(pointersIn(refused).sort()).toEqual(['color', 'colour', 'titel', 'title']);
    const unknown = refused.body.errors.find(
      (problem: { source: { pointer: string } }) => problem.source.pointer === 'titel',
    );
    expect(unknown).toMatchObject({
      code: 'unknown_name',
      meta: { allowed: expect.arrayContaining(['title', 'color']) },
    });
    expect(unknown.title).toMatch(
      /^titel must be left out, because nothing of that name is known here\. There is .*title/,
    );
    expect((await admin.call('listTags')).body.data).toEqual([]);
  });

  it('names what lies deeper by its path', async () => {
    const { admin } = await newWorld();
    const breaks_attributes = [{ starts_at: '2026-01-05T09:00:00Z', end_at: '2026-01-05T09:30:00Z' }];
    const attributes = { starts_at: '2026-01-05T08:00:00Z', ends_at: '2026-01-05T10:00:00Z', breaks_attributes };
    const refused = await admin.call('createTimeTracking', {
      body: bodyOf('time_tracking', attributes, { aera: { data: { type: 'area', id: '1' } } }),
      headers,
    });
    expect(pointersIn(refused)).toEqual(expect.arrayContaining(['breaks_attributes/0/end_at', 'aera']));
    expect(new Set(codesIn(refused))).toEqual(new Set(['unknown_name', 'required']));
  });

  it('takes what is known, also the members of JSON:API, and says that it was strict', async () => {
    const { admin, employee } = await newWorld();
    const made = await admin.call('createTag', { body: bodyOf('tag', { title: 'Night' }), headers });
    expect([made.status, made.headers['preference-applied']]).toEqual([201, 'handling=strict']);
    const params = { tag_id: made.body.data.id };
    const { data } = bodyOf('tag', { title: 'Late' });
    const body = { jsonapi: { version: '1.1' }, meta: {}, data: { ...data, id: params.tag_id, links: {}, meta: {} } };
    expect((await admin.call('updateTag', { params, body, headers })).status).toBe(200);
    expect((await employee.call('signOut', { headers })).status).toBe(204);
  });

  it('without the header ignores what it does not know', async () => {
    const { admin } = await newWorld();
    const made = await admin.call('createTag', { body: bodyOf('tag', { title: 'Night', titel: 'x' }) });
    expect(made.status).toBe(201);
    expect(made.headers).not.toHaveProperty('preference-applied');
    expect(made.body.meta).not.toHaveProperty('ignored');
  });

  it('of the public API takes records at the top level too', async () => {
    const { enterprise, workspaceId } = await newWorld();
    const location = { location_id: workspaceId };
    const flat = await enterprise('createWorkingArea', { body: { ...location, name: 'Kitchen' }, headers });
    expect([flat.status, flat.headers['preference-applied']]).toEqual([200, 'handling=strict']);
    const refused = await enterprise('createWorkingArea', {
      body: { ...location, working_area: { name: 'Bar', nmae: 'x' } },
      headers,
    });
    expect([pointersIn(refused), titlesIn(refused)]).toEqual([['nmae'], [expect.stringContaining('name')]]);
  });
});
