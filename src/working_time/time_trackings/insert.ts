import type { Insertable } from 'kysely';
import type { DB } from '../../../generated/db.ts';
import type { Span } from '../../days/calendar/worked_time.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { runAtCommit } from '../../platform/db/transactions.ts';
import { systemNoteInsertion } from '../../platform/notes/notes.ts';
import { writeWithWarnings } from '../working_time_rules/warnings.ts';
import { breakInsertion, storedSeconds } from './break_rows.ts';
import { noteOf } from './change_notes.ts';
import { shownBreaks, timeTrackingEvents } from './events.ts';

/** A time tracking to be stored, without what follows from the actor. */
type NewRow = Omit<Insertable<DB['time_trackings']>, 'account_id' | 'workspace_id' | 'breaks_s' | 'last_editor_id'>;

interface Parts {
  readonly breaks: readonly Span[];
  readonly tagIds: readonly number[];
  /** False where the rules of working time have nothing to say about it. `warnings.ts` says when. */
  readonly needsJudgement: boolean;
}

/**
 * Stores a time tracking with its breaks, tags, first notes and event, and brings the warnings up to date. The caller has locked its
 * user and has checked it.
 */
export async function insertTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  row: NewRow,
  { breaks, tagIds, needsJudgement }: Parts,
  now: Date,
): Promise<{ id: number; uuid: string | null }> {
  const { accountId, username, workspace, userId } = actor;
  const tracking = await tx
    .insertInto('time_trackings')
    .values({
      ...row,
      account_id: accountId,
      workspace_id: workspace.id,
      breaks_s: storedSeconds(breaks),
      last_editor_id: userId,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const { id, manual_pause_min } = tracking;
  const tag_ids = [...new Set(tagIds)].sort((a, b) => a - b);
  const tags = tag_ids.map((tag_id) => ({ account_id: accountId, time_tracking_id: id, tag_id }));
  const notes = [
    noteOf.creation(username),
    ...(breaks.length > 0 ? [noteOf.firstBreaks(username, breaks, workspace.time_zone)] : []),
    ...(manual_pause_min === null ? [] : [noteOf.firstManualPause(username, manual_pause_min)]),
  ].map((content) => ({ owner: { time_tracking_id: id }, content }));
  const parts = [
    breakInsertion(tx, accountId, tracking, breaks, now),
    tags.length > 0 ? tx.insertInto('time_tracking_tags').values(tags) : undefined,
    systemNoteInsertion(tx, accountId, notes, now),
  ];
  if (needsJudgement) await writeWithWarnings(tx, actor, parts, [tracking], now);
  else runAtCommit(tx, ...parts);
  const { custom_break_s: break_duration } = tracking;
  const after = { ...tracking, break_duration, breaks: shownBreaks(breaks), tag_ids, follower_ids: [] };
  timeTrackingEvents.record(tx, actor, 'created', { before: null, after }, now);
  return tracking;
}
