import type { components } from '../../generated/public.ts';
import type { FieldValue } from '../data_profiles/field_values.ts';
import type { UserRow } from './rows.ts';

type Schemas = components['schemas'];
type Profile = Schemas['UserDataProfiles'];

/** The keys that the public API shows, with what people call them where the account has no such field. */
const labels: Readonly<Record<keyof Profile, string>> = {
  phone: 'Phone',
  start_of_work: 'Start of work',
  trial_period: 'Trial period',
  end_of_contract: 'End of contract',
  desc: 'Description',
  cost_center: 'Cost centre',
  cost_object: 'Cost object',
  birthday: 'Birthday',
};

/** Every key is always there; the birthday is the user's own. */
function profileOf(row: UserRow, fields: ReadonlyMap<string, FieldValue>): Profile {
  const entries = Object.entries(labels).map(([key, label]) => [key, fields.get(key) ?? { label, value: null }]);
  return { ...(Object.fromEntries(entries) as Profile), birthday: { label: labels.birthday, value: row.birthday } };
}

/** A user as the public API shows him wherever it does. */
export const presentPublicUser = (row: UserRow, fields: ReadonlyMap<string, FieldValue>): Schemas['User'] => ({
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

export const presentShownUser = (row: UserRow, fields: ReadonlyMap<string, FieldValue>): Schemas['UserShown'] => ({
  ...presentPublicUser(row, fields),
  status: row.status as Schemas['RecordStatus'],
});

export const presentListedUser = (row: UserRow, fields: ReadonlyMap<string, FieldValue>): Schemas['UserListed'] => ({
  ...presentShownUser(row, fields),
  birthday: row.birthday,
});

export const presentUpdatedUser = (row: UserRow, fields: ReadonlyMap<string, FieldValue>): Schemas['UserUpdated'] => ({
  ...presentPublicUser(row, fields),
  desc: fields.get('desc')?.value ?? null,
});
