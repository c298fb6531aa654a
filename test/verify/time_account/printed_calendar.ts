/*
 * A printed calendar: a list of every day from 1990 to 2060. It only counts pages, so that it shares nothing with the arithmetic
 * that it checks.
 */

export interface PrintedDay {
  readonly position: number;
  readonly date: string;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** `Mon` to `Sun`. */
  readonly weekday: string;
}

export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const isLeap = (year: number): boolean => year % 400 === 0 || (year % 4 === 0 && year % 100 !== 0);
const lengthOf = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
const digits = (value: number): string => String(value).padStart(2, '0');

function print(): PrintedDay[] {
  const days: PrintedDay[] = [];
  for (let year = 1990; year <= 2060; year++)
    for (let month = 1; month <= 12; month++)
      for (let day = 1; day <= lengthOf(year, month); day++)
        days.push({
          position: days.length,
          date: `${year}-${digits(month)}-${digits(day)}`,
          year,
          month,
          day,
          // 1 January 1990 was a Monday.
          weekday: weekdays[days.length % 7]!,
        });
  return days;
}

export const printedDays: readonly PrintedDay[] = print();
const byDate = new Map(printedDays.map((day) => [day.date, day]));

/** The page of a date. */
export function pageOf(date: string): PrintedDay {
  const page = byDate.get(date);
  if (!page) throw new Error(`The printed calendar ends before ${date}.`);
  return page;
}

/** The date so many pages later, or earlier. */
export const turned = (date: string, pages: number): string => printedDays[pageOf(date).position + pages]!.date;

/** All pages from one date to another. */
export const pagesBetween = (from: string, to: string): readonly PrintedDay[] =>
  printedDays.slice(pageOf(from).position, Math.max(pageOf(from).position, pageOf(to).position + 1));

/** All pages of the month in which a page lies. */
export function pagesOfMonth({ position, day, year, month }: PrintedDay): readonly PrintedDay[] {
  return printedDays.slice(position - day + 1, position - day + 1 + lengthOf(year, month));
}

/** All pages from Monday to Sunday around a page. */
export function pagesOfWeek({ position, weekday }: PrintedDay): readonly PrintedDay[] {
  const monday = position - weekdays.indexOf(weekday);
  return printedDays.slice(monday, monday + 7);
}
