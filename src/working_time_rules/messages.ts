import type { Rule } from './rules.ts';
import type { Violation } from './violation.ts';

/*
 * What people read about a violation. It names hours and dates only: the work may have been done in a workspace that the reader
 * does not know.
 */

type Described = Pick<Violation, 'rule' | 'paragraph' | 'date' | 'limitSeconds' | 'valueSeconds'>;

const titles: Readonly<Record<Rule, (limit: string) => string>> = {
  long_work: (limit) => `More than ${limit} of work`,
  short_breaks: () => 'Too little break',
  long_stretch: (limit) => `More than ${limit} without a break`,
  short_rest: (limit) => `Less than ${limit} of rest`,
  long_week: (limit) => `More than ${limit} of work in a week`,
  long_average: (limit) => `More than ${limit} a week on average`,
  sunday_work: () => 'Work on a Sunday or holiday',
  absence_work: () => 'Work during an absence',
  overlap: () => 'Overlapping time trackings',
  long_running: (limit) => `Running for more than ${limit}`,
};

/** A short name of the violation. */
export const titleOf = ({ rule, limitSeconds }: Described): string => titles[rule](inWords(limitSeconds));

const messages: Readonly<Record<Rule, (value: string, limit: string, date: string) => string>> = {
  long_work: (value, limit, date) => `The working time of ${date} is ${value}. At most ${limit} are allowed.`,
  short_breaks: (value, limit, date) => `The breaks of ${date} are ${value}. At least ${limit} are needed.`,
  long_stretch: (value, limit, date) =>
    `The longest work without a break on ${date} is ${value}. At most ${limit} are allowed.`,
  short_rest: (value, limit, date) => `The rest before ${date} is ${value}. At least ${limit} are needed.`,
  long_week: (value, limit, date) =>
    `The working time of the week from ${date} on is ${value}. At most ${limit} are allowed.`,
  long_average: (value, limit, date) =>
    `The working time of the 24 weeks until the one from ${date} on is ${value} a week on average. At most ${limit} are allowed.`,
  sunday_work: (value, _limit, date) => `The working day ${date} has ${value} of work on a Sunday or holiday.`,
  absence_work: (value, _limit, date) => `${value} of work are recorded on ${date}, a day of a confirmed absence.`,
  overlap: (value, _limit, date) => `Time trackings of ${date} overlap by ${value}.`,
  long_running: (_value, limit, date) =>
    `The time tracking of ${date} has been running for more than ${limit}. Perhaps its end was forgotten.`,
};

/** A sentence with the value, the limit and the paragraph. */
export const messageOf = ({ rule, paragraph, date, limitSeconds, valueSeconds }: Described): string =>
  `${messages[rule](inWords(valueSeconds), inWords(limitSeconds), date)}${paragraph === null ? '' : ` (${paragraph})`}`;

/** `10 hours`, `45 minutes`, `10 hours 30 minutes 1 second`. */
export function inWords(seconds: number): string {
  const amounts = [
    [Math.floor(seconds / 3600), 'hour'],
    [Math.floor(seconds / 60) % 60, 'minute'],
    [seconds % 60, 'second'],
  ] as const;
  const words = amounts
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}${amount === 1 ? '' : 's'}`);
  return words.join(' ') || '0 minutes';
}
