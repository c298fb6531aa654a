import type { Problem } from '../core/errors.ts';
import { wholeSeconds } from '../core/time.ts';
import type { Span } from '../calendar/worked_time.ts';

/*
 * The clock as a state machine: nothing runs, a tracking runs, or a tracking runs with a break open. A punch moves it from one
 * state to the next or does not fit, and then says what is running since when.
 */

export type ActionType = 'start' | 'end' | 'start-break' | 'end-break';

/** The running tracking, as far as it bears on the next punch. */
export interface Running {
  readonly starts_at: Date;
  readonly breaks: readonly Span[];
  /** The last punch of this tracking; none where it was begun by hand. */
  readonly lastPunch: { readonly action_type: string; readonly action_time: Date } | null;
}

export interface Punch {
  readonly type: ActionType;
  /** The moment that was given, in whole seconds; without one it is now. */
  readonly given: Date | null;
}

export interface Judgement {
  readonly problems: readonly Problem[];
  /** The moment of the punch. */
  readonly time: Date;
  /**
   * When what it begins begins and what it ends ends. Times are whole seconds and nothing lasts shorter, so what is ended in
   * the second in which it began ends a second later than it was punched.
   */
  readonly effective: Date;
}

const second = 1000;
const minute = 60 * second;

/** How far clocks may be ahead of ours. */
export const mostAhead = 5 * minute;

/** How much later than given a punch may take effect: enough for several in one second, too little to hide a mistake. */
const mostDelay = 5 * second;

const later = (time: Date, milliseconds: number): Date => new Date(time.getTime() + milliseconds);
const latest = (...times: Date[]): Date => new Date(Math.max(...times.map((time) => time.getTime())));

/** Whether a punch fits, and when it takes effect. */
export function judge(
  { type, given }: Punch,
  running: Running | null,
  now: Date,
  show: (time: Date) => string,
): Judgement {
  const current = wholeSeconds(now);
  // Without a time the punch means "now", also where the device of the last punch was ahead of us.
  const time = given ?? (running?.lastPunch ? latest(current, running.lastPunch.action_time) : current);
  const misfit = misfitOf(type, running, show);
  const problems =
    time > later(now, mostAhead) ? [problemWith('must be at most 5 minutes in the future', time, show)] : [];
  if (misfit !== null)
    return { problems: [{ pointer: 'action_type', title: misfit }, ...problems], time, effective: time };
  if (running === null) return { problems, time, effective: time };
  const effective = latest(time, earliestFor(type, running));
  return {
    problems: [...problems, ...timeProblems(type, time, effective, given !== null, running, show)],
    time,
    effective,
  };
}

const openBreakOf = (running: Running): Span | undefined => running.breaks.find(({ ends_at }) => ends_at === null);

function misfitOf(type: ActionType, running: Running | null, show: (time: Date) => string): string | null {
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

/** The first moment at which a punch leaves everything at least a second long, and no break outside or inside another. */
function earliestFor(type: ActionType, { starts_at, breaks }: Running): Date {
  const begun = type === 'end' ? later(starts_at, second) : starts_at;
  return latest(begun, ...breaks.map((pause) => pause.ends_at ?? later(pause.starts_at, second)));
}

function timeProblems(
  type: ActionType,
  time: Date,
  effective: Date,
  isGiven: boolean,
  running: Running,
  show: (time: Date) => string,
): Problem[] {
  const { lastPunch, starts_at } = running;
  if (lastPunch && time < lastPunch.action_time) {
    const last = `the ${lastPunch.action_type} at ${show(lastPunch.action_time)}`;
    return [problemWith(`must not be before the last punch of the running time tracking, ${last}`, time, show)];
  }
  if (effective.getTime() - time.getTime() > (isGiven ? mostDelay : mostAhead)) {
    return [
      problemWith(
        `must not be before ${show(effective)}, up to which the running time tracking is recorded already`,
        time,
        show,
      ),
    ];
  }
  const yearLater = new Date(starts_at);
  yearLater.setUTCFullYear(yearLater.getUTCFullYear() + 1);
  if (type !== 'end' || effective <= yearLater) return [];
  return [
    problemWith(`of an end must be at most one year after the time tracking began, ${show(starts_at)}`, time, show),
  ];
}

const problemWith = (title: string, time: Date, show: (time: Date) => string): Problem => ({
  pointer: 'action_time',
  title: `action_time ${title}, but was ${show(time)}.`,
});
