import { v3 } from '../http/v3.ts';
import { createAbsenceType, deleteAbsenceType, listAbsenceTypes, updateAbsenceType } from './absence_types.ts';
import { presentAbsenceType } from './resource.ts';

export const absenceTypeHandlers = v3.part({
  async listAbsenceTypes(call) {
    const { rows, paging } = await listAbsenceTypes(call.db, call.actor, call.view);
    return { data: rows.map(presentAbsenceType), meta: paging };
  },

  async createAbsenceType(call) {
    const { title, kind, external_id } = call.body.data.attributes;
    return {
      data: presentAbsenceType(await createAbsenceType(call.db, call.actor, { title, kind, external_id }, call.now)),
    };
  },

  async updateAbsenceType(call) {
    const { title, kind, external_id } = call.body.data.attributes;
    return {
      data: presentAbsenceType(
        await updateAbsenceType(
          call.db,
          call.actor,
          call.params.absence_type_id,
          { title, kind, external_id },
          call.now,
        ),
      ),
    };
  },

  async deleteAbsenceType(call) {
    return {
      data: presentAbsenceType(await deleteAbsenceType(call.db, call.actor, call.params.absence_type_id, call.now)),
    };
  },
});
