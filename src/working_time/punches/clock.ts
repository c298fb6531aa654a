import type { Problem } from '../../platform/core/errors.ts';
import { maxAheadMs, wholeSeconds } from '../../platform/core/time.ts';
import type { Span } from '../../days/calendar/worked_time.ts';

/*
 * The clock as a state machine. Its states: nothing runs, a time tracking runs, or a time tracking runs with an open break. A
 * punch moves it to the next state, or does not fit and is refused with what is running since when.
 */

export type ActionType = 'start' | 'end' | 'start-break' | 'end-break';

/** The state that the next punch depends on. */
export interface RunningClock {
  readonly starts_at: Date;
  readonly breaks: readonly Span[];
  /** The last punch of this time tracking; null if it was created by hand. */
  readonly lastPunch: { readonly action_type: string; readonly action_time: Date } | null;
}

export interface Punch {
  readonly type: ActionType;
  /** The time in the request, in whole seconds; null means now. */
  readonly givenTime: Date | null;
}

export interface CheckedPunch {
  readonly problems: readonly Problem[];
  /** When it was punched. */
  readonly time: Date;
  /**
   * The start or end that it records. Times are whole seconds and nothing lasts shorter, so an end punched in the same second
   * as the start is recorded one second later.
   */
  readonly effectiveTime: Date;
}

const second = 1000;

/** How much later than given a punch may take effect: enough for several in one second, too little to hide a mistake. */
const maxDelayMs = 5 * second;

const later = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds);
const latest = (...times: Date[]): Date => new Date(Math.max(...times.map((time) => time.getTime())));

/** Whether a punch fits, and when it takes effect. */
export function checkPunch(
  { type, givenTime }: Punch,
  running: RunningClock | null,
  now: Date,
  show: (time: Date) => string,
): CheckedPunch {
  const current = wholeSeconds(now);
  // Without a time the punch means "now", even if the device of the last punch was ahead of us.
  const time = givenTime ?? (running?.lastPunch ? latest(current, running.lastPunch.action_time) : current);
  const mismatch = mismatchOf(type, running, show);
  const problems =
    time > later(now, maxAheadMs) ? [problemWith('must be at most 5 minutes in the future', time, show)] : [];
  if (mismatch !== null)
    return {
      problems: [{ code: 'wrong_state', pointer: 'action_type', title: mismatch }, ...problems],
      time,
      effectiveTime: time,
    };
  if (running === null) return { problems, time, effectiveTime: time };
  const effectiveTime = latest(time, earliestFor(type, running));
  return {
    problems: [...problems, ...timeProblems({ time, effectiveTime, isGiven: givenTime !== null }, running, show)],
    time,
    effectiveTime,
  };
}

const openBreakOf = (running: RunningClock): Span | undefined => running.breaks.find(({ ends_at }) => ends_at === null);

function mismatchOf(type: ActionType, running: RunningClock | null, show: (time: Date) => string): string | null {
  if (running === null)
    return type === 'start' ? null : `${type} does not fit: no time tracking is running. Punch start first.`;
  const since = `a time tracking is running since ${show(running.starts_at)}`;
  const open = openBreakOf(running);
  switch (type) {
    case 'start':
      return `start does not fit: ${since}${open ? `, with a break since ${show(open.starts_at)}` : ''}. Punch end first.`;
    case 'start-break':
      return open
        ? `start-break does not fit: ${since}, with a break since ${show(open.starts_at)}. Punch end-break first.`
        : null;
    case 'end-break':
      return open ? null : `end-break does not fit: ${since}, without a break now. Punch start-break first.`;
    case 'end':
      return null;
  }
}

/** The earliest time that leaves everything at least a second long and no break outside the time tracking or inside another break. */
function earliestFor(type: ActionType, { starts_at, breaks }: RunningClock): Date {
  const begun = type === 'end' ? later(starts_at, second) : starts_at;
  return latest(begun, ...breaks.map((pause) => pause.ends_at ?? later(pause.starts_at, second)));
}

function timeProblems(
  { time, effectiveTime, isGiven }: { time: Date; effectiveTime: Date; isGiven: boolean },
  running: RunningClock,
  show: (time: Date) => string,
): Problem[] {
  const { lastPunch } = running;
  if (lastPunch && time < lastPunch.action_time) {
    const last = `the ${lastPunch.action_type} at ${show(lastPunch.action_time)}`;
    return [problemWith(`must not be before the last punch of the running time tracking, ${last}`, time, show)];
  }
  if (effectiveTime.getTime() - time.getTime() > (isGiven ? maxDelayMs : maxAheadMs)) {
    return [
      problemWith(
        `must not be before ${show(effectiveTime)}, up to which the running time tracking is recorded already`,
        time,
        show,
      ),
    ];
  }
  return [];
}

const problemWith = (title: string, time: Date, show: (time: Date) => string): Problem => ({
  code: 'out_of_range',
  pointer: 'action_time',
  title: `action_time ${title}, but was ${show(time)}.`,
});
