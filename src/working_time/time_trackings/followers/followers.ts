import { sql } from 'kysely';
import { refuse } from '../../../platform/core/errors.ts';
import { numericIds, type Id } from '../../../platform/core/ids.ts';
import { authorize, type WorkspaceActor } from '../../../platform/core/permissions.ts';
import type { Db } from '../../../platform/db/connection.ts';
import type { OpenTransaction } from '../../../platform/db/open_transaction.ts';
import type { Columns, NamedFilter } from '../../../platform/db/list/filters.ts';
import { list, type Selection } from '../../../platform/db/list/list.ts';
import { readableBy } from '../../../platform/db/visibility.ts';
import { addFollowers, removeFollower } from '../../../platform/followers/followers.ts';
import { limitedAttributes } from '../../../organisation/users/limited_view.ts';
import { memberProblems } from '../../../organisation/users/memberships.ts';
import { userColumns, userRows } from '../../../organisation/users/rows.ts';
import { userFilters } from '../../../organisation/users/users.ts';
import { stateOf, timeTrackingEvents } from '../events.ts';
import { factsOf, readTimeTracking, type TimeTrackingRow } from '../rows.ts';
import { findTimeTracking, lockTimeTracking } from '../time_trackings.ts';

/** Columns that this list cannot be filtered or sorted by. */
const unlistedColumns = ['salary', 'birthday', 'tablet_pin', 'identifier_pin'];

/** The columns of a user that everybody may see. The other columns count only for users whom the actor may read: a filter would reveal them. */
const openColumns: readonly string[] = ['id', ...limitedAttributes];
const columnsFor = (actor: WorkspaceActor): Columns =>
  Object.fromEntries(
    Object.entries(userColumns)
      .filter(([name]) => !unlistedColumns.includes(name))
      .map(([name, column]) => [
        name,
        openColumns.includes(name)
          ? column
          : { ...column, value: sql`case when ${readableBy(actor, 'user')} then ${column.value} end` },
      ]),
  );

/** The filters that are no columns. They, too, count only for users whom the actor may read. */
const filtersFor = (actor: WorkspaceActor): Record<string, NamedFilter> =>
  Object.fromEntries(
    Object.entries(userFilters(actor.accountId)).map(([name, filter]) => [
      name,
      { ...filter, where: (value: unknown) => sql`(${readableBy(actor, 'user')} and ${filter.where(value)})` },
    ]),
  );

/** The followers of a time tracking that the actor may read. */
export async function listFollowers(db: Db, actor: WorkspaceActor, ref: Id, selection: Selection) {
  const { id } = await findTimeTracking(db, actor, ref);
  const { accountId } = actor;
  const visible = db.selectFrom('users').where('users.account_id', '=', accountId).where(sql<boolean>`exists (
    select from time_tracking_followers follower
    where follower.account_id = ${accountId} and follower.time_tracking_id = ${id} and follower.user_id = users.id)`);
  const rows = userRows(db, actor);
  return list(
    db,
    {
      visible,
      rows,
      id: 'users.id',
      columns: columnsFor(actor),
      named: filtersFor(actor),
      timeZone: actor.workspace.time_zone,
      defaultSort: ['username'],
    },
    selection,
  );
}

/** Adds users of the workspace to the followers of a time tracking. */
export async function followTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  userIds: readonly Id[],
  now: Date,
): Promise<TimeTrackingRow> {
  const row = await lockForFollowers(tx, actor, ref);
  refuse(await memberProblems(tx, actor, 'follower_ids', userIds));
  await addFollowers(tx, actor, [{ time_tracking_id: row.id }], numericIds(userIds).numbers);
  return readFollowed(tx, actor, row, now);
}

/** Removes one follower of a time tracking. */
export async function unfollowTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  userId: Id,
  now: Date,
): Promise<TimeTrackingRow> {
  const row = await lockForFollowers(tx, actor, ref);
  await removeFollower(tx, actor, { time_tracking_id: row.id }, userId);
  return readFollowed(tx, actor, row, now);
}

async function lockForFollowers(tx: OpenTransaction, actor: WorkspaceActor, ref: Id): Promise<TimeTrackingRow> {
  const row = await lockTimeTracking(tx, actor, ref);
  authorize(actor, 'change_followers', 'time_tracking', factsOf(row));
  return row;
}

/** The time tracking after a change of its followers, which is recorded. */
async function readFollowed(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  before: TimeTrackingRow,
  now: Date,
): Promise<TimeTrackingRow> {
  const after = await readTimeTracking(tx, actor, before.id);
  timeTrackingEvents.record(tx, actor, 'updated', { before: stateOf(before), after: stateOf(after) }, now);
  return after;
}
