import type { components } from '../../generated/public.ts';
import { externalIdList, idList, isNamed, refIn } from '../core/names.ts';
import { pick } from '../core/pick.ts';
import { fieldValuesOf } from '../data_profiles/field_values.ts';
import { pageIn, pageMembers } from '../http/answers/pages.ts';
import { publicApi } from '../http/public.ts';
import { deleteUser } from '../user_deletion/user_deletion.ts';
import {
  presentPublicListedUser,
  presentPublicShownUser,
  presentPublicUpdatedUser,
  presentPublicUser,
} from './public_resource.ts';
import { findUser } from './users.ts';
import {
  createEnterpriseUser,
  listEnterpriseUsers,
  updateEnterpriseUser,
  type EnterpriseUserInput,
} from './users_across_locations.ts';
import { activateUser, deactivateUser } from './status.ts';

type Schemas = components['schemas'];

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
    // The contract says it of every key, by a pattern, which the types do not show.
    fields: fields as Record<string, string | null>,
  };
}

export const publicUserHandlers = publicApi.part({
  async findPublicUsers(call) {
    const { db, actor, query } = call;
    if (isNamed('', query)) {
      const row = await findUser(db, actor, refIn('', query));
      return presentPublicShownUser(row, (await fieldValuesOf(db, actor, [row.id])).get(row.id)!);
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
    return {
      users: rows.map((row) => presentPublicListedUser(row, fields.get(row.id)!)),
      ...pageMembers(paging, call),
    };
  },

  async createPublicUser({ db, actor, body: { user }, now }) {
    const { attributes, ...rest } = inputIn(user);
    const { username, external_id } = user;
    const locations = { ids: idList(user.location_ids), externalIds: externalIdList(user.location_external_ids) };
    const input = { ...rest, attributes: { ...attributes, username, external_id }, locations };
    const row = await createEnterpriseUser(db, actor, input, now);
    return presentPublicUser(row, (await fieldValuesOf(db, actor, [row.id])).get(row.id)!);
  },

  async updatePublicUser({ db, actor, body: { user }, now }) {
    const change = { ...inputIn(user), resetsConfirmed: user.reset_confirmed_absences === true };
    const row = await updateEnterpriseUser(db, actor, refIn('', user), change, now);
    return presentPublicUpdatedUser(row, (await fieldValuesOf(db, actor, [row.id])).get(row.id)!);
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
