import { sql } from 'kysely';
import { assignedUserIds } from '../assignments/assignments.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';

/** Shifts with the users on them, in the order in which they were assigned, and their tags. */
export const shiftRows = (db: Db, accountId: number) =>
  db
    .selectFrom('shifts')
    .where('shifts.account_id', '=', accountId)
    .selectAll('shifts')
    .select([
      assignedUserIds(accountId, sql.ref('shifts.id')).as('user_ids'),
      sql<number[]>`array(
        select tagging.tag_id from shift_tags tagging
        where tagging.account_id = ${accountId} and tagging.shift_id = shifts.id
        order by tagging.tag_id)`.as('tag_ids'),
    ]);

export type ShiftRow = Awaited<ReturnType<ReturnType<typeof shiftRows>['executeTakeFirstOrThrow']>>;

export const shiftsByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<ShiftRow[]> =>
  rowsByIds(shiftRows(db, accountId), 'shifts.id', ids);
