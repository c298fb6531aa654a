import type { components } from '../../../generated/public.ts';
import { asksForAddress } from '../../access/auth/address_limits.ts';
import type { Config } from '../../platform/config.ts';
import { externalIdList, idList, isNamed, refIn } from '../../platform/core/names.ts';
import { exactly } from '../../platform/core/pick.ts';
import { fieldValuesOf } from '../data_profiles/field_values.ts';
import { pageIn, pageMembers } from '../../platform/http/answers/pages.ts';
import { surrounded } from '../../platform/http/handlers.ts';
import { publicApi } from '../../platform/http/public.ts';
import { deleteUser } from '../../lifecycle/user_deletion/user_deletion.ts';
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
import type { UserInput } from './user_attributes.ts';

type Schemas = components['schemas'];

type Body =
  | Omit<Schemas['UserCreation']['user'], 'location_ids' | 'location_external_ids'>
  | Omit<Schemas['UserUpdate']['user'], 'id' | 'external_id' | 'reset_confirmed_absences'>;

/** The change of a user that a body asks for, without their locations. The other attributes are those of the resource API. */
function inputIn({
  data_profiles,
  abbrev,
  tags,
  working_area_ids,
  working_area_external_ids,
  ...attributes
}: Body): EnterpriseUserInput {
  const { birthday, ...fields } = data_profiles ?? {};
  return {
    attributes: exactly<UserInput>()({ ...attributes, abbreviation: abbrev, birthday }),
    areas: { ids: idList(working_area_ids), externalIds: externalIdList(working_area_external_ids) },
    tags: idList(tags),
    // The contract says it of every key, by a pattern, which the types do not show.
    fields: fields as Record<string, string | null>,
  };
}

export const publicUserHandlers = ({ limits }: Pick<Config, 'limits'>) =>
  publicApi.part({
    async findPublicUsers(call) {
      const { db, actor, query } = call;
      if (isNamed('', query)) {
        const row = await findUser(db, actor, refIn('', query));
        return presentPublicShownUser(row, (await fieldValuesOf(db, actor, [row.id])).get(row.id)!);
      }
      const locations = { ids: idList(query.location_ids), externalIds: externalIdList(query.location_external_ids) };
      const areas = {
        ids: idList(query.working_area_ids),
        externalIds: externalIdList(query.working_area_external_ids),
      };
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

    createPublicUser: surrounded(asksForAddress(limits), async ({ db, actor, body, now }) => {
      const { location_ids, location_external_ids, ...user } = body.user;
      const { attributes, ...rest } = inputIn(user);
      const locations = { ids: idList(location_ids), externalIds: externalIdList(location_external_ids) };
      const input = { ...rest, attributes: { ...attributes, username: user.username }, locations };
      const row = await createEnterpriseUser(db, actor, input, now);
      return presentPublicUser(row, (await fieldValuesOf(db, actor, [row.id])).get(row.id)!);
    }),

    updatePublicUser: surrounded(asksForAddress(limits), async ({ db, actor, body, now }) => {
      const { id: _, external_id: __, reset_confirmed_absences, ...user } = body.user;
      const change = { ...inputIn(user), resetsConfirmed: reset_confirmed_absences === true };
      const row = await updateEnterpriseUser(db, actor, refIn('', body.user), change, now);
      return presentPublicUpdatedUser(row, (await fieldValuesOf(db, actor, [row.id])).get(row.id)!);
    }),

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
