import { findAccount } from '../accounts/accounts.ts';
import { presentAccount } from '../accounts/resource.ts';
import { absenceTypesByIds } from '../../absence/absence_types/absence_types.ts';
import { presentAbsenceType } from '../../absence/absence_types/resource.ts';
import { actionsByIds } from '../../working_time/punches/actions.ts';
import { presentAction } from '../../working_time/punches/resource.ts';
import { absencesByIds } from '../../absence/absences/absences.ts';
import { presentAbsence } from '../../absence/absences/resource.ts';
import { areasByIds } from '../areas/areas.ts';
import { presentArea } from '../areas/resource.ts';
import { may, type Actor } from '../../platform/core/permissions.ts';
import { rankOf } from '../../platform/core/ranks.ts';
import { customFieldValuesByIds } from '../data_profiles/field_values.ts';
import { presentCustomFieldValue } from '../data_profiles/resource.ts';
import type { Db } from '../../platform/db/connection.ts';
import { related, type Loader } from '../../platform/http/answers/jsonapi.ts';
import type { Schemas } from '../../platform/http/v3.ts';
import { presentRole } from '../workspaces/role_resource.ts';
import { rolesByIds } from '../workspaces/roles.ts';
import { presentTag } from '../tags/resource.ts';
import { tagsByIds } from '../tags/tags.ts';
import { presentWorkspace } from '../workspaces/resource.ts';
import { workspacesByIds } from '../workspaces/workspaces.ts';
import { showsAccount } from './resource.ts';
import { factsOfUser, type UserRow } from './rows.ts';

const readableAbsencesByIds = async (db: Db, actor: Actor, ids: readonly number[]) =>
  (await absencesByIds(db, actor, ids)).filter((absence) => may(actor, 'read', 'absence', absence));

const readableActionsByIds = async (db: Db, actor: Actor, ids: readonly string[]) =>
  (await actionsByIds(db, actor, ids)).filter((action) => may(actor, 'read', 'action', action));

type Included = NonNullable<Schemas['UserIncluded']>[number];

/** Of a user whom the actor may not read in full, nothing is included. */
const ofReadable =
  (loader: Loader<UserRow, Included>): Loader<UserRow, Included> =>
  (rows, loading) =>
    loader(
      rows.filter((row) => may(loading.actor, 'read', 'user', factsOfUser(row))),
      loading,
    );

const loaders: Record<string, Loader<UserRow, Included>> = {
  account: async (rows, { db, actor }) =>
    rows.some((row) => showsAccount(row, actor)) ? [presentAccount(await findAccount(db, actor))] : [],
  areas: related((row) => row.area_ids, areasByIds, presentArea),
  // Outside a workspace, a user has no role.
  roles: related((row, { actor }) => (actor.workspace === null ? [] : [rankOf(row)]), rolesByIds, presentRole),
  workspaces: related(
    (row, { actor }) => row.workspace_ids.filter((id) => may(actor, 'read', 'workspace', { id })),
    workspacesByIds,
    presentWorkspace,
  ),
  current_absence: related((row) => [row.current_absence_id], readableAbsencesByIds, presentAbsence),
  absence_types: related((row) => row.absence_type_ids, absenceTypesByIds, presentAbsenceType),
  tags: related((row) => row.tag_ids, tagsByIds, presentTag),
  custom_field_values: related((row) => row.custom_field_value_ids, customFieldValuesByIds, presentCustomFieldValue),
  last_action: related((row) => [row.last_action_id], readableActionsByIds, presentAction),
};

/** The records that `include` can name wherever users are shown. */
export const userLoaders = Object.fromEntries(
  Object.entries(loaders).map(([name, loader]) => [name, ofReadable(loader)]),
);

/** The same for lists, which include the account also where no user names it. */
export const listedUserLoaders: typeof userLoaders = {
  ...userLoaders,
  account: ofReadable(async (rows, { db, actor }) =>
    rows.length > 0 ? [presentAccount(await findAccount(db, actor))] : [],
  ),
};
