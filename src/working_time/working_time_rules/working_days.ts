import type { LocalDate } from '../../days/calendar/dates.ts';
import { localDateOf } from '../../days/calendar/local_pieces.ts';
import { dateOfSeconds, lengthOf, overlapOf, sumOfLengths, unionOf, without, type Period } from './periods.ts';
import { leastBreakSeconds, sameDayGapSeconds } from './rules.ts';

/*
 * The work of each working day. Work belongs to the local day on which it begins, and to the working day of earlier work
 * if it begins less than two hours after its end, also past midnight. Overlapping work counts once.
 */

/** A time tracking as the rules see it. */
export interface RecordedWork {
  readonly id: number;
  readonly workspaceId: number;
  readonly from: number;
  /** Null while it is running. */
  readonly to: number | null;
  /** The breaks that have ended. */
  readonly breaks: readonly Period[];
  /** The seconds of a break without times: forced, or with a manual pause. It takes the place of those with times. */
  readonly forcedBreak: number | null;
}

export type EndedWork = RecordedWork & Period;

/** A time tracking with its working day. */
export interface WorkOnDay {
  readonly work: RecordedWork;
  readonly date: LocalDate;
}

/** The share of one time tracking in the work of a working day. */
export interface Part {
  readonly work: EndedWork;
  readonly seconds: number;
  /** The periods that it adds to those of earlier time trackings. */
  readonly periods: readonly Period[];
}

/** All finished work of one working day. */
export interface WorkingDay extends Period {
  readonly date: LocalDate;
  /** By start. */
  readonly parts: readonly Part[];
  readonly net: number;
  /** The seconds of all breaks. */
  readonly breaks: number;
  /** The work between two breaks. */
  readonly stretches: readonly (readonly Period[])[];
}

const isFinished = (work: RecordedWork): work is EndedWork => work.to !== null;

/** Time trackings by their start. */
const byStart = <Work extends RecordedWork>(trackings: readonly Work[]): Work[] =>
  trackings.toSorted((one, other) => one.from - other.from || one.id - other.id);

/** The working day of each time tracking, by start. A running one leads no other to its working day. */
export function withWorkingDays(trackings: readonly RecordedWork[], zone: string): WorkOnDay[] {
  let last: { date: LocalDate; end: number } | undefined;
  return byStart(trackings).map((work) => {
    const isContinued = last !== undefined && work.from < last.end + sameDayGapSeconds;
    const date = isContinued ? last!.date : localDateOf(dateOfSeconds(work.from), zone);
    if (work.to !== null) last = { date, end: Math.max(last?.end ?? 0, work.to) };
    return { work, date };
  });
}

/** The working days of finished work, in order. */
export function workingDays(dated: readonly WorkOnDay[]): WorkingDay[] {
  const byDate = new Map<LocalDate, EndedWork[]>();
  for (const { work, date } of dated)
    if (isFinished(work)) {
      const others = byDate.get(date);
      if (others) others.push(work);
      else byDate.set(date, [work]);
    }
  return [...byDate].map(([date, trackings]) => workingDay(date, trackings));
}

function workingDay(date: LocalDate, trackings: readonly EndedWork[]): WorkingDay {
  const whole = { from: trackings[0]!.from, to: Math.max(...trackings.map(({ to }) => to)) };
  const pauses = without(whole, unionOf(trackings.flatMap(workedPeriods))).filter(
    (pause) => lengthOf(pause) >= leastBreakSeconds,
  );
  const recorded = unionOf(trackings);
  const stretches = without(whole, pauses)
    .map((stretch) => recorded.map((period) => overlapOf(period, stretch)).filter((piece) => lengthOf(piece) > 0))
    .filter((pieces) => pieces.length > 0);
  const parts = partsOf(trackings, stretches.flat());
  return {
    ...whole,
    date,
    parts,
    net: sumOfSeconds(parts),
    breaks: sumOfLengths(pauses),
    stretches,
  };
}

/** The periods of a time tracking outside its breaks. A break without times divides it in the middle. */
function workedPeriods({ from, to, breaks, forcedBreak }: EndedWork): Period[] {
  if (forcedBreak === null) return without({ from, to }, unionOf(breaks));
  const pause = Math.min(forcedBreak, to - from);
  const start = from + Math.floor((to - from - pause) / 2);
  return without({ from, to }, [{ from: start, to: start + pause }]);
}

/** The share that each time tracking adds to the work of those before it. */
function partsOf(trackings: readonly EndedWork[], work: readonly Period[]): Part[] {
  let covered = -Infinity;
  return trackings.map((tracking) => {
    const added = { from: Math.max(tracking.from, covered), to: tracking.to };
    covered = Math.max(covered, tracking.to);
    const periods = work.map((period) => overlapOf(period, added)).filter((piece) => lengthOf(piece) > 0);
    return { work: tracking, periods, seconds: sumOfLengths(periods) };
  });
}

export const sumOfSeconds = (parts: readonly { readonly seconds: number }[]): number =>
  parts.reduce((sum, { seconds }) => sum + seconds, 0);
