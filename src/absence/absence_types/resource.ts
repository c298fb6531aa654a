import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { resource } from '../../platform/http/answers/jsonapi.ts';
import type { AbsenceTypeRow } from './absence_types.ts';

type AbsenceType = components['schemas']['AbsenceType'];

const absenceType = resource('absence_type', fields.AbsenceType);

export const presentAbsenceType = (row: AbsenceTypeRow) =>
  absenceType({ id: row.id, title: row.title, kind: row.kind as AbsenceType['attributes']['kind'] });
