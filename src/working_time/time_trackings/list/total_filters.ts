import type { Rank } from '../../../platform/core/ranks.ts';
import { isRequestTime } from '../../../platform/core/time.ts';
import type { Condition } from '../../../platform/db/list/filters.ts';
import { readsWholeWorkspace } from '../../../platform/db/visibility.ts';
import { earliestShort, type DayRange } from './day_ranges.ts';

/** The rows of a workspace that a list is about, where the kept totals can be added up for them. */
export interface TotalFilter {
  readonly userIds?: readonly number[];
  readonly confirmed?: boolean;
  readonly time?: TimeFilter;
}

/** Finished time trackings that began in a range of time, which is open where a bound is missing. */
export interface TimeFilter {
  readonly from?: Date;
  readonly until?: Date;
  /** Set where rows that began before `from` may match: when those of at most a day begin at the earliest. */
  readonly earliest?: Date;
}

/** The filter that conditions set for a viewer of this rank, or undefined where the rows have to be counted. */
export function totalFilterOf(rank: Rank, conditions: readonly Condition[]): TotalFilter | undefined {
  // Others see a part of the workspace, for which no totals are kept.
  if (!readsWholeWorkspace(rank)) return undefined;
  const filter: { userIds?: readonly number[]; confirmed?: boolean } = {};
  const times: TimeFilter[] = [];
  for (const condition of conditions) {
    const { field, matcher } = condition;
    if (field === 'user_id' && matcher === 'named') filter.userIds = usersIn(condition.value);
    else if (field === 'confirmed' && matcher === 'eq') filter.confirmed = condition.value === true;
    else if (field === 'starts_at' && matcher in bounds) times.push(boundOf(condition));
    else if (field === 'overlapping_with_range' && matcher === 'named') times.push(daysIn(condition.value as DayRange));
    else return undefined;
  }
  if (times.length === 0) return filter;
  // Days are kept of all users together; the rows of one user are few enough to be counted.
  const isKept =
    filter.userIds === undefined && times.every(isOrdinary) && (times.length === 1 || !times.some(hasLong));
  return isKept ? { ...filter, time: times.reduce(narrowed) } : undefined;
}

// 0 is the id of no user. In the kept totals it means all users.
const usersIn = (ids: unknown): number[] => (ids as number[]).filter((id) => id > 0);

/** Records keep whole seconds, so there is nothing between a time and the next millisecond. */
const afterwards = (time: Date): Date => new Date(time.getTime() + 1);

const bounds: Readonly<Record<string, (time: Date) => TimeFilter>> = {
  gte: (from) => ({ from }),
  gt: (time) => ({ from: afterwards(time) }),
  lt: (until) => ({ until }),
  lte: (time) => ({ until: afterwards(time) }),
};

const boundOf = (condition: Condition): TimeFilter =>
  bounds[condition.matcher]!((condition as { value: unknown }).value as Date);

const daysIn = (range: DayRange): TimeFilter => ({
  from: range.begin,
  ...(range.end && { until: afterwards(range.end) }),
  earliest: earliestShort(range),
});

/** A range of days matches rows that began before it. A second range would have to cut those. */
const hasLong = ({ earliest }: TimeFilter): boolean => earliest !== undefined;

/** Whether the days around a range are those of requests, which PostgreSQL and JavaScript write alike. */
const isOrdinary = ({ from, until }: TimeFilter): boolean =>
  [from, until].every((time) => time === undefined || isRequestTime(time.toISOString()));

/** The range that both leave. */
const narrowed = (one: TimeFilter, other: TimeFilter): TimeFilter => ({
  ...one,
  ...other,
  ...(one.from && other.from && { from: one.from > other.from ? one.from : other.from }),
  ...(one.until && other.until && { until: one.until < other.until ? one.until : other.until }),
});

const dayMs = 86_400_000;

/** The whole days, in UTC, of a range: the first one, and the one after the last. */
export function wholeDays({ from, until }: TimeFilter): { first?: Date; end?: Date } {
  const first = from && new Date(Math.ceil(from.getTime() / dayMs) * dayMs);
  const end = until && new Date(Math.floor(until.getTime() / dayMs) * dayMs);
  // A range within one day has none.
  return { ...(first && { first }), ...(end && { end: first && first > end ? first : end }) };
}
