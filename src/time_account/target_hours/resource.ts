import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { hoursOf } from '../../days/calendar/worked_time.ts';
import { permissionsOf } from '../../platform/core/permissions.ts';
import { rankOf } from '../../platform/core/ranks.ts';
import { resource, type Flat, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import type { TargetHourOf } from './target_hours.ts';
import { hoursOrNull, weekSeconds } from './week.ts';

type TargetHour = components['schemas']['TargetHour'];

const targetHour = resource('target_hour', fields.TargetHour);

export const presentTargetHour = (target: TargetHourOf, context: PresentContext) => targetHour(flat(target, context));

function flat({ row, user }: TargetHourOf, { actor, queryOptions }: PresentContext): Flat<TargetHour> {
  const facts = { user_id: user.id, user_rank: rankOf(user), area_ids: user.area_ids };
  const isFree = row.rhythm_type === 'free';
  const total = isFree ? row.cycle.reduce((sum, { hours_s }) => sum + hours_s, 0) : weekSeconds(row);
  const permissions = permissionsOf(actor, 'target_hour', facts, queryOptions.permissions);
  const common = {
    start_date: row.start_date,
    end_date: row.end_date,
    target_limited: row.target_limited,
    reset_confirmed_absences: row.reset_confirmed_absences,
    total_hours: hoursOf(total),
    updated_by: row.updated_by,
  };
  if (isFree) {
    const target_working_days = row.cycle.map(({ id, day_type, hours_s }) => ({
      id: String(id),
      day_type,
      hours: hoursOf(hours_s),
    }));
    return { id: row.id, permissions, rhythm_type: 'free', ...common, target_working_days };
  }
  return {
    id: row.id,
    permissions,
    rhythm_type: 'weekly',
    ...common,
    is_week: row.is_week,
    is_month: row.is_month,
    is_mon: row.is_mon,
    mon: hoursOrNull(row.mon_s),
    is_tue: row.is_tue,
    tue: hoursOrNull(row.tue_s),
    is_wed: row.is_wed,
    wed: hoursOrNull(row.wed_s),
    is_thu: row.is_thu,
    thu: hoursOrNull(row.thu_s),
    is_fri: row.is_fri,
    fri: hoursOrNull(row.fri_s),
    is_sat: row.is_sat,
    sat: hoursOrNull(row.sat_s),
    is_sun: row.is_sun,
    sun: hoursOrNull(row.sun_s),
    per_day: row.per_day,
    week: hoursOrNull(row.week_s),
    month: hoursOrNull(row.month_s),
  };
}
