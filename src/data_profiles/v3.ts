import { permissionsOf } from '../core/permissions.ts';
import { included, related, type Loader } from '../http/answers/jsonapi.ts';
import { v3, type Schemas } from '../http/v3.ts';
import { customFieldsByIds, listDataProfiles, type DataProfileRow } from './data_profiles.ts';
import { presentCustomField, presentDataProfile } from './resource.ts';

const loaders: Record<string, Loader<DataProfileRow, Schemas['CustomField']>> = {
  custom_fields: related((row) => row.custom_field_ids, customFieldsByIds, presentCustomField),
};

export const dataProfileHandlers = v3.part({
  async listDataProfiles(call) {
    const { rows, paging } = await listDataProfiles(call.db, call.actor, call.view);
    const permissions = permissionsOf(call.actor, 'data_profile', {}, call.view.permissions);
    return {
      data: rows.map((row) => presentDataProfile(row, permissions)),
      ...(await included(call, rows, loaders)),
      meta: paging,
    };
  },
});
