import { describe, expect, it } from 'vitest';
import type { ShownEvent } from '../../../../support/events/feed.ts';
import { bodyOf, newWorld, type Person } from '../../../../support/world.ts';
import { defaultProfile, fillIn, newField, newProfile } from '../../organisation/data_profiles/support.ts';

/** What the events about a user show of them, newest last. */
const changesShownTo = async (person: Person, userId: number): Promise<ShownEvent['attributes']['changes'][]> => {
  const query = { 'filter[name]': 'eq:user.updated', 'filter[user_id]': String(userId), items: 100 };
  const { status, body } = await person.call('listEvents', { query });
  expect(status).toBe(200);
  return body.data.map(({ attributes }: ShownEvent) => attributes.changes);
};

describe('events about users', () => {
  it('show custom fields to those who may see their data profile', async () => {
    const world = await newWorld();
    const { admin, employee, addMember } = world;
    const workspaceAdmin = await addMember('workspaceAdmin');
    for (const [least_role, key] of [
      ['employee', 'shirt'],
      ['workspace_admin', 'assessment'],
      ['account_admin', 'bonus'],
    ] as const) {
      const profile = await newProfile(world, { least_role, title: key });
      const field = await newField(world, profile, { key, title: key, data_type: 'string' });
      expect((await fillIn(admin, employee.id, profile, [[field, `the ${key}`]])).status).toBe(200);
    }
    const [shirt, assessment, bonus] = [
      { 'data_profile.shirt': [null, 'the shirt'] },
      { 'data_profile.assessment': [null, 'the assessment'] },
      { 'data_profile.bonus': [null, 'the bonus'] },
    ];
    expect(await changesShownTo(employee, employee.id)).toEqual([shirt, {}, {}]);
    expect(await changesShownTo(workspaceAdmin, employee.id)).toEqual([shirt, assessment, {}]);
    expect(await changesShownTo(admin, employee.id)).toEqual([shirt, assessment, bonus]);
  });

  it('hide a field whose key a hidden data profile has too, and one that was deleted', async () => {
    const world = await newWorld();
    const { admin, employee } = world;
    const [open, closed] = [
      await newProfile(world, { least_role: 'employee' }),
      await newProfile(world, { least_role: 'workspace_admin' }),
    ];
    const fields = [];
    for (const [profile, key] of [
      [open, 'size'],
      [closed, 'size'],
      [open, 'former'],
    ] as const)
      fields.push([profile, await newField(world, profile, { key, data_type: 'string' })] as const);
    for (const [profile, field] of fields) await fillIn(admin, employee.id, profile, [[field, 'secret']]);
    expect(await changesShownTo(employee, employee.id)).toEqual([{}, {}, { 'data_profile.former': [null, 'secret'] }]);
    await admin.call('deleteCustomField', { params: { custom_field_id: fields[2]![1] } });
    expect(await changesShownTo(employee, employee.id)).toEqual([{}, {}, {}]);
    expect(await changesShownTo(admin, employee.id)).toHaveLength(3);
  });

  it('show users everything else about themselves that v3 shows them, and pins to nobody', async () => {
    const world = await newWorld();
    const { admin, employee, enterprise } = world;
    const { id } = await defaultProfile(world);
    await admin.call('updateDataProfile', {
      params: { data_profile_id: id },
      body: bodyOf('data_profile', { least_role: 'workspace_admin' }),
    });
    const change = { salary: 21.5, staff_number: '77', tablet_pin: '4711' };
    await admin.call('updateUser', { params: { user_id: employee.id }, body: bodyOf('user', change) });
    const user = { id: employee.id, salary: 22, data_profiles: { cost_center: '4200' } };
    expect((await enterprise('updatePublicUser', { body: { user } })).status).toBe(200);
    const shown = {
      salary: [expect.anything(), expect.anything()],
      staff_number: [null, '77'],
      tablet_pin: [null, 'hidden'],
    };
    const [first, second] = await changesShownTo(employee, employee.id);
    expect(first).toMatchObject({ ...shown, salary: first!['salary'] });
    expect(Object.keys(second!)).toEqual(['salary']);
    const seen = await employee.call('getUser', { params: { user_id: employee.id } });
    expect(seen.body.data.attributes).toMatchObject({ salary: second!['salary']![1], staff_number: '77' });
    const [, inFull] = await changesShownTo(admin, employee.id);
    expect(inFull).toMatchObject({ 'data_profile.cost_center': [null, '4200'] });
  });
});
