import { v3 } from '../../platform/http/v3.ts';
import { createAbsenceType, deleteAbsenceType, listAbsenceTypes, updateAbsenceType } from './absence_types.ts';
import { presentAbsenceType } from './resource.ts';

export const absenceTypeHandlers = v3.part({
  async listAbsenceTypes(call) {
    const { rows, paging } = await listAbsenceTypes(call.db, call.actor, call.queryOptions);
    return { data: rows.map(presentAbsenceType), meta: paging };
  },

  async createAbsenceType({ db, actor, body, now }) {
    return { data: presentAbsenceType(await createAbsenceType(db, actor, body.data.attributes, now)) };
  },

  async updateAbsenceType({ db, actor, params, body, now }) {
    const row = await updateAbsenceType(db, actor, params.absence_type_id, body.data.attributes, now);
    return { data: presentAbsenceType(row) };
  },

  async deleteAbsenceType({ db, actor, params, now }) {
    return { data: presentAbsenceType(await deleteAbsenceType(db, actor, params.absence_type_id, now)) };
  },
});
