import type { Response } from 'supertest';
import { describe, expect, it } from 'vitest';
import { RefusedError, type ErrorCode } from '../../../../../src/client/client.ts';
import { call, codesIn, pointersIn } from '../../../../support/client.ts';
import { newEnterprise } from '../../../../support/enterprise.ts';
import { bodyOf, newWorld } from '../../../../support/world.ts';

/*
 * The codes that clients of both APIs meet most often. Under which code every other title belongs is in the catalogue, which
 * scripts/covered.ts compares with the answers of all tests.
 */

const refusal = (response: Response) => [response.status, codesIn(response), pointersIn(response)];

describe('the resource API', () => {
  it('tells values, references and states apart', async () => {
    const { admin, employee } = await newWorld();
    const create = () => admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) });
    const created = await create();
    expect(created.status).toBe(201);
    expect(refusal(await create())).toEqual([400, ['taken'], ['name']]);
    const options = { params: { area_id: created.body.data.id }, body: bodyOf('area', { user_ids: [987654321] }) };
    expect(refusal(await admin.call('updateArea', options))).toEqual([400, ['unknown_reference'], ['user_ids']]);
    const punch = { body: bodyOf('action', { action_type: 'end' }) };
    expect(refusal(await employee.call('createAction', punch))).toEqual([400, ['wrong_state'], ['action_type']]);
    expect(refusal(await admin.call('deleteWorkspace'))).toEqual([400, ['protected'], ['base']]);
  });

  it('tells callers apart', async () => {
    const { admin, employee, stranger } = await newWorld();
    expect(refusal(await employee.call('createArea', { body: bodyOf('area', { name: 'Bar' }) }))).toEqual([
      403,
      ['forbidden'],
      ['base'],
    ]);
    expect(refusal(await stranger.call('listAreas'))).toEqual([404, ['not_found'], ['base']]);
    expect(refusal(await admin.call('getArea', { params: { area_id: 987654321 } }))).toEqual([
      404,
      ['not_found'],
      ['base'],
    ]);
  });

  it('tells every problem of one request', async () => {
    const { admin } = await newWorld();
    const body = bodyOf('tag', { title: 'a'.repeat(256), color: 'red', active: 'perhaps' });
    const [status, codes] = refusal(await admin.call('createTag', { body }));
    expect([status, (codes as string[]).sort()]).toEqual([400, ['invalid_format', 'invalid_type', 'too_long']]);
  });

  it('names what a strict list knows', async () => {
    const { admin } = await newWorld();
    const response = await admin.call('listTags', {
      query: 'filter[titel]=eq:Late',
      headers: { Prefer: 'handling=strict' },
    });
    expect(refusal(response)).toEqual([400, ['unknown_name'], ['filter[titel]']]);
    expect(response.body.errors[0].meta.allowed).toContain('title');
  });
});

describe('the public API', () => {
  it('has the same codes, beside its own member', async () => {
    const { enterprise, newUser, workspaceId } = await newEnterprise();
    await newUser({ external_id: 'e-1' });
    const user = { location_ids: workspaceId, username: 'Erika', external_id: 'e-1' };
    const taken = await enterprise('createPublicUser', { body: { user } });
    expect(refusal(taken)).toEqual([400, ['taken'], ['external_id']]);
    expect(taken.body.response).toBe(taken.body.errors[0].title);
    expect(refusal(await enterprise('deletePublicUser', { query: {} }))).toEqual([400, ['required'], ['id']]);
    const unknown = { query: { external_id: 'nobody' } };
    expect(refusal(await enterprise('deletePublicUser', unknown))).toEqual([404, ['not_found'], ['base']]);
  });

  it('403 read_only_token', async () => {
    const { admin } = await newWorld();
    const created = await admin.call('createApiToken', {
      body: bodyOf('api_token', { name: 'Reads', read_only: true }),
    });
    const { token } = created.body.data.attributes;
    const response = await call('public', 'deletePublicUser', { query: { api_token: token, external_id: 'e-1' } });
    expect(refusal(response)).toEqual([403, ['read_only_token'], ['base']]);
  });
});

describe('RefusedError of the client', () => {
  it('has the codes, each once, with their type', () => {
    const problem = {
      status: 'bad_request',
      code: 'taken',
      source: { pointer: 'name' },
      title: 'It is taken.',
    } as const;
    const codes: readonly ErrorCode[] = new RefusedError(400, [problem, problem], undefined).codes;
    expect(codes).toEqual(['taken']);
  });
});
