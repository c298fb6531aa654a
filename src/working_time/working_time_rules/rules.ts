import type { components } from '../../../generated/v3.ts';
import type { LocalDate } from '../../days/calendar/dates.ts';

/*
 * The working-time rules with their limits and words, after the German Working Hours Act (ArbZG) and, for users under 18, the Youth
 * Employment Protection Act (JArbSchG). A limit is allowed; one second beyond it is not.
 */

/** The rules that the contract names. */
export type Rule = components['schemas']['WorkingTimeRule'];

const minute = 60;
const hour = 60 * minute;

/** A limit in seconds, and the paragraph that sets it. */
export interface Limit {
  readonly seconds: number;
  readonly paragraph: string | null;
}

/** The least breaks for more than this much work. */
export interface BreakLimit extends Limit {
  readonly workSeconds: number;
}

/** The limits that differ between adults and users under 18. */
interface Limits {
  readonly work: Limit;
  /** Longest work first. */
  readonly breaks: readonly BreakLimit[];
  readonly week: Limit;
}

const adult: Limits = {
  work: { seconds: 10 * hour, paragraph: '§ 3 ArbZG' },
  breaks: [
    { workSeconds: 9 * hour, seconds: 45 * minute, paragraph: '§ 4 ArbZG' },
    { workSeconds: 6 * hour, seconds: 30 * minute, paragraph: '§ 4 ArbZG' },
  ],
  week: { seconds: 60 * hour, paragraph: '§ 3 ArbZG' },
};

const youth: Limits = {
  work: { seconds: 8 * hour, paragraph: '§ 8 JArbSchG' },
  breaks: [
    { workSeconds: 6 * hour, seconds: 60 * minute, paragraph: '§ 11 JArbSchG' },
    { workSeconds: 4.5 * hour, seconds: 30 * minute, paragraph: '§ 11 JArbSchG' },
  ],
  week: { seconds: 40 * hour, paragraph: '§ 8 JArbSchG' },
};

/** The work that is allowed in one go. */
export const stretchLimit: Limit = { seconds: 6 * hour, paragraph: '§ 4 ArbZG' };

/** The average of a week over `averagedWeeks`. */
export const averageLimit: Limit = { seconds: 48 * hour, paragraph: '§ 3 ArbZG' };
export const averagedWeeks = 24;

export const sundayLimit: Limit = { seconds: 0, paragraph: '§ 9 ArbZG' };
export const absenceLimit: Limit = { seconds: 0, paragraph: null };
export const overlapLimit: Limit = { seconds: 0, paragraph: null };
export const runningLimit: Limit = { seconds: 16 * hour, paragraph: null };

/** A period without work counts as a break from this length on. */
export const leastBreakSeconds = 15 * minute;

/** Work that begins sooner after the end of earlier work belongs to its working day. */
export const sameDayGapSeconds = 2 * hour;

/** The longest rest that any rule asks for. */
export const longestRestSeconds = 12 * hour;

/** The limits that apply on a day. */
export const limitsOn = (date: LocalDate, birthday: LocalDate | null): Limits =>
  isUnder18(date, birthday) ? youth : adult;

/** The least rest before a working day. Users under 18 need 12 hours, whatever the workspace has set. */
export const restLimitOn = (date: LocalDate, birthday: LocalDate | null, minimumRestHours: number): Limit =>
  isUnder18(date, birthday)
    ? { seconds: longestRestSeconds, paragraph: '§ 13 JArbSchG' }
    : { seconds: minimumRestHours * hour, paragraph: '§ 5 ArbZG' };

/** Dates sort as text, also 29 February of a year that has none: a user who was born on it is 18 from 1 March on. */
const isUnder18 = (date: LocalDate, birthday: LocalDate | null): boolean =>
  birthday !== null && date < `${Number(birthday.slice(0, 4)) + 18}${birthday.slice(4)}`;

/** The sentence about a violation, made from its value, its limit and its date. */
export const words: Readonly<
  Record<
    Rule,
    {
      readonly title: (limit: string) => string;
      readonly message: (value: string, limit: string, date: string) => string;
    }
  >
> = {
  long_work: {
    title: (limit) => `More than ${limit} of work`,
    message: (value, limit, date) => `The working time of ${date} is ${value}. At most ${limit} are allowed.`,
  },
  short_breaks: {
    title: () => 'Too little break',
    message: (value, limit, date) => `The breaks of ${date} are ${value}. At least ${limit} are needed.`,
  },
  long_stretch: {
    title: (limit) => `More than ${limit} without a break`,
    message: (value, limit, date) =>
      `The longest work without a break on ${date} is ${value}. At most ${limit} are allowed.`,
  },
  short_rest: {
    title: (limit) => `Less than ${limit} of rest`,
    message: (value, limit, date) => `The rest before ${date} is ${value}. At least ${limit} are needed.`,
  },
  long_week: {
    title: (limit) => `More than ${limit} of work in a week`,
    message: (value, limit, date) =>
      `The working time of the week from ${date} on is ${value}. At most ${limit} are allowed.`,
  },
  long_average: {
    title: (limit) => `More than ${limit} a week on average`,
    message: (value, limit, date) =>
      `The working time of the 24 weeks until the one from ${date} on is ${value} a week on average. At most ${limit} are allowed.`,
  },
  sunday_work: {
    title: () => 'Work on a Sunday or holiday',
    message: (value, _limit, date) => `The working day ${date} has ${value} of work on a Sunday or holiday.`,
  },
  absence_work: {
    title: () => 'Work during an absence',
    message: (value, _limit, date) => `${value} of work are recorded on ${date}, a day of a confirmed absence.`,
  },
  overlap: {
    title: () => 'Overlapping time trackings',
    message: (value, _limit, date) => `Time trackings of ${date} overlap by ${value}.`,
  },
  long_running: {
    title: (limit) => `Running for more than ${limit}`,
    message: (_value, limit, date) =>
      `The time tracking of ${date} has been running for more than ${limit}. Perhaps its end was forgotten.`,
  },
};
