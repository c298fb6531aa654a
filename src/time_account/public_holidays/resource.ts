import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { permissionsOf } from '../../platform/core/permissions.ts';
import { resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import type { PublicHoliday as Row } from './public_holidays.ts';

type PublicHoliday = components['schemas']['PublicHoliday'];

export const holidayRegion = resource('holiday_region', fields.HolidayRegion);

const publicHoliday = resource('public_holiday', fields.PublicHoliday);

export const presentPublicHoliday = (row: Row, { actor, queryOptions }: PresentContext) =>
  publicHoliday({
    id: row.id,
    permissions: permissionsOf(actor, 'public_holiday', { isOwn: row.kind === 'own' }, queryOptions.permissions),
    kind: row.kind,
    date: row.date,
    title: row.title,
    factor: row.factor as PublicHoliday['attributes']['factor'],
  });
