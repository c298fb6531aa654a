import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { DB } from '../../../../generated/db.ts';
import type { Rank } from '../../../platform/core/ranks.ts';
import type { Condition } from '../../../platform/db/list/filters.ts';
import type { Totals } from '../../../platform/db/list/list.ts';
import type { ValuesOrPlaceholders } from '../../../platform/db/placeholders.ts';
import { isLong } from './day_ranges.ts';
import { secondsAt } from './seconds_sql.ts';
import type { Values } from './shape.ts';
import { totalFilterOf, wholeDays, type TimeFilter, type TotalFilter } from './total_filters.ts';

/*
 * The totals of a list of time trackings. The database keeps those of a workspace, of its users and of its days with every
 * write, so that a list costs the same however long it is: kept totals are added up, and the few rows at the edges of a range
 * and the running ones are counted. For any other filter all rows are counted, which is always right.
 */

export interface TimeTrackingTotals extends Totals {
  readonly unconfirmed: number;
  readonly confirmed: number;
  readonly running: number;
  readonly gross: number;
  readonly pause: number;
}

type Matching = SelectQueryBuilder<DB, 'time_trackings', object>;

/** The totals of the rows that match, for a viewer of this rank, as a JSON array of parts. */
export function totalsOf(
  own: Rank,
  values: ValuesOrPlaceholders<Values>,
): (matching: Matching, conditions: readonly Condition[]) => RawBuilder<TimeTrackingTotals[]> {
  return (matching, conditions) => {
    const filter = totalFilterOf(own, conditions);
    const running = matching.where('time_trackings.ends_at', 'is', null);
    const parts = filter
      ? [kept(values, filter), ...edges(matching, filter.time ?? {}).map(countedFinished), counted(running, values)]
      : [counted(matching, values)];
    return sql<TimeTrackingTotals[]>`json_build_array(${sql.join(parts)})`;
  };
}

/** A part of the totals as JSON. */
const partOf = (figures: Record<Exclude<keyof TimeTrackingTotals, 'unconfirmed'>, RawBuilder<unknown>>) => {
  const { count, confirmed, running, gross, pause } = figures;
  return sql<TimeTrackingTotals>`json_build_object(
    'count', ${count}, 'unconfirmed', ${count} - ${confirmed}, 'confirmed', ${confirmed}, 'running', ${running}, 'gross', ${gross}, 'pause', ${pause})`;
};

/** The kept totals: of whole days where the filter has a time, otherwise of users or of the workspace. */
function kept(
  { accountId, workspaceId }: ValuesOrPlaceholders<Values>,
  { confirmed, userIds = [0], time }: TotalFilter,
): RawBuilder<unknown> {
  const sum = (all: string, ofConfirmed: string) => {
    const [every, some] = [sql.ref(`kept.${all}`), sql.ref(`kept.${ofConfirmed}`)];
    return sql`coalesce(sum(${confirmed === undefined ? every : confirmed ? some : sql`${every} - ${some}`}), 0)`;
  };
  const { first, end } = time ? wholeDays(time) : {};
  const days = time ? sql`kept.day > '-infinity' and kept.day >= ${dayOf(first, '-infinity')}::date and kept.day < ${dayOf(end, 'infinity')}::date` : sql`kept.day = '-infinity'`; // prettier-ignore
  const part = partOf({
    count: sum('trackings', 'confirmed'),
    confirmed: confirmed === false ? sql`0` : sum('confirmed', 'confirmed'),
    running: sql`0`,
    gross: sum('gross_s', 'confirmed_gross_s'),
    pause: sum('break_s', 'confirmed_break_s'),
  });
  return sql`(
    select ${part} from time_tracking_totals kept
    where kept.account_id = ${accountId} and kept.workspace_id = ${workspaceId} and kept.user_id = any(${userIds}::bigint[]) and ${days})`;
}

const dayOf = (time: Date | undefined, otherwise: string): string => time?.toISOString().slice(0, 10) ?? otherwise;

/** The rows of a range that lie in none of its whole days. */
function edges(matching: Matching, time: TimeFilter): Matching[] {
  const { first, end } = wholeDays(time);
  const begin = time.earliest ?? time.from;
  return [
    ...(begin && first
      ? [matching.where('time_trackings.starts_at', '>=', begin).where('time_trackings.starts_at', '<', first)]
      : []),
    ...(end ? [matching.where('time_trackings.starts_at', '>=', end)] : []),
    ...(time.earliest ? [matching.where(isLong).where('time_trackings.starts_at', '<', time.earliest)] : []),
  ];
}

function counted(rows: Matching, values: ValuesOrPlaceholders<Values>): RawBuilder<unknown> {
  const { gross, pause } = secondsAt(values);
  return sql`(${rows.select(partOf({ ...counts, gross: sumOf(gross), pause: sumOf(pause) }).as('part'))})`;
}

/** The same for finished trackings, whose seconds are stored. */
const countedFinished = (rows: Matching): RawBuilder<unknown> =>
  sql`(${rows.where('time_trackings.ends_at', 'is not', null).select(
    partOf({
      ...counts,
      gross: sumOf(sql`time_trackings.gross_s`),
      pause: sumOf(sql`least(time_trackings.gross_s, time_trackings.break_s)`),
    }).as('part'),
  )})`;

const counts = {
  count: sql`count(*)`,
  confirmed: sql`count(*) filter (where time_trackings.confirmed)`,
  running: sql`count(*) filter (where time_trackings.ends_at is null)`,
};

const sumOf = (seconds: RawBuilder<unknown>) => sql`coalesce(sum(${seconds}), 0)`;
