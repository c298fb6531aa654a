import { permissionsOf } from '../../platform/core/permissions.ts';
import { included, related, type Loader, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import { v3, type Schemas } from '../../platform/http/v3.ts';
import {
  createCustomField,
  customFieldsByIds,
  deleteCustomField,
  findCustomField,
  listCustomFields,
  updateCustomField,
} from './custom_fields.ts';
import {
  createDataProfile,
  deleteDataProfile,
  factsOfProfile,
  listDataProfiles,
  showDataProfile,
  updateDataProfile,
  type DataProfileRow,
} from './data_profiles.ts';
import { presentCustomField, presentDataProfile } from './resource.ts';

const loaders: Record<string, Loader<DataProfileRow, Schemas['CustomField']>> = {
  custom_fields: related((row) => row.custom_field_ids, customFieldsByIds, presentCustomField),
};

const present = (row: DataProfileRow, { actor, queryOptions }: PresentContext): Schemas['DataProfile'] =>
  presentDataProfile(row, permissionsOf(actor, 'data_profile', factsOfProfile(row), queryOptions.permissions));

export const dataProfileHandlers = v3.part({
  async listDataProfiles(call) {
    const { rows, paging } = await listDataProfiles(call.db, call.actor, call.queryOptions);
    return { data: rows.map((row) => present(row, call)), ...(await included(call, rows, loaders)), meta: paging };
  },

  async listAccountDataProfiles(call) {
    const { rows, paging } = await listDataProfiles(call.db, call.actor, call.queryOptions);
    return { data: rows.map((row) => present(row, call)), ...(await included(call, rows, loaders)), meta: paging };
  },

  async createDataProfile(call) {
    return { data: present(await createDataProfile(call.db, call.actor, call.body.data.attributes, call.now), call) };
  },

  async getDataProfile(call) {
    const row = await showDataProfile(call.db, call.actor, call.params.data_profile_id);
    return { data: present(row, call), ...(await included(call, [row], loaders)) };
  },

  async updateDataProfile(call) {
    const { data_profile_id } = call.params;
    const { attributes } = call.body.data;
    return { data: present(await updateDataProfile(call.db, call.actor, data_profile_id, attributes, call.now), call) };
  },

  async deleteDataProfile(call) {
    return { data: present(await deleteDataProfile(call.db, call.actor, call.params.data_profile_id, call.now), call) };
  },

  async listCustomFields(call) {
    const { rows, paging } = await listCustomFields(call.db, call.actor, call.queryOptions);
    return { data: rows.map(presentCustomField), meta: paging };
  },

  async createCustomField({ db, actor, body, now }) {
    return { data: presentCustomField(await createCustomField(db, actor, body.data.attributes, now)) };
  },

  async getCustomField({ db, actor, params }) {
    return { data: presentCustomField(await findCustomField(db, actor, params.custom_field_id)) };
  },

  async updateCustomField({ db, actor, params, body, now }) {
    const row = await updateCustomField(db, actor, params.custom_field_id, body.data.attributes, now);
    return { data: presentCustomField(row) };
  },

  async deleteCustomField({ db, actor, params, now }) {
    return { data: presentCustomField(await deleteCustomField(db, actor, params.custom_field_id, now)) };
  },
});
