import { v3 } from '../../platform/http/v3.ts';
import { anonymise } from './anonymise.ts';
import { createDataExport, findDataExport } from './data_exports.ts';
import { presentAnonymisation, presentDataExport } from './resource.ts';

export const personalDataHandlers = v3.part({
  async createDataExport(call) {
    return {
      data: presentDataExport(await createDataExport(call.db, call.actor, call.params.user_id, call.now), call),
    };
  },

  async getDataExport(call) {
    const { user_id, data_export_id } = call.params;
    return { data: presentDataExport(await findDataExport(call.db, call.actor, user_id, data_export_id), call) };
  },

  async createAnonymisation({ db, actor, params, body, now }) {
    return { data: presentAnonymisation(await anonymise(db, actor, params.user_id, body.data.attributes, now)) };
  },
});
