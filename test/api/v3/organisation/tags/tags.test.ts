import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type Person, type World } from '../../../../support/world.ts';

const createTag = async ({ admin }: World, title: string, attributes: object = {}): Promise<string> => {
  const { status, body } = await admin.call('createTag', { body: bodyOf('tag', { title, ...attributes }) });
  expect(status).toBe(201);
  return body.data.id as string;
};

describe('createTag', () => {
  it('201 with every attribute', async () => {
    const { admin, workspaceId } = await newWorld();
    const attributes = { title: 'Inventory', active: false, external_id: 'inventory', color: '#009688' };
    const { status, body } = await admin.call('createTag', { body: bodyOf('tag', attributes) });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ type: 'tag', attributes });
    expect(body.data.relationships).toEqual({
      workspace: { data: { type: 'workspace', id: String(workspaceId) } },
      users: { data: [] },
    });
  });

  it('201 with blanks in optional attributes, which then have their defaults', async () => {
    const { admin } = await newWorld();
    const { status, body } = await admin.call('createTag', {
      body: bodyOf('tag', { title: 'Inventory', active: '', external_id: null, color: '' }),
    });
    expect(status).toBe(201);
    expect(body.data.attributes).toEqual({ title: 'Inventory', active: true, external_id: null, color: null });
  });

  it('201 for an area admin', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    expect((await areaAdmin.call('createTag', { body: bodyOf('tag', { title: 'Inventory' }) })).status).toBe(201);
  });

  it('201 for a title that another workspace has', async () => {
    const [one, other] = [await newWorld(), await newWorld()];
    await createTag(one, 'Inventory');
    await createTag(other, 'Inventory');
  });

  it('400 names every problem at once', async () => {
    const { admin } = await newWorld();
    const response = await admin.call('createTag', {
      body: bodyOf('tags', { title: '  ', active: 'yes', external_id: 5, color: 'red' }),
    });
    expect(response.status).toBe(400);
    expect([...new Set(pointersIn(response))].sort()).toEqual(['active', 'color', 'external_id', 'title', 'type']);
  });

  it('400 for a title and an external id that are taken, both at once', async () => {
    const world = await newWorld();
    await createTag(world, 'Inventory', { external_id: 'inventory' });
    const response = await world.admin.call('createTag', {
      body: bodyOf('tag', { title: 'Inventory', external_id: 'inventory' }),
    });
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual([
      'title "Inventory" is already used by another tag of this workspace.',
      'external_id "inventory" is already used by another tag of this account.',
    ]);
  });

  it('those who create a title at the same moment share one tag, and those who come later are 400', async () => {
    const { admin, db, accountId } = await newWorld();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => admin.call('createTag', { body: bodyOf('tag', { title: 'Inventory' }) })),
    );
    const created = responses.filter(({ status }) => status === 201);
    expect(created.length).toBeGreaterThan(0);
    expect(new Set(created.map(({ body }) => body.data.id)).size).toBe(1);
    expect(responses.filter(({ status }) => status === 400)).toHaveLength(responses.length - created.length);
    expect(await db.selectFrom('tags').select('id').where('account_id', '=', accountId).execute()).toHaveLength(1);
  });

  it('403 for an employee', async () => {
    const { employee } = await newWorld();
    expect((await employee.call('createTag', { body: bodyOf('tag', { title: 'Inventory' }) })).status).toBe(403);
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newWorld();
    expect((await stranger.call('createTag', { body: bodyOf('tag', { title: 'Inventory' }) })).status).toBe(404);
  });
});

describe('updateTagWithPut', () => {
  it('200 does the same as updateTag, and refuses the same', async () => {
    const world = await newWorld();
    const id = await createTag(world, 'Night', { color: '#000000' });
    const put = (person: Person, tag_id: string, attributes: object) =>
      person.call('updateTagWithPut', { params: { tag_id }, body: bodyOf('tag', attributes) });
    const { status, body } = await put(world.admin, id, { title: 'Late' });
    expect(status).toBe(200);
    expect(body.data.attributes).toEqual({ title: 'Late', active: true, external_id: null, color: '#000000' });
    expect((await put(world.admin, id, { title: '' })).status).toBe(400);
    expect((await put(world.employee, id, { title: 'Day' })).status).toBe(403);
    expect((await put(world.admin, '4711', { title: 'Day' })).status).toBe(404);
  });
});

describe('updateTag', () => {
  it('200 changes only the sent attributes', async () => {
    const world = await newWorld();
    const id = await createTag(world, 'Night', { color: '#000000', external_id: 'night' });
    const { status, body } = await world.admin.call('updateTag', {
      params: { tag_id: id },
      body: bodyOf('tag', { active: false, color: null }),
    });
    expect(status).toBe(200);
    expect(body.data.attributes).toEqual({ title: 'Night', active: false, external_id: 'night', color: null });
  });

  it('200 with its own title again', async () => {
    const world = await newWorld();
    const id = await createTag(world, 'Night', { external_id: 'night' });
    const body = bodyOf('tag', { title: 'Night', external_id: 'night' });
    expect((await world.admin.call('updateTag', { params: { tag_id: id }, body })).status).toBe(200);
  });

  it('400 for a blank title and one that is taken', async () => {
    const world = await newWorld();
    const id = await createTag(world, 'Night');
    await createTag(world, 'Day');
    for (const title of ['', null, 'Day', 'x'.repeat(256)]) {
      const response = await world.admin.call('updateTag', { params: { tag_id: id }, body: bodyOf('tag', { title }) });
      expect(response.status).toBe(400);
      expect(new Set(pointersIn(response))).toEqual(new Set(['title']));
    }
  });

  it('403 for an area admin', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    const id = await createTag(world, 'Night');
    expect(
      (await areaAdmin.call('updateTag', { params: { tag_id: id }, body: bodyOf('tag', { active: false }) })).status,
    ).toBe(403);
  });

  it('404 for a tag of another account', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const foreign = await createTag(other, 'Night');
    expect(
      (await world.admin.call('updateTag', { params: { tag_id: foreign }, body: bodyOf('tag', { active: false }) }))
        .status,
    ).toBe(404);
    expect((await other.admin.call('getTag', { params: { tag_id: foreign } })).body.data.attributes.active).toBe(true);
  });
});

describe('deleteTag', () => {
  it('200 takes it off its users and frees its title', async () => {
    const world = await newWorld();
    const id = await createTag(world, 'Night', { external_id: 'night' });
    await world.admin.call('updateUser', {
      params: { user_id: world.employee.id },
      body: bodyOf('user', { tag_ids: [id] }),
    });
    const workspaceAdmin = await world.addMember('workspaceAdmin');
    const { status, body } = await workspaceAdmin.call('deleteTag', { params: { tag_id: id } });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, attributes: { title: 'Night' }, relationships: { users: { data: [] } } });
    const user = await world.admin.call('getUser', { params: { user_id: world.employee.id } });
    expect(user.body.data.relationships.tags.data).toEqual([]);
    await createTag(world, 'Night', { external_id: 'night' });
  });

  it('403 for an area admin', async () => {
    const world = await newWorld();
    const areaAdmin = await world.addMember('areaAdmin');
    const id = await createTag(world, 'Night');
    expect((await areaAdmin.call('deleteTag', { params: { tag_id: id } })).status).toBe(403);
  });

  it('404 the second time', async () => {
    const world = await newWorld();
    const id = await createTag(world, 'Night');
    await world.admin.call('deleteTag', { params: { tag_id: id } });
    expect((await world.admin.call('deleteTag', { params: { tag_id: id } })).status).toBe(404);
  });
});
