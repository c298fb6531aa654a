import * as fields from '../../../generated/fields.ts';
import { permissionsOf } from '../../platform/core/permissions.ts';
import { customFieldsByIds } from '../data_profiles/custom_fields.ts';
import { customFieldValuesByIds } from '../data_profiles/field_values.ts';
import { flatDataProfile, presentCustomField, presentCustomFieldValue } from '../data_profiles/resource.ts';
import {
  included,
  many,
  related,
  resource,
  type Loader,
  type PresentContext,
} from '../../platform/http/answers/jsonapi.ts';
import { v3, type Schemas } from '../../platform/http/v3.ts';
import {
  factsOfUserProfile,
  findUserDataProfile,
  updateUserDataProfile,
  type UserDataProfile,
} from './user_data_profiles.ts';

const valueIds = ({ values }: UserDataProfile): number[] => values.map(({ id }) => id);

const loaders: Record<string, Loader<UserDataProfile, Schemas['CustomField'] | Schemas['CustomFieldValue']>> = {
  custom_fields: related(({ profile }) => profile.custom_field_ids, customFieldsByIds, presentCustomField),
  custom_field_values: related(valueIds, customFieldValuesByIds, presentCustomFieldValue),
};

const userDataProfile = resource('data_profile', fields.UserDataProfile);

function presentUserDataProfile(
  row: UserDataProfile,
  { actor, queryOptions }: PresentContext,
): Schemas['UserDataProfile'] {
  const permissions = permissionsOf(actor, 'user_data_profile', factsOfUserProfile(row), queryOptions.permissions);
  const values = Object.fromEntries(row.values.map(({ key, value }) => [key, value]));
  return userDataProfile(
    { ...flatDataProfile(row.profile, permissions), values },
    {
      custom_fields: many('custom_field', row.profile.custom_field_ids),
      custom_field_values: many('custom_field_value', valueIds(row)),
    },
  );
}

export const userDataProfileHandlers = v3.part({
  async getUserDataProfile(call) {
    const { user_id, data_profile_id } = call.params;
    const row = await findUserDataProfile(call.db, call.actor, user_id, data_profile_id);
    return { data: presentUserDataProfile(row, call), ...(await included(call, [row], loaders)) };
  },

  async updateUserDataProfile(call) {
    const { user_id, data_profile_id } = call.params;
    const { attributes } = call.body.data;
    const row = await updateUserDataProfile(call.db, call.actor, user_id, data_profile_id, attributes, call.now);
    return { data: presentUserDataProfile(row, call), ...(await included(call, [row], loaders)) };
  },
});
