import { sql } from 'kysely';
import { assignmentAfter } from './assignment_links.ts';
import type { Span } from '../../days/calendar/worked_time.ts';
import type { Actor, WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { systemNoteInsertion } from '../../platform/notes/notes.ts';
import { writeWithWarnings } from '../working_time_rules/warnings.ts';
import { breakReplacement, storedSeconds, type WantedBreak } from './break_rows.ts';
import { noteOf, notifyOfChanges, sameBreaks } from './change_notes.ts';
import { shownBreaks, stateOf, timeTrackingEvents, verbOf } from './events.ts';
import { breaksOf, type StoredTimeTracking } from './rows.ts';
import { replaceTags } from './tag_rows.ts';

/** The changeable part of a time tracking, after a change. */
export interface ChangedTimeTracking extends Span {
  readonly user_id: number;
  readonly area_id: number | null;
  readonly tag_ids: readonly number[];
  readonly breaks: readonly Span[];
  readonly manual_pause_min: number | null;
}

/** The change of the confirmation of a time tracking. */
export interface ConfirmationChange {
  readonly confirmed: boolean;
  /** The system note about it. */
  readonly note: string;
}

/** A change of a time tracking. `breaks` are all its breaks; stored ones have their ids. */
export type StoredChange = Partial<Omit<ChangedTimeTracking, 'breaks'>> & {
  readonly breaks?: readonly WantedBreak[];
  readonly external_id?: string | null;
  /** Absent where the time tracking stays confirmed or unconfirmed. */
  readonly confirmation?: ConfirmationChange;
};

/**
 * Stores a change to a time tracking with a note for each difference, refreshes the warnings and notifies its followers. The caller has
 * locked its users, old and new, and has checked the change. Returns the notes and the ids of new breaks.
 */
export async function storeChange(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  row: StoredTimeTracking,
  change: StoredChange,
  now: Date,
): Promise<{ notes: string[]; newBreakIds: number[] }> {
  const { confirmation, external_id = row.external_id, ...changed } = change;
  const { starts_at, ends_at, user_id, area_id, breaks, manual_pause_min, ...rest } = {
    ...row,
    breaks: breaksOf(row),
    ...changed,
  };
  const tag_ids = [...new Set(rest.tag_ids)].sort((a, b) => a - b);
  const after = { starts_at, ends_at, user_id, area_id, tag_ids, breaks, manual_pause_min };
  const notes = [...(await differences(tx, actor, row, after)), ...(confirmation ? [confirmation.note] : [])];
  if (notes.length === 0 && external_id === row.external_id) return { notes, newBreakIds: [] };
  const work = { accountId: actor.accountId, workspaceId: row.workspace_id, userId: user_id, startsAt: starts_at };
  const isMoved = user_id !== row.user_id || starts_at.getTime() !== row.starts_at.getTime();
  const confirmed = confirmation?.confirmed ?? row.confirmed;
  const update = tx
    .updateTable('time_trackings')
    .set({
      ...(isMoved ? { assignment_id: assignmentAfter(work) } : {}),
      starts_at,
      ends_at,
      user_id,
      area_id,
      manual_pause_min,
      breaks_s: storedSeconds(breaks),
      external_id,
      confirmed,
      actual_ends_at: row.actual_ends_at ?? ends_at,
      last_editor_id: actor.userId,
      updated_at: now,
    })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', row.id)
    .returning('assignment_id');
  const newNotes = notes.map((content) => ({ owner: { time_tracking_id: row.id }, content }));
  // Running work is judged by its start alone, and as a whole once it has ended.
  const runsOn = row.ends_at === null && ends_at === null && !isMoved;
  const { removal, correction, insertion } = breakReplacement(tx, row, breaks, now);
  const [, , newBreaks, [updated]] = await writeWithWarnings(
    tx,
    actor,
    [removal, correction, insertion, update, systemNoteInsertion(tx, actor.accountId, newNotes, now)],
    runsOn ? [] : [row, after],
    now,
  );
  if (row.tag_ids.join() !== tag_ids.join()) await replaceTags(tx, actor, row.id, tag_ids);
  await notifyOfChanges(tx, actor, [{ tracking: row, notes }], now);
  const before = stateOf(row);
  const state = {
    ...before,
    ...after,
    breaks: shownBreaks(breaks),
    external_id,
    confirmed,
    assignment_id: updated!.assignment_id,
  };
  timeTrackingEvents.record(tx, actor, verbOf(before, state), { before, after: state }, now);
  return { notes, newBreakIds: newBreaks.map(({ id }) => id) };
}

/** The system notes about a change: one for each kind of attribute that differs, with its old and new value. */
async function differences(
  db: Db,
  actor: WorkspaceActor,
  before: StoredTimeTracking,
  after: ChangedTimeTracking,
): Promise<string[]> {
  const { username: by, workspace } = actor;
  const notes: string[] = [];
  if (
    before.starts_at.getTime() !== after.starts_at.getTime() ||
    before.ends_at?.getTime() !== after.ends_at?.getTime()
  ) {
    notes.push(noteOf.times(by, before, after, workspace.time_zone));
  }
  const breaks = breaksOf(before);
  if (!sameBreaks(breaks, after.breaks)) notes.push(noteOf.breaks(by, breaks, after.breaks, workspace.time_zone));
  if (before.manual_pause_min !== after.manual_pause_min)
    notes.push(noteOf.manualPause(by, before.manual_pause_min, after.manual_pause_min));
  if (before.user_id !== after.user_id) {
    const names = await userNames(db, actor, [before.user_id, after.user_id]);
    notes.push(noteOf.user(by, names.get(before.user_id)!, names.get(after.user_id)!));
  }
  if (before.area_id !== after.area_id) {
    const ids = [before.area_id, after.area_id].filter((id) => id !== null);
    const names = await areaNames(db, actor, ids);
    const named = (id: number | null) => (id === null ? null : names.get(id)!);
    notes.push(noteOf.area(by, named(before.area_id), named(after.area_id)));
  }
  if (before.tag_ids.join() !== after.tag_ids.join()) {
    const titles = await tagTitles(db, actor, [...before.tag_ids, ...after.tag_ids]);
    const named = (ids: readonly number[]) => ids.map((id) => titles.get(id)!);
    notes.push(noteOf.tags(by, named(before.tag_ids), named(after.tag_ids)));
  }
  return notes;
}

/** The names of records, by id. */
const namesOf =
  (table: 'users' | 'areas' | 'tags', column: 'username' | 'name' | 'title') =>
  async (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<Map<number, string>> => {
    if (ids.length === 0) return new Map();
    const { rows } = await sql<{ id: number; name: string }>`
      select id, ${sql.ref(column)} as name from ${sql.table(table)}
      where account_id = ${accountId} and id = any(${ids}::bigint[])`.execute(db);
    return new Map(rows.map(({ id, name }) => [id, name]));
  };

const userNames = namesOf('users', 'username');
const areaNames = namesOf('areas', 'name');
export const tagTitles = namesOf('tags', 'title');
