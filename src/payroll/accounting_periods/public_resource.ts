import type { components } from '../../../generated/public.ts';
import { hoursOf } from '../../days/calendar/worked_time.ts';
import { utcForm } from '../../platform/core/time.ts';
import type { PayrollRow } from './payrolls.ts';

export const presentPayroll = ({ sums, ...row }: PayrollRow): components['schemas']['Payroll'] => ({
  id: row.id,
  user_id: row.user_id,
  day: row.day,
  paid_hours: hoursOf(sums.totals.charged.all),
  calc_hours: hoursOf(sums.totals.worked.all),
  salary: row.salary,
  bonus: 0,
  time_account_start: hoursOf(sums.opening.all),
  time_account_end: hoursOf(sums.opening.all + sums.totals.change.all),
  additional_charged_hours: hoursOf(sums.totals.adjustment),
  selected_data: 'plan-actual',
  payroll_visible: true,
  created_at: utcForm(row.closed_at),
  updated_at: utcForm(row.closed_at),
});
