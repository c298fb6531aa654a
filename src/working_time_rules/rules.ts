import { localForm } from '../core/time.ts';
import { hoursOf, secondsOf, type Span } from '../calendar/worked_time.ts';

/*
 * The working-time rules that admins are warned about, after the German working-time act: breaks are no working time. A
 * tracking is judged by what it became once it has ended; while it runs, only by how long it does.
 */

/** What the rules look at. */
export interface Judged extends Span {
  readonly id: number;
  /** The breaks that count, in seconds. */
  readonly break_s: number;
}

export interface Warning {
  readonly rule: 'long_work' | 'short_breaks' | 'short_rest' | 'overlap' | 'long_running';
  readonly title: string;
  readonly message: string;
}

const minute = 60;
const hour = 60 * minute;

const mostWork = 10 * hour;
export const leastRest = 11 * hour;
export const longestRun = 16 * hour;

/** More than so much work asks for so much break; the longest work first. */
const breakRules = [
  { work: 9 * hour, least: 45 * minute },
  { work: 6 * hour, least: 30 * minute },
];

/** All that is wrong with one tracking, seen among the trackings of its user. At most one warning per rule. */
export function warningsFor(tracking: Judged, all: readonly Judged[], zone: string, now: Date): Warning[] {
  const at: Clock = (time) => localForm(time, zone).slice(0, 16).replace('T', ' ');
  const { ends_at } = tracking;
  if (ends_at === null) return longRun(tracking, at, now);
  const finished = { ...tracking, ends_at };
  const others = all.filter((other) => other.id !== tracking.id);
  return [
    ...longWork(finished),
    ...shortBreaks(finished),
    ...shortRest(finished, others, at),
    ...overlap(finished, others, at, now),
  ];
}

type Clock = (time: Date) => string;
type Finished = Judged & { readonly ends_at: Date };

const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;

const netSeconds = (tracking: Finished): number => secondsOf(tracking, tracking.ends_at) - tracking.break_s;

function longWork(tracking: Finished): Warning[] {
  const net = netSeconds(tracking);
  if (net <= mostWork) return [];
  return [
    {
      rule: 'long_work',
      title: 'More than 10 hours of work',
      message: `The working time is ${hoursOf(net)} hours. More than 10 are not allowed.`,
    },
  ];
}

function shortBreaks(tracking: Finished): Warning[] {
  const net = netSeconds(tracking);
  const broken = breakRules.find(({ work, least }) => net > work && tracking.break_s < least);
  if (!broken) return [];
  const taken = Math.floor(tracking.break_s / minute);
  return [
    {
      rule: 'short_breaks',
      title: 'Too little break',
      message: `More than ${broken.work / hour} hours of work need ${broken.least / minute} minutes of breaks, and ${taken} were taken in ${hoursOf(net)} hours.`,
    },
  ];
}

function shortRest({ starts_at }: Finished, others: readonly Judged[], at: Clock): Warning[] {
  const ends = others.flatMap((other) =>
    other.ends_at !== null && other.ends_at <= starts_at ? [other.ends_at.getTime()] : [],
  );
  if (ends.length === 0) return [];
  const previous = new Date(Math.max(...ends));
  const rest = secondsBetween(previous, starts_at);
  if (rest >= leastRest) return [];
  return [
    {
      rule: 'short_rest',
      title: 'Less than 11 hours of rest',
      message: `The previous time tracking ended ${at(previous)} and this one began ${at(starts_at)}: ${hoursOf(rest)} hours of rest, where 11 are needed.`,
    },
  ];
}

function overlap({ starts_at, ends_at }: Finished, others: readonly Judged[], at: Clock, now: Date): Warning[] {
  const other = others.find((candidate) => candidate.starts_at < ends_at && (candidate.ends_at ?? now) > starts_at);
  if (!other) return [];
  const until = other.ends_at === null ? 'is still running' : `lasted until ${at(other.ends_at)}`;
  return [
    {
      rule: 'overlap',
      title: 'Overlapping time trackings',
      message: `The time tracking from ${at(starts_at)} to ${at(ends_at)} overlaps another one of the same user, which began ${at(other.starts_at)} and ${until}.`,
    },
  ];
}

function longRun(tracking: Judged, at: Clock, now: Date): Warning[] {
  if (secondsBetween(tracking.starts_at, now) <= longestRun) return [];
  return [
    {
      rule: 'long_running',
      title: 'Running for more than 16 hours',
      message: `The time tracking has been running since ${at(tracking.starts_at)}. Perhaps its end was forgotten.`,
    },
  ];
}
