import type { components } from '../../../generated/public.ts';
import { notFound } from '../../platform/core/errors.ts';
import { isNamed, refIn } from '../../platform/core/names.ts';
import { publicApi } from '../../platform/http/public.ts';
import { workspaceNamed } from '../../organisation/workspaces/workspaces.ts';
import { absenceTypeNamed, allAbsenceTypes, type AbsenceTypeRow } from './absence_types.ts';

const presentAbsenceType = (row: AbsenceTypeRow): components['schemas']['AbsenceType'] => ({
  id: row.id,
  title: row.title,
  kind: row.kind,
  external_id: row.external_id,
  location_id: row.workspace_id,
});

export const publicAbsenceTypeHandlers = publicApi.part({
  async findAbsenceTypes({ db, actor, query }) {
    if (isNamed('', query)) {
      const row = await absenceTypeNamed(db, actor, refIn('', query));
      if (!row) throw notFound('absence type');
      return presentAbsenceType(row);
    }
    if (!isNamed('location_', query))
      return { absence_types: (await allAbsenceTypes(db, actor, null)).map(presentAbsenceType) };
    const location = await workspaceNamed(db, actor, refIn('location_', query));
    return { absence_types: location ? (await allAbsenceTypes(db, actor, location.id)).map(presentAbsenceType) : [] };
  },
});
