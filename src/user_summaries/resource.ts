import type { components } from '../../generated/v3.ts';
import { daysShown } from '../calendar/amounts.ts';
import { hoursOf } from '../calendar/worked_time.ts';
import { presenter } from '../http/answers/jsonapi.ts';
import type { UserSummary as Summary } from './user_summaries.ts';

type UserSummary = components['schemas']['UserSummary'];

const userSummary = presenter<UserSummary>('user_summary');

export const presentUserSummary = ({ user, totals, opening, nightAndHoliday, absences, types }: Summary): UserSummary =>
  userSummary({
    id: String(user.id),
    attributes: {
      username: user.username,
      is_leaver: user.is_leaver,
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
      absences: absences.map(({ typeId, seconds, parts }) => ({
        absence_type_id: String(typeId),
        title: types.get(typeId)!.title,
        kind: types.get(typeId)!.kind as UserSummary['attributes']['absences'][number]['kind'],
        days: daysShown(parts),
        hours: hoursOf(seconds),
      })),
    },
  });
