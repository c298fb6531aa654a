import { isWorkspaceAdmin } from '../../core/permissions.ts';
import { isDay, isRequestTime, momentOf } from '../../core/time.ts';
import { idsIn } from '../../db/filters.ts';
import type { Selection } from '../../db/list.ts';
import { dayRangeIn, earliestShort } from './day_ranges.ts';
import type { Shape } from './shape.ts';

/** Which rows a list is about, where it is one of the choices that kept totals can tell of. */
export interface Choice {
  readonly userIds?: readonly number[];
  readonly confirmed?: boolean;
  readonly time?: TimeChoice;
}

/** What has ended and began in a range of time, open at either end. */
export interface TimeChoice {
  readonly from?: Date;
  readonly until?: Date;
  /** Where rows that began before `from` may be among them: when those begin at the earliest that are no longer than a day. */
  readonly earliest?: Date;
}

/**
 * The choice that a selection makes; undefined where kept totals cannot tell, or where it takes a second look to see whether
 * they can.
 */
export function choiceIn(
  shape: Pick<Shape, 'rank' | 'timeZone'>,
  { filter }: Pick<Selection, 'filter'>,
): Choice | undefined {
  // Others see a part of the workspace, of which nothing is kept.
  if (!isWorkspaceAdmin(shape)) return undefined;
  const { user_id, confirmed, starts_at, overlapping_with_range, ...others } = filter;
  const choices = [
    Object.keys(others).length === 0 ? {} : undefined,
    user_id === undefined ? {} : usersIn(user_id),
    confirmed === undefined ? {} : confirmationIn(confirmed),
    starts_at === undefined && overlapping_with_range === undefined
      ? {}
      : timeIn(starts_at, overlapping_with_range, shape.timeZone),
  ];
  if (choices.includes(undefined)) return undefined;
  const choice: Choice = Object.assign({}, ...choices);
  // Days are kept of everybody together; those of one user are few enough to be counted.
  return choice.userIds && choice.time ? undefined : choice;
}

function usersIn(value: unknown): Choice | undefined {
  if (typeof value !== 'string') return undefined;
  const bare = value.replace(/^(eq|in):/, '');
  // 0 is nobody's id, and stands for everybody in what is kept.
  return bare.includes(':') || bare.includes('\0') ? undefined : { userIds: idsIn(bare).filter((id) => id > 0) };
}

function confirmationIn(value: unknown): Choice | undefined {
  if (value === 'eq:true' || value === 'eq:1') return { confirmed: true };
  return value === 'eq:false' || value === 'eq:0' ? { confirmed: false } : undefined;
}

/** A time filter, a range of days, or the one who wants both is counted. */
function timeIn(startsAt: unknown, days: unknown, zone: string): Choice | undefined {
  if (days === undefined) return boundsIn(startsAt);
  const range =
    startsAt === undefined && typeof days === 'string' ? dayRangeIn(days.replace(/^(eq|in):/, ''), zone) : undefined;
  if (!range || !isOrdinary(range.begin) || (range.end !== null && !isOrdinary(range.end))) return undefined;
  return {
    time: { from: range.begin, ...(range.end && { until: afterwards(range.end) }), earliest: earliestShort(range) },
  };
}

/** Records keep whole seconds, so that nothing lies between a moment and the next millisecond. */
const afterwards = (moment: Date): Date => new Date(moment.getTime() + 1);

const isOrdinary = (moment: Date): boolean => isRequestTime(moment.toISOString());

function boundsIn(value: unknown): Choice | undefined {
  const given = [value].flat().map((item) => (typeof item === 'string' ? /^(gte?|lte?):(.*)$/.exec(item) : null));
  const time: { from?: Date; until?: Date } = {};
  for (const match of given) {
    const [, matcher, text] = match ?? [];
    if (text === undefined || !(isRequestTime(text) || (isDay(text) && isOrdinary(momentOf(text))))) return undefined;
    const moment = matcher === 'gt' || matcher === 'lte' ? afterwards(momentOf(text)) : momentOf(text);
    if (matcher!.startsWith('g')) time.from = time.from && time.from > moment ? time.from : moment;
    else time.until = time.until && time.until < moment ? time.until : moment;
  }
  return given.length > 0 ? { time } : undefined;
}

const day = 86_400_000;

/** The whole days, in UTC, of a range: from the beginning of the first to that of the one after the last. */
export function wholeDays({ from, until }: TimeChoice): { first?: Date; end?: Date } {
  const first = from && new Date(Math.ceil(from.getTime() / day) * day);
  const end = until && new Date(Math.floor(until.getTime() / day) * day);
  // A range within one day has none.
  return { ...(first && { first }), ...(end && { end: first && first > end ? first : end }) };
}
