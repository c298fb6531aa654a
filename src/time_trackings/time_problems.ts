import type { Span } from '../calendar/worked_time.ts';
import type { Problem } from '../core/errors.ts';
import type { Id } from '../core/ids.ts';
import type { WorkspaceActor } from '../core/permissions.ts';

/** A break that a time tracking is to have. */
export interface PlannedBreak extends Span {
  /** Leads to the break in the request. Absent for a stored break that does not change. */
  readonly pointerPrefix?: string;
}

const hourMs = 3_600_000;

/** How long a time tracking may last that is recorded by hand. */
const maxLengths = {
  employee: { milliseconds: 24 * hourMs, inWords: '24 hours' },
  admin: { milliseconds: 366 * 24 * hourMs, inWords: '366 days' },
};

/** A time tracking ends after it starts: at most 24 hours later if an employee records it, and 366 days if an admin does. */
export function spanProblems(
  { starts_at, ends_at }: Span,
  recordedBy: keyof typeof maxLengths,
  show: (time: Date) => string,
): Problem[] {
  if (ends_at === null) return [];
  const problem = (title: string): Problem[] => [
    { pointer: 'ends_at', title: `ends_at must be ${title}, but was ${show(ends_at)}.` },
  ];
  if (ends_at <= starts_at) return problem(`after starts_at, ${show(starts_at)}`);
  const { milliseconds, inWords } = maxLengths[recordedBy];
  const isTooLong = ends_at.getTime() - starts_at.getTime() > milliseconds;
  return isTooLong ? problem(`at most ${inWords} after starts_at, ${show(starts_at)}`) : [];
}

/** A forced break duration is at most as long as the finished time tracking. */
export function customBreakProblems(
  { starts_at, ends_at }: Span,
  { seconds, isForced, pointer }: { seconds: number | null; isForced: boolean; pointer: string },
): Problem[] {
  const length = ends_at === null ? Infinity : (ends_at.getTime() - starts_at.getTime()) / 1000;
  if (!isForced || seconds === null || length <= 0 || seconds <= length) return [];
  return [
    {
      pointer,
      title: `The forced break_duration of ${seconds} seconds must not be longer than the time tracking, which has ${length} seconds.`,
    },
  ];
}

/** Each break ends after it starts, is inside the time tracking and overlaps no other. A running time tracking lasts until now. */
export function breakProblems(
  tracking: Span,
  breaks: readonly PlannedBreak[],
  now: Date,
  show: (time: Date) => string,
): Problem[] {
  return [...breaks.flatMap((pause) => problemsOfOne(tracking, pause, now, show)), ...overlapProblems(breaks, show)];
}

function problemsOfOne(
  tracking: Span,
  { starts_at, ends_at, pointerPrefix }: PlannedBreak,
  now: Date,
  show: (time: Date) => string,
): Problem[] {
  const isTooEarly = starts_at < tracking.starts_at;
  const isStartTooLate = tracking.ends_at !== null && starts_at >= tracking.ends_at;
  const isEndTooLate = ends_at !== null && ends_at > (tracking.ends_at ?? now);
  if (pointerPrefix === undefined) {
    const inWords = `the break ${ends_at === null ? `since ${show(starts_at)}` : `from ${show(starts_at)} to ${show(ends_at)}`}`;
    const outside = (pointer: string) => ({
      pointer,
      title: `${pointer} would leave ${inWords} outside the time tracking. Change or remove that break too.`,
    });
    if (isTooEarly) return [outside('starts_at')];
    return tracking.ends_at !== null && (isStartTooLate || isEndTooLate) ? [outside('ends_at')] : [];
  }
  const range =
    tracking.ends_at === null
      ? `from ${show(tracking.starts_at)} until now`
      : `from ${show(tracking.starts_at)} to ${show(tracking.ends_at)}`;
  const problem = (name: string, title: string, time: Date): Problem => ({
    pointer: `${pointerPrefix}${name}`,
    title: `${name} ${title}, but was ${show(time)}.`,
  });
  if (ends_at !== null && ends_at <= starts_at)
    return [problem('ends_at', `must be after starts_at of the break, ${show(starts_at)}`, ends_at)];
  return [
    ...(isTooEarly || isStartTooLate
      ? [problem('starts_at', `must lie inside the time tracking, which is ${range}`, starts_at)]
      : []),
    ...(isEndTooLate ? [problem('ends_at', `must lie inside the time tracking, which is ${range}`, ends_at)] : []),
  ];
}

function overlapProblems(breaks: readonly PlannedBreak[], show: (time: Date) => string): Problem[] {
  const ordered = breaks
    .filter(({ starts_at, ends_at }) => ends_at === null || ends_at > starts_at)
    .sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime());
  const endOf = ({ ends_at }: Span): number => ends_at?.getTime() ?? Infinity;
  const problems: Problem[] = [];
  let longest: PlannedBreak | undefined;
  for (const pause of ordered) {
    if (longest && pause.starts_at.getTime() < endOf(longest)) {
      const [given, other] = pause.pointerPrefix === undefined ? [longest, pause] : [pause, longest];
      const inWords =
        other.ends_at === null
          ? `open since ${show(other.starts_at)}`
          : `from ${show(other.starts_at)} to ${show(other.ends_at)}`;
      const title = `starts_at ${show(given.starts_at)} begins a break that overlaps the one ${inWords}. Breaks must not overlap.`;
      problems.push({ pointer: `${given.pointerPrefix ?? ''}starts_at`, title });
    }
    if (!longest || endOf(pause) > endOf(longest)) longest = pause;
  }
  return problems;
}

/** Only a finished time tracking is confirmed. */
export const unfinishedProblems = ({ ends_at }: Span, isConfirmed: boolean): Problem[] =>
  isConfirmed && ends_at === null
    ? [
        {
          pointer: 'confirmed',
          title: 'confirmed must not be true without ends_at: only a finished time tracking can be confirmed.',
        },
      ]
    : [];

/** Input that contradicts the rest of the request or its address. */
export function contradictionProblems(
  { workspace }: WorkspaceActor,
  { company_id, user_id, related_user_id }: { company_id?: Id; user_id?: Id; related_user_id?: Id },
): Problem[] {
  const problems: Problem[] = [];
  if (company_id !== undefined && String(company_id) !== String(workspace.id)) {
    const title = `company_id must be ${workspace.id}, the workspace in the address, but was ${JSON.stringify(company_id)}.`;
    problems.push({ pointer: 'company_id', title });
  }
  if (user_id !== undefined && related_user_id !== undefined && String(user_id) !== String(related_user_id)) {
    const title = `user_id must be ${related_user_id}, the user in the relationships, but was ${JSON.stringify(user_id)}.`;
    problems.push({ pointer: 'user_id', title });
  }
  return problems;
}
