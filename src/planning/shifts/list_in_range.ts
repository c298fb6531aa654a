import { sql, type RawBuilder } from 'kysely';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { readableShift } from '../../platform/db/visibility.ts';
import { overlapsRange, type MomentRange } from './range.ts';
import { shiftRows } from './rows.ts';

/** The values that the shifts of a range have in common. */
interface Traits {
  readonly areaId?: number;
  /** Any of these tags. 0 stands for no tag at all. */
  readonly tagIds?: readonly number[];
}

/** The shifts of the actor's workspace that overlap a range, by id, as far as the actor may read them. */
export function listShiftsInRange(
  db: Db,
  actor: WorkspaceActor,
  range: MomentRange,
  { areaId, tagIds }: Traits,
  selection: Selection,
) {
  const { accountId, workspace } = actor;
  const visible = shiftsOf(db, actor)
    .where(overlapsRange(range))
    .$if(areaId !== undefined, (shifts) => shifts.where('shifts.area_id', '=', areaId!))
    .$if(tagIds !== undefined, (shifts) => shifts.where(hasAnyTag(accountId, tagIds!)));
  const rows = shiftRows(db, accountId);
  return list(db, { visible, rows, id: 'shifts.id', columns: {}, timeZone: workspace.time_zone }, selection);
}

/** The shifts of the actor's workspace that they may read. */
export const shiftsOf = (db: Db, actor: WorkspaceActor) =>
  db
    .selectFrom('shifts')
    .where('shifts.account_id', '=', actor.accountId)
    .where('shifts.workspace_id', '=', actor.workspace.id)
    .where(readableShift(actor));

function hasAnyTag(accountId: number, tagIds: readonly number[]): RawBuilder<boolean> {
  const taggings = sql`
    select from shift_tags tagging where tagging.account_id = ${accountId} and tagging.shift_id = shifts.id`;
  const hasOne = sql<boolean>`exists (${taggings} and tagging.tag_id = any(${tagIds}::bigint[]))`;
  return tagIds.includes(0) ? sql<boolean>`(${hasOne} or not exists (${taggings}))` : hasOne;
}
