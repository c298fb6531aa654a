import { sql, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { Placeholders } from '../../db/placeholders.ts';
import type { Shape, Values } from './shape.ts';
import type { Figures, Selection } from '../../db/list.ts';
import { choiceIn, wholeDays, type Choice, type TimeChoice } from './total_filters.ts';
import { isLong } from './day_ranges.ts';
import { secondsAt } from './seconds_sql.ts';

/*
 * The totals of a list of time trackings. Those of a whole workspace, of its users and of its days are kept by the database
 * with every write, so that a list costs the same however long it is: what is kept is added up, the few rows at the edges of
 * a range and the running ones are counted. Any other choice of rows is counted, which is always right.
 */

export interface TimeTrackingFigures extends Figures {
  readonly unconfirmed: number;
  readonly confirmed: number;
  readonly running: number;
  readonly gross: number;
  readonly pause: number;
}

type Matching = SelectQueryBuilder<DB, 'time_trackings', object>;

/** The figures of the rows that match a selection, as one JSON value. */
export function figuresOf(
  shape: Shape,
  values: Placeholders<Values>,
): (matching: Matching, selection: Pick<Selection, 'filter'>) => RawBuilder<TimeTrackingFigures> {
  return (matching, selection) => {
    const choice = choiceIn(shape, selection);
    const running = matching.where('time_trackings.ends_at', 'is', null);
    const parts = choice
      ? [kept(values, choice), ...edges(matching, choice.time ?? {}).map(countedEnded), counted(running, values)]
      : [counted(matching, values)];
    return sql<TimeTrackingFigures>`(
      select json_build_object(
        'count', sum(part.count), 'unconfirmed', sum(part.count) - sum(part.confirmed), 'confirmed', sum(part.confirmed), 'running', sum(part.running),
        'gross', sum(part.gross), 'pause', sum(part.pause))
      from (${sql.join(parts, sql` union all `)}) as part)`;
  };
}

/** The kept totals of the choice: of whole days where it is about a time, of users, or of the workspace. */
function kept(
  { accountId, workspaceId }: Placeholders<Values>,
  { confirmed, userIds = [0], time }: Choice,
): RawBuilder<unknown> {
  const sum = (all: string, ofConfirmed: string) => {
    const [every, some] = [sql.ref(`kept.${all}`), sql.ref(`kept.${ofConfirmed}`)];
    return sql`coalesce(sum(${confirmed === undefined ? every : confirmed ? some : sql`${every} - ${some}`}), 0)`;
  };
  const { first, end } = time ? wholeDays(time) : {};
  const days = time ? sql`kept.day > '-infinity' and kept.day >= ${dayOf(first, '-infinity')}::date and kept.day < ${dayOf(end, 'infinity')}::date` : sql`kept.day = '-infinity'`; // prettier-ignore
  return sql`(
    select ${sum('trackings', 'confirmed')} as count, ${confirmed === false ? sql`0` : sum('confirmed', 'confirmed')} as confirmed, 0 as running,
      ${sum('gross_s', 'confirmed_gross_s')} as gross, ${sum('break_s', 'confirmed_break_s')} as pause
    from time_tracking_totals kept
    where kept.account_id = ${accountId} and kept.workspace_id = ${workspaceId} and kept.user_id = any(${userIds}::bigint[]) and ${days})`;
}

const dayOf = (moment: Date | undefined, otherwise: string): string => moment?.toISOString().slice(0, 10) ?? otherwise;

/** The rows of a range of time that no whole day holds. */
function edges(matching: Matching, time: TimeChoice): Matching[] {
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

function counted(rows: Matching, values: Placeholders<Values>): RawBuilder<unknown> {
  const { gross, pause } = secondsAt(values);
  return sql`(${rows.select([...counts, sql`coalesce(sum(${gross}), 0)`.as('gross'), sql`coalesce(sum(${pause}), 0)`.as('pause')])})`;
}

/** The same of those that have ended, whose time is written down. */
const countedEnded = (rows: Matching): RawBuilder<unknown> =>
  sql`(${rows
    .where('time_trackings.ends_at', 'is not', null)
    .select([
      ...counts,
      sql`coalesce(sum(time_trackings.gross_s), 0)`.as('gross'),
      sql`coalesce(sum(least(time_trackings.gross_s, time_trackings.break_s)), 0)`.as('pause'),
    ])})`;

const counts = [
  sql`count(*)`.as('count'),
  sql`count(*) filter (where time_trackings.confirmed)`.as('confirmed'),
  sql`count(*) filter (where time_trackings.ends_at is null)`.as('running'),
];
