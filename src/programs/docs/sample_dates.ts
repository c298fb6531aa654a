import { DateTime } from 'luxon';
import { addDays, addMonths, dayNumberOf, weekdayOf } from '../../days/calendar/dates.ts';
import { localDay } from '../../platform/core/time.ts';

/*
 * The samples name dates of the demo organisation, whose records count from the week in which it was created. The files have the
 * dates of an organisation that was created on `recordedOn`. Readers see the dates of the organisation of their server.
 */

const zone = 'Europe/Berlin';
const recordedOn = '2026-05-04';

/** A date with a time, a date, a month, a week, or a year. */
const written = String.raw`20\d\d(?:-W\d\d|-\d\d(?:-\d\d(?:T[\d:]{8}[+-]\d\d:\d\d)?)?)?`;

/** Marks the dates of a sample. */
export const markDates = (sample: string): string =>
  sample.replaceAll(new RegExp(String.raw`(?<![\w#.+-])${written}(?![\w-])`, 'g'), 'DEMO_$&');

/** The text with the dates of an organisation that was created then. */
export function withDemoDates(text: string, createdAt?: Date): string {
  const createdOn = createdAt === undefined ? recordedOn : localDay(createdAt, zone);
  return text.replaceAll(new RegExp(`DEMO_(${written})`, 'g'), (_match, date: string) => moved(date, createdOn));
}

function moved(date: string, createdOn: string): string {
  const days = dayNumberOf(mondayOf(createdOn)) - dayNumberOf(recordedOn);
  if (date.includes('T')) {
    const [day, time] = date.split('T') as [string, string];
    // The clock of the workspace shows the same time, in winter too.
    const local = DateTime.fromISO(`${addDays(day, days)}T${time.slice(0, 8)}`, { zone });
    return local.toISO({ suppressMilliseconds: true })!;
  }
  if (date.includes('W')) return DateTime.fromISO(date).plus({ days }).toFormat("kkkk-'W'WW");
  const years = Number(createdOn.slice(0, 4)) - Number(recordedOn.slice(0, 4));
  const year = String(Number(date.slice(0, 4)) + years);
  if (date.length === 4 || /-(01-01|03-31|12-31)$/.test(date)) return year + date.slice(4);
  const months = monthOf(firstDay(createdOn)) - monthOf(firstDay(recordedOn));
  if (date.length === 7) return addMonths(`${date}-01`, months).slice(0, 7);
  if (date.endsWith('-01')) return addMonths(date, months);
  if (addDays(date, 1).endsWith('-01')) return addDays(addMonths(date, months + 1), -1);
  return addDays(date, days);
}

const mondayOf = (date: string): string => addDays(date, -weekdayOf(date));
const monthOf = (date: string): number => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7));

/** The first day of work of the staff. Its month is the first that can be closed. */
const firstDay = (createdOn: string): string => addDays(createdOn, -90);
