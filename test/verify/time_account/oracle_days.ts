import type { AbsenceAmount, AbsenceDay, MeasuredAbsence } from '../../../src/days/calendar/absence_days.ts';
import type { AbsenceOfDay } from '../../../src/days/calendar/credits_of_day.ts';
import type { TargetHour, WeeklyTargetHour } from '../../../src/days/calendar/target_of_day.ts';
import {
  pageOf,
  pagesBetween,
  pagesOfMonth,
  pagesOfWeek,
  turned,
  weekdays,
  type PrintedDay,
} from './printed_calendar.ts';
import type { Person } from './scenarios.ts';
import { watch } from './watched_clock.ts';

/* A second implementation of the rules of days, as close to their text as possible. It uses a printed calendar and a watched clock. */

const fraction = (amount: number, of: number, divisor: number): number => Math.round((amount * of) / divisor);

/** The seconds that a person owes on a date. */
function owedOn(person: Person, date: string): { owed: number; isLimited: boolean } {
  const started = person.target_hours.filter(({ start_date }) => start_date <= date);
  if (started.length === 0) return { owed: 0, isLimited: false };
  const latest = started.reduce((one, other) => (other.start_date > one.start_date ? other : one));
  const isAway =
    date < person.start_of_accounting || (person.end_of_contract !== null && date > person.end_of_contract);
  return { owed: isAway ? 0 : owedBy(latest, pageOf(date)), isLimited: latest.target_limited };
}

function owedBy(hour: TargetHour, page: PrintedDay): number {
  if (hour.rhythm_type === 'weekly') return weeklyOwed(hour, page);
  let element = 0;
  for (let date = hour.start_date; date < page.date; date = turned(date, 1))
    element = element + 1 === hour.cycle.length ? 0 : element + 1;
  return hour.cycle[element]!;
}

function weeklyOwed(hour: WeeklyTargetHour, page: PrintedDay): number {
  const isWorked = ({ weekday }: PrintedDay): boolean => hour.weekdays[weekdays.indexOf(weekday)]!.isWorkday;
  if (!isWorked(page)) return 0;
  const daily = hour.weekdays.filter(({ isWorkday }) => isWorkday).map(({ seconds }) => seconds);
  if (hour.per_day || Math.max(...daily) > 0) return hour.weekdays[weekdays.indexOf(page.weekday)]!.seconds;
  const pages = hour.is_week ? pagesOfWeek(page) : hour.is_month ? pagesOfMonth(page) : [];
  const total = hour.is_week ? hour.weekSeconds : hour.monthSeconds;
  const worked = pages.filter(isWorked);
  if (worked.length === 0) return 0;
  // Gives each the same whole number of seconds, and the rest to the last.
  const left = total % worked.length;
  return (total - left) / worked.length + (worked.at(-1) === page ? left : 0);
}

export interface DayOff {
  readonly owed: number;
  readonly isLimited: boolean;
  readonly title: string | null;
  /** The ten-thousandths of the day that the holiday takes. */
  readonly holiday: number;
  readonly holidayCredit: number;
  /** The rest of the target. */
  readonly open: number;
  readonly wholeVacation: number;
}

/** A date of a user, before work and absences are added. */
export function dayOff(person: Person, date: string): DayOff {
  const { owed, isLimited } = owedOn(person, date);
  const named = [
    ...[person.calendarHolidays.get(date) ?? []].flat(),
    ...person.ownHolidays.filter((own) => own.date === date),
  ];
  const factor = Math.max(0, ...named.map((one) => one.factor));
  const holiday = Math.round(factor * 10_000);
  const takenOf = (amount: number): number => (owed === 0 ? 0 : fraction(amount, holiday, 10_000));
  const vacation = owed === 0 ? 0 : (person.customVacationSeconds ?? owed);
  return {
    owed,
    isLimited,
    title: named.find((one) => one.factor === factor)?.title ?? null,
    holiday,
    holidayCredit: takenOf(person.customHolidaySeconds ?? owed),
    open: owed - takenOf(owed),
    wholeVacation: vacation - takenOf(vacation),
  };
}

/** The amount of an absence on each of its dates. */
export function absenceRows(absence: MeasuredAbsence, person: Person): AbsenceDay[] {
  const rows = absence.full_day ? rowsOfFullDays(absence, person) : rowsOfPieces(absence, person);
  const { custom } = absence;
  if (!custom) return rows;
  const open = rows.map(({ date }) => dayOff(person, date).open);
  const dealt = (of: keyof AbsenceAmount): number[] =>
    custom[of] === undefined ? rows.map((row) => row[of]) : dealOut(custom[of], open);
  const [seconds, parts] = [dealt('seconds'), dealt('parts')];
  return rows.map(({ date }, index) => ({ date, seconds: seconds[index]!, parts: parts[index]! }));
}

type Full = MeasuredAbsence & { full_day: true };
type Piecewise = MeasuredAbsence & { full_day: false };

function rowsOfFullDays({ dates, half_start, half_end, kind }: Full, person: Person): AbsenceDay[] {
  const counted = pagesBetween(dates.from, dates.to)
    .map(({ date }) => ({ date, ...dayOff(person, date) }))
    .map((day) => ({
      date: day.date,
      seconds: kind === 'vacation' ? day.wholeVacation : day.open,
      parts: day.owed === 0 ? 0 : 10_000 - day.holiday,
    }));
  const withAmount = counted.filter(({ parts }) => parts !== 0).map(({ date }) => date);
  const halved = new Set([...(half_start ? withAmount.slice(0, 1) : []), ...(half_end ? withAmount.slice(-1) : [])]);
  return counted.map((row) =>
    halved.has(row.date)
      ? { date: row.date, seconds: Math.round(row.seconds / 2), parts: Math.round(row.parts / 2) }
      : row,
  );
}

function rowsOfPieces({ starts_at, ends_at, zone }: Piecewise, person: Person): AbsenceDay[] {
  const seen = watch(starts_at, ends_at, zone);
  return [...new Set(seen.map(({ date }) => date))].map((date) => {
    const length = seen.reduce((sum, quarter) => sum + (quarter.date === date ? quarter.seconds : 0), 0);
    const { owed, open } = dayOff(person, date);
    const seconds = Math.min(length, open);
    return { date, seconds, parts: owed === 0 ? 0 : fraction(10_000, seconds, owed) };
  });
}

/** Distributes an amount by weight. */
function dealOut(amount: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const lastHolder = weights.map((weight) => weight > 0).lastIndexOf(true);
  const dealt: number[] = [];
  for (const [index, weight] of weights.entries()) {
    const rest = amount - dealt.reduce((sum, share) => sum + share, 0);
    if (index === Math.max(lastHolder, 0)) dealt.push(rest);
    else dealt.push(lastHolder === -1 ? 0 : Math.min(rest, fraction(amount, weight, whole)));
  }
  return dealt;
}

/** The amounts that the absences of a date count. Their running sum is at most the open target. */
export function creditsOn(day: DayOff, absences: readonly AbsenceOfDay[]) {
  const most = (kind: string): number =>
    Math.max(0, ...absences.filter((one) => one.kind === kind).map(({ seconds }) => seconds));
  const cut = (sum: number): number => Math.min(day.open, sum);
  const [unpaid, sickness, special] = [most('unpaid'), most('sickness'), most('special')];
  const taken = cut(unpaid + sickness + special);
  const free = day.open - taken;
  const longDay = day.wholeVacation > day.open && day.open > 0;
  return {
    unpaid: cut(unpaid),
    sickness: cut(unpaid + sickness) - cut(unpaid),
    special: taken - cut(unpaid + sickness),
    vacation: Math.min(most('vacation'), longDay ? fraction(day.wholeVacation, free, day.open) : free),
    overtime: most('overtime'),
  };
}
