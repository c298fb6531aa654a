import type { WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { differences, type WantedTimeTracking } from './differences.ts';
import { recordChanges } from './notes_and_followers.ts';
import { breaksOf, type TimeTrackingRow } from './rows.ts';
import { replaceBreaks, type WantedBreak } from './break_rows.ts';
import { setTags } from './tags.ts';
import { judgeAround, takeTurns } from '../working_time_rules/warnings.ts';

/** What of a tracking is to be otherwise; the rest stays. `breaks` are all of them, those that are stored with their ids. */
export type TimeTrackingStep = Partial<Omit<WantedTimeTracking, 'breaks'>> & {
  readonly breaks?: readonly WantedBreak[];
};

/**
 * Makes a tracking what it is to be, with a note per difference, news for its followers and new judgements around it. The
 * caller has locked its row and checked everything. Returns the ids of new breaks.
 */
export async function storeTimeTracking(
  db: Db,
  actor: WorkspaceActor,
  row: TimeTrackingRow,
  step: TimeTrackingStep,
  now: Date,
): Promise<number[]> {
  const { starts_at, ends_at, user_id, area_id, breaks, ...wanted } = { ...row, breaks: breaksOf(row), ...step };
  const tag_ids = [...new Set(wanted.tag_ids)].sort((a, b) => a - b);
  const after = { starts_at, ends_at, user_id, area_id, tag_ids, breaks };
  const notes = await differences(db, actor, row, after);
  if (notes.length === 0) return [];
  if (user_id !== row.user_id) await takeTurns(db, { accountId: actor.accountId, userIds: [row.user_id, user_id] });
  await db
    .updateTable('time_trackings')
    .set({
      starts_at,
      ends_at,
      user_id,
      area_id,
      actual_ends_at: row.actual_ends_at ?? ends_at,
      last_editor_id: actor.userId,
      updated_at: now,
    })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', row.id)
    .execute();
  const newBreakIds = await replaceBreaks(db, row, breaks, now);
  if (row.tag_ids.join() !== tag_ids.join()) await setTags(db, actor, row.id, tag_ids);
  await recordChanges(db, actor, [{ tracking: row, notes }], now);
  await judgeAround(db, actor, [row, after], now);
  return newBreakIds;
}
