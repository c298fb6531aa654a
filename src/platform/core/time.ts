import { DateTime, IANAZone } from 'luxon';
import type { Problem } from './errors.ts';
import { remember } from './remember.ts';

/** `2023-01-30T11:23:10Z`. Lists are full of times, and this takes a third of what `toISOString` does. */
export const utcForm = (time: Date): string =>
  `${utcDay(time)}T${twoDigits(time.getUTCHours())}:${twoDigits(time.getUTCMinutes())}:${twoDigits(time.getUTCSeconds())}Z`;

/** `2023-01-30`, the day in UTC. */
export const utcDay = (time: Date): string =>
  `${time.getUTCFullYear()}-${twoDigits(time.getUTCMonth() + 1)}-${twoDigits(time.getUTCDate())}`;

const twoDigits = (number: number): string => (number < 10 ? `0${number}` : `${number}`);

export const utcFormOrNull = (time: Date | null): string | null => (time === null ? null : utcForm(time));

/** `2023-01-30T12:23:10+01:00`; `+00:00` where the zone is UTC, never `Z`. */
export function localForm(time: Date, zone: string): string {
  const minutes = offsetAt(time, zone);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const local = utcForm(new Date(time.getTime() + minutes * 60_000)).slice(0, -1);
  return `${local}${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`;
}

/** Minutes east of Greenwich. To ask for them takes twenty times as long as to write a time. */
const offsetAt = remember(
  // Clocks are put forward and back at the full minute.
  { limit: 20_000, keyOf: (time, zone) => `${zone} ${Math.floor(time.getTime() / 60_000)}` },
  // Long ago zones had seconds, which the form cannot show: without them it names the same moment.
  (time: Date, zone: string) => Math.trunc(DateTime.fromJSDate(time, { zone }).offset),
);

/** How far the clock of a device may be ahead of ours. */
export const maxAheadMs = 5 * 60 * 1000;

/** Records store whole seconds, so that an answer shows exactly what is stored. */
export const wholeSeconds = (time: Date): Date => new Date(Math.floor(time.getTime() / 1000) * 1000);

/** The beginning of an hour, in UTC. */
export const startOfHour = (time: Date): Date => new Date(Math.floor(time.getTime() / 3_600_000) * 3_600_000);

/** Reads an ISO time with an offset, to the millisecond. */
export const momentOf = (text: string): Date => new Date(text.toUpperCase().replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));

/** Reads an ISO time with an offset, cut to whole seconds. */
export const parseTime = (text: string): Date => wholeSeconds(momentOf(text));

/** The calendar day in that zone, `YYYY-MM-DD`. */
export const localDay = (time: Date, zone: string): string => DateTime.fromJSDate(time, { zone }).toISODate()!;

/**
 * The first moment of that day: the first midnight where clocks show midnight twice, the first moment after it where they
 * skip it. A zone that skips the whole day has the beginning of the next one instead.
 */
export const startOfLocalDay = (day: string, zone: string): Date => firstMoment(midnightUtc(day), zone);

/** The last second of that day, right before the next one starts. */
export const endOfLocalDay = (day: string, zone: string): Date =>
  new Date(firstMoment(midnightUtc(day) + 24 * hourMs, zone).getTime() - 1000);

/** The first moment at which clocks show that full hour on that day, or a later time where they skip it. */
export const clockTimeOfDay = (day: string, hour: number, zone: string): Date =>
  firstMoment(midnightUtc(day) + hour * hourMs, zone);

const hourMs = 3_600_000;
const midnightUtc = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The first moment at which clocks show a time, given as if they were in UTC. */
function firstMoment(shown: number, zone: string): Date {
  const offsetMsAt = (moment: number): number => IANAZone.create(zone).offset(moment) * 60_000;
  // No offset is as long as that, so the time lies between them. Clocks change at most once in so short a time.
  const [before, after] = [shown - 16 * hourMs, shown + 16 * hourMs];
  const [oldOffset, newOffset] = [offsetMsAt(before), offsetMsAt(after)];
  if (oldOffset === newOffset) return new Date(shown - oldOffset);
  const change = firstSecond(before, after, (moment) => offsetMsAt(moment) === newOffset);
  return new Date(shown - oldOffset < change ? shown - oldOffset : Math.max(change, shown - newOffset));
}

/** The first second at which something holds that does not hold at first and holds in the end, found by bisection. */
function firstSecond(first: number, last: number, holdsAt: (moment: number) => boolean): number {
  let [without, within] = [first, last];
  while (within - without > 1000) {
    const middle = Math.floor((without + within) / 2000) * 1000;
    if (holdsAt(middle)) within = middle;
    else without = middle;
  }
  return within;
}

/** The same local time a year later. 29 February becomes 28 February. */
export const oneYearAfter = (time: Date, zone: string): Date =>
  DateTime.fromJSDate(time, { zone }).plus({ years: 1 }).toJSDate();

/** The same local time some weeks later, or earlier. Where clocks skip it, the time after the gap. */
export const weeksAfter = (time: Date, weeks: number, zone: string): Date =>
  DateTime.fromJSDate(time, { zone }).plus({ weeks }).toJSDate();

/** The Monday of an ISO week such as `2026-W24`, as `YYYY-MM-DD`; undefined if the year has no such week. */
export function mondayOfWeek(week: string): string | undefined {
  const [weekYear, weekNumber] = week.split('-W').map(Number);
  const monday = DateTime.fromObject({ weekYear, weekNumber, weekday: 1 }, { zone: 'UTC' });
  return monday.isValid ? monday.toISODate() : undefined;
}

/** How many weeks there are from one Monday to another. */
export const weeksBetween = (monday: string, other: string): number =>
  Math.round((midnightUtc(other) - midnightUtc(monday)) / (7 * 24 * hourMs));

/** Whether `YYYY-MM-DD` names a day of the calendar. */
export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && DateTime.fromISO(text).isValid;

/** The calendar day of a time or a plain day in a request. */
export const dayOfIso = (text: string, zone: string): string => (isDay(text) ? text : localDay(parseTime(text), zone));

/*
 * Zones. Rows store IANA names. The API shows the city: the last part of the name, with spaces instead of underscores.
 */
const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
const zonesByCity = new Map(zones.map((name) => [cityOf(name).toLowerCase(), name]));
/** `supportedValuesOf` lists one name for each zone, often the older one. Kolkata and Kyiv are found by trying every region. */
const regions = [
  ...new Set(zones.filter((name) => name.includes('/')).map((name) => name.slice(0, name.lastIndexOf('/')))),
  'Etc',
  'US',
  'Canada',
];

export function cityOf(zone: string): string {
  return zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');
}

/** The IANA name of a zone, given that name or its city; undefined where there is no such zone. */
export function zoneNamed(cityOrName: string): string | undefined {
  if (cityOrName.includes('/')) return wellSpelt(cityOrName);
  const city = cityOrName.replaceAll('_', ' ').toLowerCase();
  return (
    zonesByCity.get(city) ??
    regions
      .map((region) => wellSpelt(`${region}/${cityOrName.replaceAll(' ', '_')}`))
      .find((name) => name !== undefined)
  );
}

/** The problem of a `time_zone` that names no zone. */
export const zoneProblems = (time_zone: string | null | undefined): Problem[] =>
  time_zone && zoneNamed(time_zone) === undefined
    ? [
        {
          code: 'invalid_value',
          pointer: 'time_zone',
          title: `time_zone must be a city such as Berlin or an IANA name such as Europe/Berlin, but was "${time_zone}".`,
        },
      ]
    : [];

/** Zone names ignore case, but people read them. */
function wellSpelt(name: string): string | undefined {
  if (!IANAZone.isValidZone(name)) return undefined;
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
  return timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name;
}

/** Whether a text is a time as requests give it: ISO 8601 with an offset, from 1900 to 2999, on a day that exists, without leap seconds. */
export function isRequestTime(text: string): boolean {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/i.exec(
      text,
    );
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  if (year < 1900 || year > 2999) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
