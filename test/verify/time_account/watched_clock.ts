/*
 * The time that a wall clock shows, for each quarter of an hour. It comes from `Intl`, and nothing is computed. All zones of the
 * tests change their clocks at a quarter of an hour.
 */

const quarterMs = 15 * 60_000;
const dayMs = 96 * quarterMs;
const formats = new Map<string, Intl.DateTimeFormat>();

interface Shown {
  readonly date: string;
  readonly hour: number;
  /** `23:15` */
  readonly time: string;
}

function shownAt(moment: number, zone: string): Shown {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(zone, format);
  }
  const [date, time] = format.format(moment).split(', ') as [string, string];
  return { date, hour: Number(time.slice(0, 2)), time };
}

/** The date that the clock shows at a moment. */
export const shownDate = (moment: Date, zone: string): string => shownAt(moment.getTime(), zone).date;

export interface Watched extends Shown {
  readonly seconds: number;
}

/** Watches the clock from one moment to another: each quarter of an hour with what is shown, and how long it lasts. */
export function watch(from: Date, to: Date, zone: string): Watched[] {
  const seen: Watched[] = [];
  for (let quarter = Math.floor(from.getTime() / quarterMs) * quarterMs; quarter < to.getTime(); quarter += quarterMs) {
    const begin = Math.max(quarter, from.getTime());
    const end = Math.min(quarter + quarterMs, to.getTime());
    seen.push({ ...shownAt(quarter, zone), seconds: (end - begin) / 1000 });
  }
  return seen;
}

/** The days on which the clocks of a zone change, from one year to another. */
export function daysOfChange(zone: string, fromYear: number, toYear: number): string[] {
  const days: string[] = [];
  for (let noon = Date.UTC(fromYear, 0, 1, 12); noon < Date.UTC(toYear + 1, 0, 1); noon += dayMs)
    if (shownAt(noon, zone).time !== shownAt(noon + dayMs, zone).time) days.push(shownAt(noon + dayMs / 2, zone).date);
  return days;
}
