import type { components } from '../../generated/v3.ts';
import { presenter } from '../http/answers/jsonapi.ts';
import type { AbsenceTypeRow } from './absence_types.ts';

type AbsenceType = components['schemas']['AbsenceType'];

const absenceType = presenter<AbsenceType>('absence_type');

export const presentAbsenceType = (row: AbsenceTypeRow): AbsenceType =>
  absenceType({ id: row.id, attributes: { title: row.title, kind: row.kind as AbsenceType['attributes']['kind'] } });
