import { describe, expect, it } from 'vitest';
import { call, pointersIn } from '../support/client.ts';
import { bodyOf, newWorld } from '../support/world.ts';

describe('createApiToken', () => {
  it('201 with a token that works at once and is never shown again', async () => {
    const { admin, accountId } = await newWorld();
    const { status, body } = await admin.call('createApiToken', { body: bodyOf('api_token', { name: 'Payroll' }) });
    expect(status).toBe(201);
    const { token } = body.data.attributes;
    expect(token).toMatch(/^[A-Za-z0-9]{40}$/);
    expect(body.data.attributes).toMatchObject({ name: 'Payroll', last_four: token.slice(-4), last_used_at: null });
    expect((await call('public', 'ping', { query: { api_token: token } })).body.enterprise_id).toBe(accountId);
    const listed = (await admin.call('listApiTokens')).body.data.find(({ id }: { id: string }) => id === body.data.id);
    expect(listed.attributes).toMatchObject({ name: 'Payroll', last_four: token.slice(-4), last_used_at: expect.stringMatching(/Z$/) });
    expect(listed.attributes).not.toHaveProperty('token');
  });

  it('400 without a name, 403 for anybody but an account admin', async () => {
    const { admin, employee, addMember } = await newWorld();
    expect(pointersIn(await admin.call('createApiToken', { body: bodyOf('api_token', {}) }))).toEqual(['name']);
    for (const person of [employee, await addMember('workspaceAdmin')]) {
      expect((await person.call('createApiToken', { body: bodyOf('api_token', { name: 'Payroll' }) })).status).toBe(403);
      expect((await person.call('listApiTokens')).status).toBe(403);
    }
  });
});

describe('deleteApiToken', () => {
  it('200, and the token is worth nothing from then on', async () => {
    const { admin } = await newWorld();
    const { id, attributes } = (await admin.call('createApiToken', { body: bodyOf('api_token', { name: 'Payroll' }) })).body.data;
    expect((await admin.call('deleteApiToken', { params: { api_token_id: id } })).status).toBe(200);
    expect((await call('public', 'ping', { query: { api_token: attributes.token } })).status).toBe(401);
    expect((await admin.call('listApiTokens')).body.data.map((token: { id: string }) => token.id)).not.toContain(id);
    expect((await admin.call('deleteApiToken', { params: { api_token_id: id } })).status).toBe(404);
  });

  it("403 for an employee, 404 for another account's and for what is no id", async () => {
    const [home, abroad] = [await newWorld(), await newWorld()];
    const { id } = (await abroad.admin.call('listApiTokens')).body.data[0];
    expect((await abroad.employee.call('deleteApiToken', { params: { api_token_id: id } })).status).toBe(403);
    for (const api_token_id of [id, 'abc', '5']) expect((await home.admin.call('deleteApiToken', { params: { api_token_id } })).status).toBe(404);
    expect((await abroad.enterprise('ping')).status).toBe(200);
  });

  it('400 for a page of tokens that is none', async () => {
    const { admin } = await newWorld();
    expect((await admin.call('listApiTokens', { query: { items: 0 } })).status).toBe(400);
  });
});
