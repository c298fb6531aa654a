import { numericId, numericIds, type Id } from '../core/ids.ts';
import { assumedRole, type WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { together } from '../db/pipeline.ts';
import { noteOf } from './note_texts.ts';
import { recordChanges } from './notes_and_followers.ts';
import { insertBreaks } from './break_rows.ts';
import { addTags } from './tags.ts';
import { judgeAround } from '../working_time_rules/warnings.ts';
import { secondsOfBreaks, type Span } from '../calendar/worked_time.ts';

/** What can be said about a new time tracking; times as the request gives them. */
export interface NewTimeTracking {
  starts_at: string;
  ends_at?: string;
  breaks_attributes?: readonly { starts_at: string; ends_at: string }[];
  break_duration?: number;
  force_custom_break_duration?: boolean;
  default_break_duration?: number;
  confirmed?: boolean;
  created_by?: string;
  external_id?: string;
  assignment_id?: Id;
  start_signature_id?: Id;
  end_signature_id?: Id;
  company_id?: Id;
  import_id?: Id;
  limited?: boolean;
  planned?: boolean;
  /** The actor where none is named. */
  user_id?: Id;
  area_id?: Id;
  tag_ids?: readonly Id[];
}

/** A new tracking that may be stored: all that it names is there. */
export type AcceptedTimeTracking = Omit<NewTimeTracking, 'starts_at' | 'ends_at'> &
  Span & {
    readonly id: number;
    readonly userId: number;
    readonly breaks: readonly Span[];
    readonly isConfirmed: boolean;
  };

/** Stores a tracking with its breaks, tags and first notes, and judges what is around it. All of it goes out at once, in this order. */
export async function insertTimeTracking(
  db: Db,
  actor: WorkspaceActor,
  accepted: AcceptedTimeTracking,
  now: Date,
): Promise<void> {
  const { id, userId, breaks, starts_at, ends_at } = accepted;
  const { accountId, username, workspace } = actor;
  const row = rowOf(actor, accepted, now);
  const firstBreaks = breaks.length > 0 ? [noteOf.firstBreaks(username, breaks, workspace.time_zone)] : [];
  const notes = [noteOf.creation(username), ...firstBreaks];
  await together([
    db.insertInto('time_trackings').values(row).execute(),
    insertBreaks(db, accountId, row, breaks, now),
    addTags(db, accountId, [id], numericIds(accepted.tag_ids ?? []).numbers),
    recordChanges(db, actor, [{ tracking: { id, follower_ids: [] }, notes }], now),
    judgeAround(db, actor, [{ user_id: userId, starts_at, ends_at }], now),
  ]);
}

const textOf = (id: Id | undefined): string | null => (id === undefined || id === '' ? null : String(id));

const rowOf = (actor: WorkspaceActor, accepted: AcceptedTimeTracking, now: Date) => ({
  id: accepted.id,
  account_id: actor.accountId,
  workspace_id: actor.workspace.id,
  user_id: accepted.userId,
  area_id: accepted.area_id === undefined ? null : numericId(accepted.area_id)!,
  starts_at: accepted.starts_at,
  ends_at: accepted.ends_at,
  actual_starts_at: accepted.starts_at,
  actual_ends_at: accepted.ends_at,
  breaks_s: secondsOfBreaks(accepted.breaks, now),
  custom_break_s: accepted.break_duration ?? null,
  force_custom_break_duration: accepted.force_custom_break_duration ?? false,
  default_break_duration: accepted.default_break_duration ?? 0,
  confirmed: accepted.isConfirmed,
  created_by: accepted.created_by || assumedRole(actor.rank),
  external_id: accepted.external_id ?? null,
  assignment_id: textOf(accepted.assignment_id),
  start_signature_id: textOf(accepted.start_signature_id),
  end_signature_id: textOf(accepted.end_signature_id),
  import_id: textOf(accepted.import_id),
  limited: accepted.limited ?? false,
  planned: accepted.planned ?? false,
  last_editor_id: actor.userId,
  created_at: now,
  updated_at: now,
});
