import { findAccount } from '../accounts/accounts.ts';
import { presentAccount } from '../accounts/resource.ts';
import { absenceTypesByIds } from '../absence_types/absence_types.ts';
import { presentAbsenceType } from '../absence_types/resource.ts';
import { actionsByIds } from '../actions/actions.ts';
import { presentAction } from '../actions/resource.ts';
import { absencesByIds } from '../absences/absences.ts';
import { presentAbsence } from '../absences/resource.ts';
import { areasByIds } from '../areas/areas.ts';
import { presentArea } from '../areas/resource.ts';
import { may, rankOf } from '../core/permissions.ts';
import { customFieldValuesByIds } from '../data_profiles/data_profiles.ts';
import { presentCustomFieldValue } from '../data_profiles/resource.ts';
import type { Loader } from '../http/answers/jsonapi.ts';
import type { Schemas } from '../http/v3.ts';
import { presentRole } from '../roles/resource.ts';
import { rolesByIds } from '../roles/roles.ts';
import { presentTag } from '../tags/resource.ts';
import { tagsByIds } from '../tags/tags.ts';
import { presentWorkspace } from '../workspaces/resource.ts';
import { workspacesByIds } from '../workspaces/workspaces.ts';
import { showsAccount } from './resource.ts';
import type { UserRow } from './rows.ts';

/** What `include` can name wherever users are shown. */
export const userLoaders: Record<string, Loader<UserRow, NonNullable<Schemas['UserIncluded']>[number]>> = {
  account: async (rows, { db, actor }) =>
    rows.some((row) => showsAccount(row, actor)) ? [presentAccount(await findAccount(db, actor))] : [],
  areas: async (rows, loading) =>
    (
      await areasByIds(
        loading.db,
        loading.actor,
        rows.flatMap((row) => row.area_ids),
      )
    ).map((area) => presentArea(area, loading)),
  roles: async (rows, loading) =>
    loading.actor.workspace === null
      ? []
      : (await rolesByIds(loading.db, rows.map(rankOf))).map((role) => presentRole(role, loading.actor)),
  workspaces: async (rows, loading) =>
    (
      await workspacesByIds(
        loading.db,
        loading.actor,
        rows.flatMap((row) => row.workspace_ids).filter((id) => may(loading.actor, 'read', 'workspace', { id })),
      )
    ).map((workspace) => presentWorkspace(workspace, loading, true)),
  current_absence: async (rows, loading) => {
    const ids = rows.map((row) => row.current_absence_id).filter((id) => id !== null);
    const absences = await absencesByIds(loading.db, loading.actor, ids);
    return absences
      .filter((absence) => may(loading.actor, 'read', 'absence', absence))
      .map((absence) => presentAbsence(absence, loading));
  },
  absence_types: async (rows, { db, actor }) =>
    (
      await absenceTypesByIds(
        db,
        actor,
        rows.flatMap((row) => row.absence_type_ids),
      )
    ).map(presentAbsenceType),
  tags: async (rows, { db, actor }) =>
    (
      await tagsByIds(
        db,
        actor,
        rows.flatMap((row) => row.tag_ids),
      )
    ).map(presentTag),
  custom_field_values: async (rows, { db, actor }) =>
    (
      await customFieldValuesByIds(
        db,
        actor,
        rows.flatMap((row) => row.custom_field_value_ids),
      )
    ).map(presentCustomFieldValue),
  last_action: async (rows, { db, actor }) => {
    const ids = rows.map((row) => row.last_action_id).filter((id) => id !== null);
    const actions = await actionsByIds(db, actor, ids);
    return actions.filter((action) => may(actor, 'read', 'action', action)).map(presentAction);
  },
};
