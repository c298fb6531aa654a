import { weekdayOf } from '../../days/calendar/dates.ts';
import { isWhole } from '../../days/calendar/holidays.ts';
import { localPieces } from '../../days/calendar/local_pieces.ts';
import { dateOfSeconds, overlapOf, sumOfLengths, type Period } from './periods.ts';
import { absenceLimit, limitsOn, restLimitOn, stretchLimit, sundayLimit } from './rules.ts';
import { completing, violation, type JudgedUser, type Violation } from './violation.ts';
import type { Part, WorkingDay } from './working_days.ts';

/* The rules about one working day and the rest before it. */

/** The violations of a working day. `previousEnd` is the end of the last work before it. */
export const dayViolations = (day: WorkingDay, user: JudgedUser, previousEnd: number | null): Violation[] => [
  ...longWork(day, user),
  ...shortBreaks(day, user),
  ...longStretch(day),
  ...shortRest(day, user, previousEnd),
  ...sundayWork(day, user),
  ...absenceWork(day, user),
];

function longWork({ date, net, parts }: WorkingDay, { birthday }: JudgedUser): Violation[] {
  const limit = limitsOn(date, birthday).work;
  if (net <= limit.seconds) return [];
  return [violation('long_work', date, limit, { by: completing(parts, limit.seconds), value: net, parts })];
}

function shortBreaks({ date, net, breaks, parts }: WorkingDay, { birthday }: JudgedUser): Violation[] {
  const limit = limitsOn(date, birthday).breaks.find(
    ({ workSeconds, seconds }) => net > workSeconds && breaks < seconds,
  );
  if (!limit) return [];
  return [violation('short_breaks', date, limit, { by: completing(parts, limit.workSeconds), value: breaks, parts })];
}

function longStretch({ date, stretches, parts }: WorkingDay): Violation[] {
  const first = stretches.find((stretch) => sumOfLengths(stretch) > stretchLimit.seconds);
  if (!first) return [];
  const by = completing(
    parts.map((part) => withinStretch(part, first)),
    stretchLimit.seconds,
  );
  const value = Math.max(...stretches.map(sumOfLengths));
  return [violation('long_stretch', date, stretchLimit, { by, value, parts })];
}

function withinStretch(part: Part, stretch: readonly Period[]): Part {
  const whole = { from: stretch[0]!.from, to: stretch.at(-1)!.to };
  const periods = part.periods.map((period) => overlapOf(period, whole));
  return { ...part, periods, seconds: sumOfLengths(periods) };
}

function shortRest({ date, from, parts }: WorkingDay, user: JudgedUser, previousEnd: number | null): Violation[] {
  const by = parts[0]!.work;
  const limit = restLimitOn(date, user.birthday, user.settingsOf(by.workspaceId).minimum_rest_hours);
  if (previousEnd === null || from - previousEnd >= limit.seconds) return [];
  return [violation('short_rest', date, limit, { by, value: from - previousEnd })];
}

/** Half a holiday is no day of rest. */
function sundayWork({ date, parts }: WorkingDay, { zone, holidays, settingsOf }: JudgedUser): Violation[] {
  // To look at every date takes long, and few workspaces want it.
  if (!parts.some(({ work }) => settingsOf(work.workspaceId).working_time_rules.includes('sunday_work'))) return [];
  const secondsOn = (period: Period): number =>
    sumOfLengths(
      localPieces({ starts_at: dateOfSeconds(period.from), ends_at: dateOfSeconds(period.to) }, zone)
        .filter((piece) => weekdayOf(piece.date) === 6 || isWhole(holidays.get(piece.date)))
        .map(({ starts_at, ends_at }) => ({ from: starts_at.getTime() / 1000, to: ends_at.getTime() / 1000 })),
    );
  const onSunday = parts.map((part) => ({
    ...part,
    seconds: part.periods.reduce((sum, period) => sum + secondsOn(period), 0),
  }));
  const value = onSunday.reduce((sum, { seconds }) => sum + seconds, 0);
  if (value === 0) return [];
  return [violation('sunday_work', date, sundayLimit, { by: completing(onSunday, 0), value, parts: onSunday })];
}

function absenceWork({ date, net, parts }: WorkingDay, { absentOn }: JudgedUser): Violation[] {
  if (net === 0 || !absentOn.has(date)) return [];
  return [violation('absence_work', date, absenceLimit, { by: completing(parts, 0), value: net, parts })];
}
