import type { components } from '../../../generated/public.ts';
import { hoursOf } from '../../days/calendar/worked_time.ts';
import { utcForm } from '../../platform/core/time.ts';
import type { TargetHourRow } from './rows.ts';

type TargetHour = components['schemas']['TargetHour'];

const hours = (seconds: number | null): number => hoursOf(seconds ?? 0);

export const presentPublicTargetHour = (row: TargetHourRow): TargetHour => ({
  id: row.id,
  rhythm_type: row.rhythm_type as TargetHour['rhythm_type'],
  start_date: row.start_date,
  end_date: row.end_date,
  is_week: row.is_week,
  is_month: row.is_month,
  per_day: row.per_day,
  is_mon: row.is_mon,
  is_tue: row.is_tue,
  is_wed: row.is_wed,
  is_thu: row.is_thu,
  is_fri: row.is_fri,
  is_sat: row.is_sat,
  is_sun: row.is_sun,
  mon: hours(row.mon_s),
  tue: hours(row.tue_s),
  wed: hours(row.wed_s),
  thu: hours(row.thu_s),
  fri: hours(row.fri_s),
  sat: hours(row.sat_s),
  sun: hours(row.sun_s),
  week: hours(row.week_s),
  month: hours(row.month_s),
  target_working_days: row.cycle.map(({ id, day_type, hours_s }) => ({ id, day_type, hours: hours(hours_s) })),
  regard_holidays: true,
  target_limited: row.target_limited,
  status: 'success',
  updated_by_id: row.updated_by_user_id,
  created_at: utcForm(row.created_at),
  updated_at: utcForm(row.updated_at),
});
