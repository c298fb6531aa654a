import { words } from './rules.ts';
import type { Violation } from './violation.ts';

/*
 * The sentences about a violation. They name hours and dates only: the work may have been done in a workspace that the reader
 * does not know.
 */

type Described = Pick<Violation, 'rule' | 'paragraph' | 'date' | 'limitSeconds' | 'valueSeconds'>;

/** A short name of the violation. */
export const titleOf = ({ rule, limitSeconds }: Described): string => words[rule].title(inWords(limitSeconds));

/** A sentence with the value, the limit and the paragraph. */
export const messageOf = ({ rule, paragraph, date, limitSeconds, valueSeconds }: Described): string =>
  `${words[rule].message(inWords(valueSeconds), inWords(limitSeconds), date)}${paragraph === null ? '' : ` (${paragraph})`}`;

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
