import { beforeAll, describe, expect, it } from 'vitest';
import { pointersIn, titlesIn } from '../../../../support/client.ts';
import { bodyOf, newWorld, type World } from '../../../../support/world.ts';
import { defaultProfile, fillIn, newField, newProfile, valuesOf } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

const at = (custom_field_id: string | number) => ({ params: { custom_field_id } });
const create = (attributes: object, person = world.admin) =>
  person.call('createCustomField', { body: bodyOf('custom_field', attributes) });
const update = (id: string, attributes: object, more: object = {}) =>
  world.admin.call('updateCustomField', { ...at(id), body: bodyOf('custom_field', attributes), ...more });
const neededKeys = ['phone', 'start_of_work', 'trial_period', 'end_of_contract', 'desc', 'cost_center', 'cost_object'];

describe('createCustomField', () => {
  it('201 at the end of its data profile, with a key from the title', async () => {
    const data_profile_id = await newProfile(world);
    const { status, body } = await create({ title: 'Größe der Schuhe', data_type: 'float', data_profile_id });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      type: 'custom_field',
      attributes: { title: 'Größe der Schuhe', data_type: 'float', position: 1, key: 'gro_e_der_schuhe', kind: 'text' },
      relationships: { data_profile: { data: { type: 'data_profile', id: data_profile_id } } },
    });
    const again = await create({ title: 'Größe der Schuhe', data_type: 'date', data_profile_id });
    expect(again.body.data.attributes).toMatchObject({ position: 2, key: 'gro_e_der_schuhe_2', kind: 'date' });
    const given = await create({ title: '42', data_type: 'time', data_profile_id, key: 'answer', position: 9 });
    expect(given.body.data.attributes).toMatchObject({ key: 'answer', position: 9, data_type: 'time' });
    expect((await create({ title: '42', data_type: 'time', data_profile_id })).body.data.attributes).toMatchObject({
      key: 'field',
      position: 10,
    });
    const { body: profile } = await world.admin.call('getDataProfile', { params: { data_profile_id } });
    expect(profile.data.relationships.custom_fields.data).toHaveLength(4);
  });

  it('400 for a wrong type, key, or data profile', async () => {
    const { id } = await defaultProfile(world);
    const wrong = await create({ title: '', data_type: 'blob', data_profile_id: id, key: 'No Key' });
    expect([wrong.status, pointersIn(wrong).sort()]).toEqual([400, ['data_type', 'key', 'title']]);
    const field = { title: 'x', data_type: 'string', data_profile_id: id };
    for (const key of ['phone', 'birthday']) expect(pointersIn(await create({ ...field, key }))).toEqual(['key']);
    const abroad = (await defaultProfile(await newWorld())).id;
    for (const data_profile_id of [abroad, '0', 'x'])
      expect(pointersIn(await create({ ...field, data_profile_id }))).toEqual(['data_profile_id']);
  });

  it('403 below account admins, 404 elsewhere', async () => {
    const field = { title: 'x', data_type: 'string', data_profile_id: await newProfile(world) };
    expect((await create(field, await world.addMember('workspaceAdmin'))).status).toBe(403);
    expect((await create(field, world.stranger)).status).toBe(404);
  });

  it('gives every one of many at the same time a key and a position of its own', async () => {
    const data_profile_id = await newProfile(world);
    const made = await Promise.all(
      Array.from({ length: 6 }, () => create({ title: 'Same', data_type: 'string', data_profile_id })),
    );
    expect(made.map(({ status }) => status)).toEqual(Array(6).fill(201));
    for (const member of ['key', 'position'])
      expect(new Set(made.map(({ body }) => body.data.attributes[member])).size).toBe(6);
    const named = await Promise.all(
      Array.from({ length: 4 }, () => create({ title: 'x', key: 'one', data_type: 'string', data_profile_id })),
    );
    expect(named.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
  });
});

describe('listCustomFields and getCustomField', () => {
  it('200 filtered and sorted, for every member', async () => {
    const data_profile_id = await newProfile(world);
    const [size, day] = [
      await newField(world, data_profile_id, { title: 'B', position: 2 }),
      await newField(world, data_profile_id, { title: 'A', data_type: 'date', position: 5 }),
    ];
    const idsFor = async (query: string) =>
      (await world.employee.call('listCustomFields', { query })).body.data.map(({ id }: { id: string }) => id);
    expect(await idsFor(`filter[data_profile_id]=eq:${data_profile_id}&sort=title`)).toEqual([day, size]);
    expect(await idsFor(`filter[data_profile_id]=eq:${data_profile_id}&filter[data_type]=eq:date`)).toEqual([day]);
    const { body } = await world.employee.call('getCustomField', at(size));
    expect(body.data.attributes).toMatchObject({ title: 'B', data_type: 'float' });
    const strict = { headers: { Prefer: 'handling=strict' }, query: 'filter[position]=gt:x' };
    expect((await world.employee.call('listCustomFields', strict)).status).toBe(400);
    expect((await world.stranger.call('listCustomFields')).status).toBe(404);
    expect((await world.employee.call('getCustomField', at('0'))).status).toBe(404);
  });
});

describe('updateCustomField', () => {
  it('200 changes title, position and type, 412 if it has changed meanwhile', async () => {
    const id = await newField(world, await newProfile(world), { key: 'size' });
    const { headers } = await world.admin.call('getCustomField', at(id));
    const { status, body } = await update(id, { title: 'Size', position: 7, data_type: 'string' });
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({ title: 'Size', position: 7, data_type: 'string', key: 'size' });
    expect((await update(id, { title: 'x' }, { headers: { 'If-Match': headers['etag'] } })).status).toBe(412);
    expect((await update(id, { title: 'Size 2' })).body.data.attributes.data_type).toBe('string');
  });

  it('400 for a type that does not fit the values, with how many they are', async () => {
    const profile = await newProfile(world);
    const id = await newField(world, profile, { title: 'Size', data_type: 'string' });
    const people = [world.employee, world.admin, await world.addMember('employee')];
    const values = ['large', '43', 'small'];
    for (const [index, { id: user }] of people.entries())
      await fillIn(world.admin, user, profile, [[id, values[index]!]]);
    const refused = await update(id, { data_type: 'float' });
    expect([refused.status, titlesIn(refused)]).toEqual([
      400,
      ['data_type float does not fit 2 values of the field "Size". Change or clear them first.'],
    ]);
    expect((await update(id, { data_type: 'string' })).status).toBe(200);
    for (const { id: user } of people) await fillIn(world.admin, user, profile, [[id, '']]);
    expect((await update(id, { data_type: 'float' })).status).toBe(200);
  });

  it('never leaves a value of another type, whoever is faster', async () => {
    for (let round = 0; round < 5; round++) {
      const profile = await newProfile(world);
      const id = await newField(world, profile, { data_type: 'string' });
      const [retyped, filled] = await Promise.all([
        update(id, { data_type: 'float' }),
        fillIn(world.admin, world.employee.id, profile, [[id, 'large']]),
      ]);
      expect([retyped.status, filled.status].sort()).toEqual([200, 400]);
    }
  });

  it('400 for the type of a field that others need, 403 below account admins, 404 for an unknown one', async () => {
    const { fields } = await defaultProfile(world);
    for (const key of neededKeys) {
      const refused = await update(fields[key]!, { data_type: 'boolean' });
      expect([refused.status, pointersIn(refused)]).toEqual([400, ['data_type']]);
      expect(titlesIn(refused)[0]).toContain('time accounts and the public API depend on it');
    }
    expect((await update(fields['phone']!, { title: 'Telephone', data_type: 'string' })).status).toBe(200);
    const body = bodyOf('custom_field', { title: 'x' });
    expect((await world.employee.call('updateCustomField', { ...at(fields['phone']!), body })).status).toBe(403);
    expect((await update('0', { title: 'x' })).status).toBe(404);
  });

  it('lets another data profile have a field with a key that is needed in the default one', async () => {
    const id = await newField(world, await newProfile(world), { key: 'phone', data_type: 'string' });
    expect((await update(id, { data_type: 'float' })).status).toBe(200);
    expect((await world.admin.call('deleteCustomField', at(id))).status).toBe(200);
  });
});

describe('deleteCustomField', () => {
  it('200 with the values in it', async () => {
    const profile = await newProfile(world);
    const [gone, stays] = [await newField(world, profile, { key: 'gone' }), await newField(world, profile, { key: 'stays' })]; // prettier-ignore
    await fillIn(world.admin, world.employee.id, profile, [[gone, '1'], [stays, '2']]); // prettier-ignore
    expect((await world.employee.call('deleteCustomField', at(gone))).status).toBe(403);
    const { status, body } = await world.admin.call('deleteCustomField', at(gone));
    expect([status, body.data.attributes.key]).toEqual([200, 'gone']);
    expect(await valuesOf(world.admin, world.employee.id, profile)).toEqual({ stays: '2' });
    expect((await world.admin.call('deleteCustomField', at(gone))).status).toBe(404);
    const stale = await world.admin.call('deleteCustomField', { ...at(stays), headers: { 'If-Match': '"x"' } });
    expect(stale.status).toBe(412);
  });

  it('400 for a field that others need', async () => {
    const { fields } = await defaultProfile(world);
    for (const key of neededKeys) {
      const refused = await world.admin.call('deleteCustomField', at(fields[key]!));
      expect(refused.status).toBe(400);
      expect(titlesIn(refused)[0]).toContain('time accounts and the public API depend on it');
    }
  });
});
