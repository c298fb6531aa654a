import type { LocalDate } from '../calendar/dates.ts';

/*
 * The working-time rules with their limits, after the German Working Hours Act (ArbZG) and, for users under 18, the Youth
 * Employment Protection Act (JArbSchG). A limit is allowed; one second beyond it is not.
 */

/** Every rule. The names are part of the contract. */
export const allRules = [
  'long_work',
  'short_breaks',
  'long_stretch',
  'short_rest',
  'long_week',
  'long_average',
  'sunday_work',
  'absence_work',
  'overlap',
  'long_running',
] as const;

export type Rule = (typeof allRules)[number];

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
