import { addDays, isInRange, type DateRange, type LocalDate } from '../../days/calendar/dates.ts';
import { dayViolations } from './day_rules.ts';
import { overlapLimit, runningLimit, type Rule } from './rules.ts';
import { violation, type JudgedUser, type Violation } from './violation.ts';
import { averageViolations, weekViolations } from './week_rules.ts';
import { withWorkingDays, workingDays, type WorkOnDay, type RecordedWork } from './working_days.ts';

/** The dates that are judged. Their working days are known as a whole, and the end of the work before them. */
export interface Judgement {
  readonly dates: DateRange;
  /** The Mondays of the weeks whose average is judged. The work of all weeks of the average is known. */
  readonly averageOf: readonly LocalDate[];
  /** When running time trackings are taken to end, in seconds since 1970. */
  readonly now: number;
}

/** Whether a judgement decides about a rule on a date. */
export const isJudged = (rule: Rule, date: LocalDate, { dates, averageOf }: Judgement): boolean => {
  if (rule === 'long_average') return averageOf.includes(date);
  return dates.from <= date && (rule === 'long_week' ? addDays(date, 6) : date) <= dates.to;
};

/** The violations in the work of a user, in order of date and rule, of the rules that warn in their workspaces. */
export function judge(trackings: readonly RecordedWork[], user: JudgedUser, judgement: Judgement): Violation[] {
  const { dates, averageOf, now } = judgement;
  const dated = withWorkingDays(trackings, user.zone);
  const days = workingDays(dated);
  let previousEnd: number | null = null;
  const ofDays = days.flatMap((day) => {
    const found = isInRange(day.date, dates) ? dayViolations(day, user, previousEnd) : [];
    previousEnd = Math.max(previousEnd ?? day.to, day.to);
    return found;
  });
  return [
    ...ofDays,
    ...overlaps(dated, now),
    ...longRuns(dated, now),
    ...weekViolations(days, user),
    ...averageViolations(days, user, averageOf),
  ].filter(
    ({ rule, date, workspaceId }) =>
      isJudged(rule, date, judgement) && user.settingsOf(workspaceId).working_time_rules.includes(rule),
  );
}

/** One for each working day. The time tracking that begins later completes it. */
function overlaps(dated: readonly WorkOnDay[], now: number): Violation[] {
  const found = new Map<LocalDate, Violation>();
  let covered = -Infinity;
  for (const { work, date } of dated) {
    const to = endOf(work, now);
    const value = Math.min(to, covered) - work.from;
    const before = found.get(date);
    if (value > 0)
      found.set(
        date,
        before
          ? { ...before, valueSeconds: before.valueSeconds + value }
          : violation('overlap', date, overlapLimit, { by: work, value }),
      );
    covered = Math.max(covered, to);
  }
  return [...found.values()];
}

/** One for each working day: about the time tracking that has been running for longest. */
function longRuns(dated: readonly WorkOnDay[], now: number): Violation[] {
  const found = new Map<LocalDate, Violation>();
  for (const { work, date } of dated)
    if (work.to === null && now - work.from > runningLimit.seconds && !found.has(date))
      found.set(date, violation('long_running', date, runningLimit, { by: work, value: now - work.from }));
  return [...found.values()];
}

const endOf = ({ from, to }: RecordedWork, now: number): number => to ?? Math.max(from, now);
