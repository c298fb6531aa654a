import { describe, expect, it } from 'vitest';
import { pointersIn } from '../../../support/client.ts';
import { newEnterprise } from '../../../support/enterprise.ts';
import { bodyOf } from '../../../support/world.ts';
import { defaultProfile, fillIn, newField, newProfile, valuesOf } from '../../v3/organisation/data_profiles/support.ts';

/** An enterprise whose default data profile has one field more: a float. */
async function withShoeSize() {
  const world = await newEnterprise();
  const { id, fields } = await defaultProfile(world);
  const size = await newField(world, id, { title: 'Shoe size', key: 'shoe_size' });
  const write = (data_profiles: object) =>
    world.enterprise('updatePublicUser', { body: { user: { id: world.employee.id, data_profiles } } });
  const read = async () =>
    (await world.enterprise('findPublicUsers', { query: { id: world.employee.id } })).body.data_profiles;
  return { world, profile: id, fields, size, write, read };
}

describe('data_profiles of the public API', () => {
  it('show what the resource API writes, and write what it shows', async () => {
    const { world, profile, fields, size, write, read } = await withShoeSize();
    await fillIn(world.admin, world.employee.id, profile, [[fields['phone']!, '+49 30'], [size, '43.5']]); // prettier-ignore
    expect(await read()).toMatchObject({
      phone: { label: 'Phone', value: '+49 30' },
      shoe_size: { label: 'Shoe size', value: '43.5' },
    });
    expect((await write({ phone: '', shoe_size: '44', cost_center: '4711' })).status).toBe(200);
    expect(await valuesOf(world.admin, world.employee.id, profile)).toEqual({
      phone: null,
      shoe_size: '44',
      cost_center: '4711',
    });
    await world.admin.call('updateCustomField', {
      params: { custom_field_id: size },
      body: bodyOf('custom_field', { title: 'Size of shoes' }),
    });
    expect((await read()).shoe_size.label).toBe('Size of shoes');
    const made = await world.newUser({ data_profiles: { shoe_size: '39' } });
    expect(await valuesOf(world.admin, made.id, profile)).toEqual({ shoe_size: '39' });
  });

  it('400 for a value of another form, and for a key that no field has, all at once', async () => {
    const { world, write, read } = await withShoeSize();
    await newField(world, await newProfile(world), { key: 'elsewhere' });
    const refused = await write({ shoe_size: 'large', elsewhere: '1', hat_size: '1', phone: 'kept out' });
    expect(refused.status).toBe(400);
    expect(pointersIn(refused).sort()).toEqual([
      'data_profiles/elsewhere',
      'data_profiles/hat_size',
      'data_profiles/shoe_size',
    ]);
    expect((await read()).phone.value).toBeNull();
    const user = { username: 'Erika', location_ids: world.workspaceId, data_profiles: { hat_size: '1' } };
    const created = await world.enterprise('createPublicUser', { body: { user } });
    expect([created.status, pointersIn(created)]).toEqual([400, ['data_profiles/hat_size']]);
  });
});
