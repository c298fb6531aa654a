import type Holidays from 'date-holidays';
import { addDays, compareDates } from './dates.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { remember } from '../../platform/core/remember.ts';

/*
 * The only file that knows the package date-holidays. The package holds the calendars of all countries in one module and has no
 * import for a single country. To load it takes 0.25 s of processor time and 8 MB of memory, so that it is loaded when a region is
 * first asked for: a service without regions never loads it.
 */

/** A region, with the names of its country, state and region. */
export interface HolidayRegion {
  readonly id: string;
  readonly country: string;
  readonly name: string;
}

/** A day of a calendar. Half of a day that begins after midnight or ends before it is free. */
export interface CalendarHoliday {
  readonly date: string;
  readonly title: string;
  readonly factor: 0.5 | 1;
}

/** The years for which all calendars can be computed. */
const [firstYear, lastYear] = [1970, 2100];

const load = async (): Promise<typeof Holidays> => (await import('date-holidays')).default;

let regions: Promise<readonly HolidayRegion[]> | undefined;

/** All regions, by id. */
export const allRegions = (): Promise<readonly HolidayRegion[]> => (regions ??= readRegions());

async function readRegions(): Promise<readonly HolidayRegion[]> {
  const holidays = new (await load())();
  const language = 'en';
  const found: HolidayRegion[] = [];
  for (const [country, countryName] of Object.entries(holidays.getCountries(language))) {
    found.push({ id: country, country, name: countryName });
    for (const [state, stateName] of Object.entries(holidays.getStates(country, language) ?? {})) {
      const inState = { id: `${country}-${state}`, country, name: `${countryName}, ${stateName}` };
      found.push(inState);
      for (const [region, name] of Object.entries(holidays.getRegions(country, state, language) ?? {}))
        found.push({ id: `${inState.id}-${region}`, country, name: `${inState.name}, ${name}` });
    }
  }
  // The package itself finds codes in capital letters only.
  return found.filter(({ id }) => id === id.toUpperCase()).sort((one, other) => (one.id < other.id ? -1 : 1));
}

/** The problem of a `holiday_region` that no calendar has. */
export async function regionProblems(holiday_region: string | null | undefined): Promise<Problem[]> {
  if (!holiday_region || (await allRegions()).some(({ id }) => id === holiday_region)) return [];
  const title = `holiday_region must be a region such as DE-BY, AT-9 or FR, but was "${holiday_region}". listHolidayRegions returns all of them.`;
  return [{ code: 'invalid_value', pointer: 'holiday_region', title }];
}

/** The public holidays of a region in a year, one for each date, by date. There are none without a region. */
export const calendarHolidays = async (
  region: string | null,
  year: number,
  language: string,
): Promise<readonly CalendarHoliday[]> => (region === null ? [] : yearOf(await load(), region, year, language).days);

/** The public holidays of a region, for any date. */
export async function holidaysOf(
  region: string | null,
  language: string,
): Promise<Pick<ReadonlyMap<string, CalendarHoliday>, 'get'>> {
  if (region === null) return new Map();
  const loaded = await load();
  return { get: (date) => yearOf(loaded, region, Number(date.slice(0, 4)), language).byDate.get(date) };
}

/** The public holidays of a year, one for each date, by date. */
interface CalendarYear {
  readonly days: readonly CalendarHoliday[];
  readonly byDate: ReadonlyMap<string, CalendarHoliday>;
}

/** A year takes 5 ms of processor time for a German state, and 70 ms for China, whose calendar follows the moon. */
const yearOf = remember(
  { limit: 2_000, keyOf: (_package, region, year, language) => `${region} ${year} ${language}` },
  (Package: typeof Holidays, region: string, year: number, language: string): CalendarYear => {
    if (year < firstYear || year > lastYear) return { days: [], byDate: new Map() };
    const byDate = new Map<string, CalendarHoliday>();
    const calendar = new Package(region, { types: ['public'], languages: language.split(/[-_]/)[0]! });
    // A holiday of several days can begin in the year before.
    for (const holiday of [year - 1, year].flatMap((each) => calendar.getHolidays(each)))
      for (const day of daysOf(holiday)) byDate.set(day.date, merged(byDate.get(day.date), day));
    const days = [...byDate.values()]
      .filter(({ date }) => date.startsWith(`${year}-`))
      .sort((one, other) => compareDates(one.date, other.date));
    return { days, byDate };
  },
);

const dayMs = 86_400_000;

/** Every date of a holiday. Some last for several days. */
function daysOf({ date, start, end, name }: ReturnType<Holidays['getHolidays']>[number]): CalendarHoliday[] {
  const lengthMs = end.getTime() - start.getTime();
  // A day is 23 or 25 hours long when clocks change.
  const isPart = lengthMs < 0.9 * dayMs;
  return Array.from({ length: Math.max(1, Math.round(lengthMs / dayMs)) }, (_, index) => ({
    date: addDays(date.slice(0, 10), index),
    title: name,
    factor: isPart ? 0.5 : 1,
  }));
}

/** Two holidays on one date are one day off with both names. */
const merged = (one: CalendarHoliday | undefined, other: CalendarHoliday): CalendarHoliday =>
  one === undefined || one.title === other.title
    ? { ...other, factor: largerOf(one ?? other, other) }
    : { ...other, title: `${one.title}, ${other.title}`, factor: largerOf(one, other) };

const largerOf = (one: CalendarHoliday, other: CalendarHoliday): CalendarHoliday['factor'] =>
  one.factor > other.factor ? one.factor : other.factor;
