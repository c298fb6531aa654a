import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';

const create = async (person: Person, attributes: object): Promise<string> =>
  (await person.call('createArea', { body: bodyOf('area', attributes) })).body.data.id;

describe('createArea', () => {
  it('201 with name and colour', async () => {
    const { admin, workspaceId } = await newWorld();
    const { status, body } = await admin.call('createArea', {
      body: bodyOf('area', { name: 'Bar', color: '#2196F3' }),
    });
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({
      name: 'Bar',
      color: '#2196F3',
      status: 'active',
      external_id: null,
      permissions: null,
    });
    expect(body.data.relationships).toEqual({
      users: { data: [] },
      areas: { data: [] },
      workspace: { data: { type: 'workspace', id: String(workspaceId) } },
    });
  });

  it('201 with blanks in optional attributes, which then have their defaults', async () => {
    const { admin } = await newWorld();
    const { status, body } = await admin.call('createArea', {
      body: bodyOf('area', { name: 'Bar', color: '', external_id: null, unknown: 1 }),
    });
    expect(status).toBe(201);
    expect(body.data.attributes).toMatchObject({ color: '#9E9E9E', external_id: null });
  });

  it('400 names every problem at once', async () => {
    const { admin } = await newWorld();
    const response = await admin.call('createArea', { body: bodyOf('areas', { color: 'red', external_id: 5 }) });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual(['color', 'external_id', 'name', 'type']);
    expect(titlesIn(response)).toContain('color must be a colour like #2196F3, but was "red".');
    expect(titlesIn(response)).toContain('type must be "area", but was "areas".');
  });

  it('400 for a name and an external id that are taken, both at once', async () => {
    const { admin } = await newWorld();
    const body = bodyOf('area', { name: 'Bar', external_id: 'bar' });
    await admin.call('createArea', { body });
    const response = await admin.call('createArea', { body });
    expect(response.status).toBe(400);
    expect(pointersIn(response)).toEqual(['name', 'external_id']);
  });

  it('403 for an employee', async () => {
    const { employee } = await newWorld();
    expect((await employee.call('createArea', { body: bodyOf('area', { name: 'Bar' }) })).status).toBe(403);
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newWorld();
    expect((await stranger.call('createArea', { body: bodyOf('area', { name: 'Bar' }) })).status).toBe(404);
  });

  it('one of many concurrent requests gets a name', async () => {
    const { admin } = await newWorld();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => admin.call('createArea', { body: bodyOf('area', { name: 'Bar' }) })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
  });
});

describe('createArea with sizes and external ids', () => {
  it('201 up to 255 characters, 400 beyond', async () => {
    const { admin } = await newWorld();
    expect(
      (
        await admin.call('createArea', {
          body: bodyOf('area', { name: '🙂'.repeat(255), external_id: 'x'.repeat(255) }),
        })
      ).status,
    ).toBe(201);
    const response = await admin.call('createArea', {
      body: bodyOf('area', { name: 'x'.repeat(256), external_id: 'y'.repeat(256) }),
    });
    expect(response.status).toBe(400);
    expect(pointersIn(response).sort()).toEqual(['external_id', 'name']);
  });

  it('201 for any number of blank external ids', async () => {
    const { admin } = await newWorld();
    for (const name of ['One', 'Two']) {
      const { status, body } = await admin.call('createArea', { body: bodyOf('area', { name, external_id: '' }) });
      expect(status).toBe(201);
      expect(body.data.attributes.external_id).toBe('');
    }
  });

  it('400 for an external id of another workspace of the account, 201 for one of another account', async () => {
    const { admin, accountId } = await newWorld();
    const { body } = await admin.call('createWorkspace', { body: bodyOf('workspace', { name: 'Hill' }) });
    await create(admin, { name: 'Bar', external_id: 'bar' });
    const elsewhere = {
      params: { workspace_id: body.data.id },
      body: bodyOf('area', { name: 'Bar', external_id: 'bar' }),
    };
    expect(pointersIn(await admin.call('createArea', elsewhere))).toEqual(['external_id']);
    const other = await newWorld();
    expect(other.accountId).not.toBe(accountId);
    expect(
      (await other.admin.call('createArea', { body: bodyOf('area', { name: 'Bar', external_id: 'bar' }) })).status,
    ).toBe(201);
  });
});
