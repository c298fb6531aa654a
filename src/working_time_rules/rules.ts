import { localForm } from '../core/time.ts';
import { hoursOf, secondsOf, type Span } from '../calendar/worked_time.ts';

/*
 * The working-time rules that admins are warned about, after the German Working Hours Act: breaks are not working time. A
 * running time tracking is checked only for how long it runs; the other rules apply once it has ended.
 */

/** What the rules need to know about a time tracking. */
export interface CheckedTracking extends Span {
  readonly id: number;
  /** Seconds of the breaks that count. */
  readonly break_s: number;
}

export interface Warning {
  readonly rule: 'long_work' | 'short_breaks' | 'short_rest' | 'overlap' | 'long_running';
  readonly title: string;
  readonly message: string;
}

const minute = 60;
const hour = 60 * minute;

const maxWorkSeconds = 10 * hour;
export const minRestSeconds = 11 * hour;
export const maxRunningSeconds = 16 * hour;

/** The least break for more than this much work, longest work first. */
const breakRules = [
  { workSeconds: 9 * hour, minBreakSeconds: 45 * minute },
  { workSeconds: 6 * hour, minBreakSeconds: 30 * minute },
];

/** The warnings about one time tracking among those of its user: at most one per rule. */
export function warningsFor(
  tracking: CheckedTracking,
  all: readonly CheckedTracking[],
  zone: string,
  now: Date,
): Warning[] {
  const show: ShowTime = (time) => localForm(time, zone).slice(0, 16).replace('T', ' ');
  const { ends_at } = tracking;
  if (ends_at === null) return longRun(tracking, show, now);
  const finished = { ...tracking, ends_at };
  const others = all.filter((other) => other.id !== tracking.id);
  return [
    ...longWork(finished),
    ...shortBreaks(finished),
    ...shortRest(finished, others, show),
    ...overlap(finished, others, show, now),
  ];
}

type ShowTime = (time: Date) => string;
type Finished = CheckedTracking & { readonly ends_at: Date };

const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;

const netSeconds = (tracking: Finished): number => secondsOf(tracking, tracking.ends_at) - tracking.break_s;

function longWork(tracking: Finished): Warning[] {
  const net = netSeconds(tracking);
  if (net <= maxWorkSeconds) return [];
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
  const broken = breakRules.find(
    ({ workSeconds, minBreakSeconds }) => net > workSeconds && tracking.break_s < minBreakSeconds,
  );
  if (!broken) return [];
  const taken = Math.floor(tracking.break_s / minute);
  return [
    {
      rule: 'short_breaks',
      title: 'Too little break',
      message: `More than ${broken.workSeconds / hour} hours of work need ${broken.minBreakSeconds / minute} minutes of breaks, and ${taken} were taken in ${hoursOf(net)} hours.`,
    },
  ];
}

function shortRest({ starts_at }: Finished, others: readonly CheckedTracking[], show: ShowTime): Warning[] {
  const ends = others.flatMap((other) =>
    other.ends_at !== null && other.ends_at <= starts_at ? [other.ends_at.getTime()] : [],
  );
  if (ends.length === 0) return [];
  const previous = new Date(Math.max(...ends));
  const rest = secondsBetween(previous, starts_at);
  if (rest >= minRestSeconds) return [];
  return [
    {
      rule: 'short_rest',
      title: 'Less than 11 hours of rest',
      message: `The previous time tracking ended ${show(previous)} and this one began ${show(starts_at)}: ${hoursOf(rest)} hours of rest, where 11 are needed.`,
    },
  ];
}

function overlap(
  { starts_at, ends_at }: Finished,
  others: readonly CheckedTracking[],
  show: ShowTime,
  now: Date,
): Warning[] {
  const other = others.find((candidate) => candidate.starts_at < ends_at && (candidate.ends_at ?? now) > starts_at);
  if (!other) return [];
  const until = other.ends_at === null ? 'is still running' : `lasted until ${show(other.ends_at)}`;
  return [
    {
      rule: 'overlap',
      title: 'Overlapping time trackings',
      message: `The time tracking from ${show(starts_at)} to ${show(ends_at)} overlaps another one of the same user, which began ${show(other.starts_at)} and ${until}.`,
    },
  ];
}

function longRun(tracking: CheckedTracking, show: ShowTime, now: Date): Warning[] {
  if (secondsBetween(tracking.starts_at, now) <= maxRunningSeconds) return [];
  return [
    {
      rule: 'long_running',
      title: 'Running for more than 16 hours',
      message: `The time tracking has been running since ${show(tracking.starts_at)}. Perhaps its end was forgotten.`,
    },
  ];
}
