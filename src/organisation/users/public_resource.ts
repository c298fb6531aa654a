import type { components } from '../../../generated/public.ts';
import type { FieldValue } from '../data_profiles/field_values.ts';
import type { UserRow } from './rows.ts';

type Schemas = components['schemas'];
type Profile = Schemas['UserDataProfiles'];
type Fields = ReadonlyMap<string, FieldValue>;

/** The fields that the public API always shows, with the labels for accounts that lack the field. */
const labels = {
  phone: 'Phone',
  start_of_work: 'Start of work',
  trial_period: 'Trial period',
  end_of_contract: 'End of contract',
  desc: 'Description',
  cost_center: 'Cost centre',
  cost_object: 'Cost object',
  birthday: 'Birthday',
};

/** These fields, and then those that the account has added. The birthday is an attribute of the user. */
function profileOf(row: UserRow, fields: Fields): Profile {
  const entries = Object.entries(labels).map(([key, label]) => [key, fields.get(key) ?? { label, value: null }]);
  const added = [...fields].filter(([key]) => !Object.hasOwn(labels, key));
  return {
    ...(Object.fromEntries([...entries, ...added]) as Profile),
    birthday: { label: labels.birthday, value: row.birthday },
  };
}

/** The part of a user that all operations show. */
export const presentPublicUser = (row: UserRow, fields: Fields): Schemas['User'] => ({
  id: row.id,
  username: row.username,
  email: row.email,
  abbrev: row.abbreviation,
  initial_time_account: row.initial_time_account,
  salary: row.salary,
  home_office: row.home_office,
  working_sessions_creator: row.working_sessions_creator,
  staff_number: row.staff_number,
  external_id: row.external_id,
  locale: row.locale,
  enterprise_id: row.account_id,
  location_ids: row.workspace_ids,
  working_area_ids: row.area_ids,
  tags: row.tag_ids,
  data_profiles: profileOf(row, fields),
});

export const presentPublicShownUser = (row: UserRow, fields: Fields): Schemas['UserShown'] => ({
  ...presentPublicUser(row, fields),
  status: row.status as Schemas['RecordStatus'],
});

export const presentPublicListedUser = (row: UserRow, fields: Fields): Schemas['UserListed'] => ({
  ...presentPublicShownUser(row, fields),
  birthday: row.birthday,
});

export const presentPublicUpdatedUser = (row: UserRow, fields: Fields): Schemas['UserUpdated'] => ({
  ...presentPublicUser(row, fields),
  desc: fields.get('desc')?.value ?? null,
});
