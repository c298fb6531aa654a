import * as fields from '../../generated/fields.ts';
import type { components } from '../../generated/v3.ts';
import { permissionsOf } from '../core/permissions.ts';
import { resource, type Showing } from '../http/answers/jsonapi.ts';
import type { PublicHoliday as Row } from './public_holidays.ts';

type PublicHoliday = components['schemas']['PublicHoliday'];

const publicHoliday = resource('public_holiday', fields.PublicHoliday);

export const presentPublicHoliday = (row: Row, { actor, view }: Showing) =>
  publicHoliday({
    id: row.id,
    permissions: permissionsOf(actor, 'public_holiday', { isOwn: row.kind === 'own' }, view.permissions),
    kind: row.kind,
    date: row.date,
    title: row.title,
    factor: row.factor as PublicHoliday['attributes']['factor'],
  });
