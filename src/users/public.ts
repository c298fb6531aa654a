import type { components } from '../../generated/public.ts';
import { externalIdList, idList, isNamed, refIn } from '../core/names.ts';
import { pick } from '../core/pick.ts';
import { fieldValuesOf, type FieldValue } from '../data_profiles/field_values.ts';
import { pageIn, pageMembers } from '../http/answers/pages.ts';
import { publicApi } from '../http/public.ts';
import { deleteUser } from '../user_deletion/user_deletion.ts';
import type { UserRow } from './rows.ts';
import { findUser } from './users.ts';
import {
  activateUser,
  createEnterpriseUser,
  deactivateUser,
  listEnterpriseUsers,
  updateEnterpriseUser,
  type EnterpriseUserInput,
} from './users_across_locations.ts';

type Schemas = components['schemas'];
type Profile = Schemas['UserDataProfiles'];
type Fields = ReadonlyMap<string, FieldValue>;

/** The fields that the public API shows, with the labels for accounts that lack the field. */
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

/** All fields of the data profile, whether the account has them or not. The birthday is an attribute of the user. */
function profileOf(row: UserRow, fields: Fields): Profile {
  const entries = Object.entries(labels).map(([key, label]) => [key, fields.get(key) ?? { label, value: null }]);
  return { ...(Object.fromEntries(entries) as Profile), birthday: { label: labels.birthday, value: row.birthday } };
}

/** The part of a user that all operations show. */
const presentUser = (row: UserRow, fields: Fields): Schemas['User'] => ({
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

const presentShownUser = (row: UserRow, fields: Fields): Schemas['UserShown'] => ({
  ...presentUser(row, fields),
  status: row.status as Schemas['RecordStatus'],
});

const presentListedUser = (row: UserRow, fields: Fields): Schemas['UserListed'] => ({
  ...presentShownUser(row, fields),
  birthday: row.birthday,
});

const presentUpdatedUser = (row: UserRow, fields: Fields): Schemas['UserUpdated'] => ({
  ...presentUser(row, fields),
  desc: fields.get('desc')?.value ?? null,
});

/** The attributes that create and update share with the resource API. */
const sharedAttributes = [
  'username',
  'email',
  'initial_time_account',
  'salary',
  'home_office',
  'working_sessions_creator',
  'staff_number',
  'locale',
] as const;

function inputIn(user: Schemas['UserCreation']['user'] | Schemas['UserUpdate']['user']): EnterpriseUserInput {
  const { birthday, ...fields } = user.data_profiles ?? {};
  return {
    attributes: { ...pick(user, sharedAttributes), abbreviation: user.abbrev, birthday },
    areas: { ids: idList(user.working_area_ids), externalIds: externalIdList(user.working_area_external_ids) },
    tags: idList(user.tags),
    fields,
  };
}

export const publicUserHandlers = publicApi.part({
  async findPublicUsers(call) {
    const { db, actor, query } = call;
    if (isNamed('', query)) {
      const row = await findUser(db, actor, refIn('', query));
      return presentShownUser(row, (await fieldValuesOf(db, actor, [row.id])).get(row.id)!);
    }
    const locations = { ids: idList(query.location_ids), externalIds: externalIdList(query.location_external_ids) };
    const areas = { ids: idList(query.working_area_ids), externalIds: externalIdList(query.working_area_external_ids) };
    const { rows, paging } = await listEnterpriseUsers(
      db,
      actor,
      { locations, areas, tags: idList(query.tags) },
      pageIn(call),
    );
    const ids = rows.map(({ id }) => id);
    const fields = await fieldValuesOf(db, actor, ids);
    return { users: rows.map((row) => presentListedUser(row, fields.get(row.id)!)), ...pageMembers(paging, call) };
  },

  async createPublicUser({ db, actor, body: { user }, now }) {
    const { attributes, ...rest } = inputIn(user);
    const { username, external_id } = user;
    const locations = { ids: idList(user.location_ids), externalIds: externalIdList(user.location_external_ids) };
    const input = { ...rest, attributes: { ...attributes, username, external_id }, locations };
    const row = await createEnterpriseUser(db, actor, input, now);
    return presentUser(row, (await fieldValuesOf(db, actor, [row.id])).get(row.id)!);
  },

  async updatePublicUser({ db, actor, body: { user }, now }) {
    const row = await updateEnterpriseUser(db, actor, refIn('', user), inputIn(user), now);
    return presentUpdatedUser(row, (await fieldValuesOf(db, actor, [row.id])).get(row.id)!);
  },

  async activatePublicUser({ db, actor, body, now }) {
    await activateUser(db, actor, refIn('', body.user), now);
  },

  async deactivatePublicUser({ db, actor, body, now }) {
    await deactivateUser(db, actor, refIn('', body.user), now);
  },

  async deletePublicUser({ db, actor, body, query, now }) {
    await deleteUser(db, actor, refIn('', body?.user, query), now);
  },
});
