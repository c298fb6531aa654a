import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { daysShown } from '../../days/calendar/amounts.ts';
import { hoursOf } from '../../days/calendar/worked_time.ts';
import { resource } from '../../platform/http/answers/jsonapi.ts';
import type { NamedAbsences, UserSummary as Summary } from './user_summaries.ts';

type UserSummary = components['schemas']['UserSummary'];

const userSummary = resource('user_summary', fields.UserSummary);

export const presentUserSummary = ({ user, ...sums }: Summary) =>
  userSummary({ id: user.id, username: user.username, is_leaver: user.is_leaver, ...figuresOf(sums) });

/** The figures of a summary, in hours and days. */
export const figuresOf = ({
  totals,
  opening,
  nightAndHoliday,
  absences,
}: Omit<Summary, 'user'>): Omit<UserSummary['attributes'], 'username' | 'is_leaver'> => ({
  gross: hoursOf(totals.worked.all + totals.breaks),
  breaks: hoursOf(totals.breaks),
  net: hoursOf(totals.worked.all),
  confirmed_net: hoursOf(totals.worked.confirmed),
  target: hoursOf(totals.target),
  absence_credit: hoursOf(totals.absenceCredit),
  holiday_credit: hoursOf(totals.holidayCredit),
  adjustment: hoursOf(totals.adjustment),
  change: hoursOf(totals.change.all),
  confirmed_change: hoursOf(totals.change.confirmed),
  opening_balance: hoursOf(opening.all),
  confirmed_opening_balance: hoursOf(opening.confirmed),
  balance: hoursOf(opening.all + totals.change.all),
  confirmed_balance: hoursOf(opening.confirmed + totals.change.confirmed),
  night_23_to_6: hoursOf(nightAndHoliday.nightFrom23),
  night_20_to_6: hoursOf(nightAndHoliday.nightFrom20),
  sunday: hoursOf(nightAndHoliday.sunday),
  holiday: hoursOf(nightAndHoliday.holiday),
  absences: absences.map(presentAbsences),
});

type Absences = UserSummary['attributes']['absences'][number];

const presentAbsences = ({ typeId, title, kind, seconds, parts }: NamedAbsences): Absences => ({
  absence_type_id: String(typeId),
  title,
  kind: kind as Absences['kind'],
  days: daysShown(parts),
  hours: hoursOf(seconds),
});
