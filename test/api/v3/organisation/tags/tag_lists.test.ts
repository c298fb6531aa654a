import { describe, expect, it } from 'vitest';
import { titlesIn } from '../../../../support/client.ts';
import { statementsDuring } from '../../../../support/database/statements.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';

const createTag = async ({ admin }: World, title: string, attributes: object = {}): Promise<string> => {
  const { status, body } = await admin.call('createTag', { body: bodyOf('tag', { title, ...attributes }) });
  expect(status).toBe(201);
  return body.data.id as string;
};

const titlesOf = (body: { data: { attributes: { title: string } }[] }): string[] =>
  body.data.map(({ attributes }) => attributes.title);

describe('listTags', () => {
  it('200 says whether the caller may create and change tags', async () => {
    const world = await newWorld();
    const people = { employee: [false, false], areaAdmin: [true, false], workspaceAdmin: [true, true] } as const;
    for (const [role, [can_create_tags, can_modify_tags]] of Object.entries(people)) {
      const { body } = await (await world.addMember(role as keyof typeof people)).call('listTags');
      expect(body.meta).toMatchObject({ can_create_tags, can_modify_tags });
    }
  });

  it('200 with active and inactive tags by id, for every member', async () => {
    const world = await newWorld();
    for (const title of ['Night', 'Day']) await createTag(world, title);
    await createTag(world, 'Old', { active: false });
    const { status, body } = await world.employee.call('listTags');
    expect(status).toBe(200);
    expect(titlesOf(body)).toEqual(['Night', 'Day', 'Old']);
    expect(body.meta).toMatchObject({ total_count: 3, current_page: 1, total_pages: 1 });
  });

  it('200 with nothing of another account', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    await createTag(other, 'Night');
    expect((await world.admin.call('listTags')).body.data).toEqual([]);
  });

  it('200 filtered and sorted by every attribute', async () => {
    const world = await newWorld();
    const night = await createTag(world, 'Night', { color: '#000000' });
    await createTag(world, 'Day', { external_id: 'day' });
    await createTag(world, 'Old', { active: false });
    const filtered = async (query: object) =>
      titlesOf((await world.admin.call('listTags', { query: query as Record<string, string> })).body);
    expect(await filtered({ 'filter[id]': `eq:${night}` })).toEqual(['Night']);
    expect(await filtered({ 'filter[title]': 'ct:IGH' })).toEqual(['Night']);
    expect(await filtered({ 'filter[active]': 'eq:false' })).toEqual(['Old']);
    expect(await filtered({ 'filter[external_id]': 'present:true' })).toEqual(['Day']);
    expect(await filtered({ 'filter[color]': 'eq:#000000' })).toEqual(['Night']);
    expect(await filtered({ sort: '-title' })).toEqual(['Old', 'Night', 'Day']);
  });

  it('200 in as many statements for many as for few, with every include', async () => {
    const world = await newWorld();
    const list = () => world.admin.call('listTags', { query: { include: 'users,workspace', items: 100 } });
    // Once before, because a connection that is opened first costs a statement of its own.
    const count = async () => {
      await list();
      return statementsDuring(list);
    };
    const tagUser = (user_id: number, tag_ids: string[]) =>
      world.admin.call('updateUser', { params: { user_id }, body: bodyOf('user', { tag_ids }) });
    const night = await createTag(world, 'Night');
    await tagUser(world.employee.id, [night]);
    const few = await count();
    await tagUser(world.admin.id, [night, await createTag(world, 'Day'), await createTag(world, 'Late')]);
    expect(await count()).toBe(few);
  });

  it('400 for an unknown include', async () => {
    const { admin } = await newWorld();
    const response = await admin.call('listTags', { query: { include: 'absences' } });
    expect(response.status).toBe(400);
    expect(titlesIn(response)).toEqual(['include does not know "absences". It may name: workspace, users.']);
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newWorld();
    expect((await stranger.call('listTags')).status).toBe(404);
  });
});

describe('getTag', () => {
  it('200 with its users and workspace', async () => {
    const world = await newWorld();
    const id = await createTag(world, 'Night');
    await world.admin.call('updateUser', {
      params: { user_id: world.employee.id },
      body: bodyOf('user', { tag_ids: [id] }),
    });
    const { status, body } = await world.employee.call('getTag', {
      params: { tag_id: id },
      query: { include: 'users, workspace' },
    });
    expect(status).toBe(200);
    expect(body.data.relationships.users.data).toEqual([{ type: 'user', id: String(world.employee.id) }]);
    expect(body.included.map(({ type, id }: { type: string; id: string }) => [type, id])).toEqual([
      ['user', String(world.employee.id)],
      ['workspace', String(world.workspaceId)],
    ]);
  });

  it('200 without users who have left', async () => {
    const world = await newWorld();
    const id = await createTag(world, 'Night');
    await world.admin.call('updateUser', {
      params: { user_id: world.employee.id },
      body: bodyOf('user', { tag_ids: [id] }),
    });
    await world.admin.call('deleteUser', { params: { user_id: world.employee.id } });
    const { body } = await world.admin.call('getTag', { params: { tag_id: id } });
    expect(body.data.relationships.users.data).toEqual([]);
  });

  it('400 for an unknown include', async () => {
    const world = await newWorld();
    const id = await createTag(world, 'Night');
    expect((await world.admin.call('getTag', { params: { tag_id: id }, query: { include: 'area' } })).status).toBe(400);
  });

  it('404 for an unknown tag', async () => {
    const [world, other] = [await newWorld(), await newWorld()];
    const foreign = await createTag(other, 'Night');
    for (const id of [foreign, 'abc', '22_22', '99999999999999999999', '0']) {
      expect((await world.admin.call('getTag', { params: { tag_id: id } })).status).toBe(404);
    }
  });
});
