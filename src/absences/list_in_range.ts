import { sql, type RawBuilder } from 'kysely';
import { groupBy } from '../core/group_by.ts';
import type { Actor } from '../core/permissions.ts';
import { firstMoment, requireOrder, startOf } from '../core/requested_range.ts';
import { endOfLocalDay, isDay, parseTime } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { list, type Selection } from '../db/list/list.ts';
import { absenceColumns, absenceRows, visibleAbsences } from './rows.ts';

/** From when to when: ISO times, or plain days, which both belong to the range. */
export interface Range {
  readonly range_start: string;
  readonly range_end: string;
}

/** The absences that overlap a range, of all users who are not deleted or of one, in all workspaces or one. A plain day is a local day of each absence's workspace. */
export async function listAbsencesInRange(
  db: Db,
  actor: Actor,
  range: Range,
  of: { userId?: number; workspaceId?: number },
  selection: Selection,
) {
  const { range_start, range_end } = range;
  requireOrder(range_start, range_end);
  const workspaces = await workspacesWith(db, actor.accountId, of.workspaceId);
  let visible = visibleAbsences(db, actor)
    .where(overlaps(workspaces, range))
    .where(mayOverlap(startOf(range_start), startOf(range_end)))
    .where(isOfExistingUser(actor.accountId));
  if (of.userId !== undefined) visible = visible.where('absences.user_id', '=', of.userId);
  return list(
    db,
    {
      visible,
      rows: absenceRows(db, actor.accountId),
      id: 'absences.id',
      columns: absenceColumns(actor.accountId),
      timeZone: 'UTC',
    },
    selection,
  );
}

/** Whether the user of an absence is not deleted. Clients look up every user of the list among those that the API lists. */
const isOfExistingUser = (accountId: number): RawBuilder<boolean> => sql<boolean>`exists (
  select from users where users.account_id = ${accountId} and users.id = absences.user_id and users.deleted_at is null)`;

interface Zoned {
  readonly id: number;
  readonly time_zone: string;
}

/** The workspaces of the account, or the one that is named, with their zones. */
function workspacesWith(db: Db, accountId: number, id: number | undefined): Promise<Zoned[]> {
  const all = db
    .selectFrom('workspaces')
    .select(['id', 'time_zone'])
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null);
  return (id === undefined ? all : all.where('id', '=', id)).execute();
}

/** PostgreSQL takes the second midnight of a day that has two, so the bounds are computed here, once for each zone. */
const overlaps = (workspaces: readonly Zoned[], { range_start, range_end }: Range): RawBuilder<boolean> => {
  const zones = [...groupBy(workspaces, ({ time_zone }) => time_zone)].map(
    ([zone, members]) => sql<boolean>`(absences.workspace_id = any(${members.map(({ id }) => id)}::bigint[])
      and absences.ends_at > ${firstMoment(range_start, zone)} and absences.starts_at < ${momentAfter(range_end, zone)})`,
  );
  return zones.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(zones, sql` or `)})`;
};

/** The end of a range: a time itself, or the first moment after a day. */
const momentAfter = (text: string, zone: string): Date =>
  isDay(text) ? new Date(endOfLocalDay(text, zone).getTime() + 1000) : parseTime(text);

const daysMs = (count: number): number => count * 86_400_000;

/**
 * A wider condition that every absence in the range meets, whatever its zone. The indexes can answer it: an absence started
 * shortly before the range, unless it is one of the few that last longer than a month.
 */
function mayOverlap(start: Date, end: Date): RawBuilder<boolean> {
  const [first, last] = [new Date(start.getTime() - daysMs(33)), new Date(end.getTime() + daysMs(2))];
  return sql<boolean>`(absences.starts_at < ${last}
    and (absences.starts_at > ${first} or (absences.ends_at - absences.starts_at > interval '31 days' and absences.ends_at > ${new Date(start.getTime() - daysMs(1))})))`;
}
