import type { components } from '../../generated/public.ts';
import { externalIdList, idList, isNamed, refIn } from '../core/names.ts';
import { fieldValuesOf } from '../data_profiles/field_values.ts';
import { pageIn, pageMembers } from '../http/answers/pages.ts';
import { publicApi } from '../http/public.ts';
import { deleteUser } from './deletion.ts';
import {
  activateUser,
  createEnterpriseUser,
  deactivateUser,
  listEnterpriseUsers,
  updateEnterpriseUser,
  type EnterpriseUserInput,
} from './enterprise_users.ts';
import { presentListedUser, presentPublicUser, presentShownUser, presentUpdatedUser } from './public_resource.ts';
import { findUser } from './users.ts';

type Creation = components['schemas']['UserCreation']['user'];
type Update = components['schemas']['UserUpdate']['user'];

/** What create and update have in common. */
function inputIn(user: Creation | Update): EnterpriseUserInput {
  const {
    username,
    email,
    abbrev,
    initial_time_account,
    salary,
    home_office,
    working_sessions_creator,
    staff_number,
    locale,
  } = user;
  const { birthday, ...fields } = user.data_profiles ?? {};
  const numbers = { initial_time_account, salary };
  return {
    columns: {
      username,
      email,
      abbreviation: abbrev,
      ...numbers,
      home_office,
      working_sessions_creator,
      staff_number,
      locale,
      birthday,
    },
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
    const { columns, ...rest } = inputIn(user);
    const locations = { ids: idList(user.location_ids), externalIds: externalIdList(user.location_external_ids) };
    const input = {
      ...rest,
      columns: { ...columns, username: user.username, external_id: user.external_id },
      locations,
    };
    const row = await createEnterpriseUser(db, actor, input, now);
    return presentPublicUser(row, (await fieldValuesOf(db, actor, [row.id])).get(row.id)!);
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
