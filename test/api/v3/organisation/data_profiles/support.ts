import { expect } from 'vitest';
import { bodyOf, type Person, type World } from '../../../../support/world.ts';

/** Creates a data profile and returns its id. */
export async function newProfile({ admin }: World, attributes: object = {}): Promise<string> {
  const { status, body } = await admin.call('createDataProfile', {
    body: bodyOf('data_profile', { title: 'Equipment', ...attributes }),
  });
  expect(status).toBe(201);
  return body.data.id;
}

/** Adds a field to a data profile and returns its id. */
export async function newField(
  { admin }: World,
  data_profile_id: string | number,
  attributes: object = {},
): Promise<string> {
  const { status, body } = await admin.call('createCustomField', {
    body: bodyOf('custom_field', { title: 'Shoe size', data_type: 'float', data_profile_id, ...attributes }),
  });
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.data.id;
}

/** The default data profile of the account, with its fields by key. */
export async function defaultProfile({ admin }: World): Promise<{ id: string; fields: Record<string, string> }> {
  const { body } = await admin.call('listAccountDataProfiles', { query: { include: 'custom_fields', items: 1 } });
  const fields = (body.included as { id: string; attributes: { key: string } }[]).map(({ id, attributes }) => [
    attributes.key,
    id,
  ]);
  return { id: body.data[0].id, fields: Object.fromEntries(fields) };
}

type Given = readonly (readonly [custom_field_id: string, value: string | null])[];

/** Changes values of a user. */
export const fillIn = (
  person: Person,
  user_id: number,
  data_profile_id: string | number,
  values: Given,
  attributes: object = {},
) =>
  person.call('updateUserDataProfile', {
    params: { user_id, data_profile_id },
    body: bodyOf('data_profile', {
      custom_field_values_attributes: values.map(([custom_field_id, value]) => ({ custom_field_id, value })),
      ...attributes,
    }),
  });

/** The values of a user, by key, as a person sees them. */
export const valuesOf = async (person: Person, user_id: number, data_profile_id: string | number) =>
  (await person.call('getUserDataProfile', { params: { user_id, data_profile_id } })).body.data.attributes.values;
