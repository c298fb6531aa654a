import { describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../support/client.ts';
import { areaWith, tagTitled } from '../../../support/time_trackings.ts';
import { newWorld, type Person } from '../../../support/world.ts';

const found = async (person: Person, text: string, query: Record<string, string | number> = {}) => {
  const { status, body } = await person.call('listSearches', { query: { 'filter[query]': text, ...query } });
  expect(status).toBe(200);
  return body.data.map(({ attributes }: { attributes: { resource_type: string; title: string } }) =>
    [attributes.resource_type, attributes.title].join(' '),
  );
};

/** A workspace with a user, areas and tags whose names have "bar" in them, and others. */
async function barWorld() {
  const world = await newWorld();
  await world.addMember('employee', 'Barbara');
  await areaWith(world, 'Wine bar');
  await areaWith(world, 'Kitchen');
  await tagTitled(world, 'Rebar');
  await tagTitled(world, 'Bar shift', { active: false });
  return world;
}

describe('listSearches', () => {
  it('200 finds users first, then areas, then tags, each by name and regardless of case', async () => {
    const world = await barWorld();
    const all = ['User Barbara', 'Area Wine bar', 'Tag Bar shift', 'Tag Rebar'];
    for (const text of ['bar', 'ct:BAR']) expect(await found(world.employee, text)).toEqual(all);
    expect(await found(world.employee, 'bar', { resources: 'Tag,Area' })).toEqual(all.slice(1));
    expect(await found(world.employee, 'bar', { items: 2, page: 2 })).toEqual(all.slice(2));
    expect(await found(world.employee, '%a_')).toEqual([]);
    expect(await found(world.employee, 'Bar:')).toEqual([]);
  });

  it('200 with an id that stays the same for the same record, and differs between kinds', async () => {
    const world = await barWorld();
    const ids = async () =>
      (await world.employee.call('listSearches', { query: { 'filter[query]': 'a' } })).body.data.map(
        ({ id }: { id: string }) => id,
      );
    const first = await ids();
    expect(await ids()).toEqual(first);
    expect(new Set(first).size).toBe(first.length);
  });

  it('200 finds nothing of other workspaces and accounts, and no deleted users and areas', async () => {
    const world = await barWorld();
    await barWorld();
    const leaver = await world.addMember('employee', 'Bartholomew');
    const area = await areaWith(world, 'Milk bar');
    expect(await found(world.employee, 'bar')).toHaveLength(6);
    await world.admin.call('deleteUser', { params: { user_id: leaver.id } });
    await world.admin.call('deleteArea', { params: { area_id: area } });
    expect(await found(world.employee, 'bar')).toHaveLength(4);
  });

  it('400 without a text, and for resources that do not exist', async () => {
    const { employee } = await newWorld();
    for (const query of ['', 'filter[query]=', 'filter[query][name]=x']) {
      const response = await employee.call('listSearches', { query });
      expect(response.status).toBe(400);
      expect(pointersIn(response)).toEqual(['filter[query]']);
    }
    const unknown = await employee.call('listSearches', { query: { 'filter[query]': 'x', resources: 'User,Absence' } });
    expect(unknown.status).toBe(400);
    expect(titlesIn(unknown)).toEqual(['resources "Absence" is unknown. There are User, Area, Tag.']);
  });

  it('404 for a stranger', async () => {
    const { stranger } = await newWorld();
    expect((await stranger.call('listSearches', { query: { 'filter[query]': 'x' } })).status).toBe(404);
  });
});
