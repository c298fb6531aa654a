import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import type { Figures } from '../../days/calendar/work_of_day.ts';
import { hoursOf } from '../../days/calendar/worked_time.ts';
import { resource } from '../../platform/http/answers/jsonapi.ts';
import type { PlannedDay } from './ledger.ts';

type Schemas = components['schemas'];

const userDay = resource('user_day', fields.UserDay);
const recordsSummary = resource('records_summary', fields.RecordsSummary);

export const presentUserDay = (day: PlannedDay): Schemas['UserDay'] => {
  const seconds = {
    target: day.target,
    plan: day.plan,
    worked: day.worked.all,
    confirmed_worked: day.worked.confirmed,
    breaks: day.breaks,
    absence_credit: day.absenceCredit,
    holiday_credit: day.holidayCredit,
    adjustment: day.adjustment,
    change: day.change.all,
    confirmed_change: day.change.confirmed,
    balance: day.balance.all,
    confirmed_balance: day.balance.confirmed,
  };
  return userDay({
    id: day.date,
    date: day.date,
    ...eachInHours(seconds),
    is_confirmed: day.isConfirmed,
    holiday: day.holiday,
    absences: day.absenceIds.map(String),
    time_trackings: [...day.timeTrackingIds],
    seconds,
  });
};

const eachInHours = <Name extends string>(seconds: Readonly<Record<Name, number>>): Record<Name, number> =>
  Object.fromEntries(Object.entries<number>(seconds).map(([name, amount]) => [name, hoursOf(amount)])) as Record<
    Name,
    number
  >;

export const presentRecordsSummary = (userId: number, balance: Figures) =>
  recordsSummary({
    id: userId,
    confirmed_total_overtime_in_sec: balance.confirmed,
    total_overtime_in_sec: balance.all,
  });
