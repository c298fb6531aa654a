import { beforeAll, describe, expect, it } from 'vitest';
import { tokenHash } from '../../../../../src/platform/core/secrets.ts';
import { call, pointersIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const issue = (name: unknown = 'Payroll', person: Person = world.admin) =>
  person.call('createApiToken', { body: bodyOf('api_token', { name }) });
const ping = async (api_token: string) => (await call('public', 'ping', { query: { api_token } })).status;

describe('createApiToken', () => {
  it('201 shows the token once, and stores only its hash', async () => {
    const { status, body } = await issue();
    expect(status).toBe(201);
    const { token } = body.data.attributes;
    expect(body.data).toMatchObject({
      type: 'api_token',
      attributes: { name: 'Payroll', last_four: token.slice(-4), last_used_at: null },
    });
    expect(token).toMatch(/^[A-Za-z0-9]{40}$/);
    const row = await world.db
      .selectFrom('api_tokens')
      .selectAll()
      .where('id', '=', body.data.id)
      .executeTakeFirstOrThrow();
    expect(row.hash).toBe(tokenHash(token));
    expect(JSON.stringify(row)).not.toContain(token);
    expect(await ping(token)).toBe(200);
  });

  it.each(['', ' ', null, 5, 'x'.repeat(256), 'a\0'])('400 for the name %j', async (name) => {
    const response = await issue(name);
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['name']);
  });

  it('403 for everybody but account admins, 404 for a stranger', async () => {
    expect((await issue('Mine', await world.addMember('workspaceAdmin'))).status).toBe(403);
    expect((await issue('Mine', world.stranger)).status).toBe(404);
  });
});

describe('listApiTokens', () => {
  it('200 lists what is valid in this account, without the tokens', async () => {
    const { admin } = await newWorld();
    const { body: one } = await admin.call('createApiToken', { body: bodyOf('api_token', { name: 'One' }) });
    const { body: two } = await admin.call('createApiToken', { body: bodyOf('api_token', { name: 'Two' }) });
    await admin.call('deleteApiToken', { params: { api_token_id: two.data.id } });
    const response = await admin.call('listApiTokens', { query: { sort: 'name' } });
    expect(response.status).toBe(200);
    expect(response.body.data.map((token: { attributes: { name: string } }) => token.attributes.name)).toEqual([
      'One',
      'Test',
    ]);
    expect(response.text).not.toContain(one.data.attributes.token);
    expect(response.body.data[0].attributes).not.toHaveProperty('token');
  });

  it('200 filtered by id, name and use', async () => {
    const { body } = await issue('Unique');
    const found = async (query: Record<string, string>) =>
      (await world.admin.call('listApiTokens', { query })).body.data.map(
        (token: { attributes: { name: string } }) => token.attributes.name,
      );
    expect(await found({ 'filter[id]': `eq:${body.data.id}` })).toEqual(['Unique']);
    expect(await found({ 'filter[name]': 'pre:uni' })).toEqual(['Unique']);
    expect(await found({ 'filter[last_used_at]': 'present:true', 'filter[name]': 'in:Unique,Test' })).toEqual(['Test']);
    expect(await found({ 'filter[id]': 'eq:abc' })).toEqual([]);
  });

  it('400 for an invalid page, 403 for others, 404 for a stranger', async () => {
    expect((await world.admin.call('listApiTokens', { query: { page: 0 } })).status).toBe(400);
    expect((await world.employee.call('listApiTokens')).status).toBe(403);
    expect((await world.stranger.call('listApiTokens')).status).toBe(404);
  });
});

describe('deleteApiToken', () => {
  it('200 revokes it', async () => {
    const { body } = await issue();
    expect(await ping(body.data.attributes.token)).toBe(200);
    const response = await world.admin.call('deleteApiToken', { params: { api_token_id: body.data.id } });
    expect(response.status).toBe(200);
    expect(response.body.data).toMatchObject({
      id: body.data.id,
      attributes: { name: 'Payroll', last_used_at: expect.stringMatching(/Z$/) },
    });
    expect(response.text).not.toContain(body.data.attributes.token);
    expect(await ping(body.data.attributes.token)).toBe(401);
  });

  it('403 for everybody but account admins', async () => {
    const { body } = await issue();
    expect((await world.employee.call('deleteApiToken', { params: { api_token_id: body.data.id } })).status).toBe(403);
  });

  it('404 a second time, for that of another account, and for none', async () => {
    const { body } = await issue();
    const other = await newWorld();
    const foreign = await other.admin.call('createApiToken', { body: bodyOf('api_token', { name: 'Foreign' }) });
    await world.admin.call('deleteApiToken', { params: { api_token_id: body.data.id } });
    for (const id of [body.data.id, foreign.body.data.id, 'abc', '00000000-0000-4000-8000-000000000000'])
      expect((await world.admin.call('deleteApiToken', { params: { api_token_id: id } })).status).toBe(404);
    expect(await ping(foreign.body.data.attributes.token)).toBe(200);
  });
});
