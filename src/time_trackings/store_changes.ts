import type { Span } from '../calendar/worked_time.ts';
import type { Actor, WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { isAnyOf } from '../db/rows_by_ids.ts';
import { refreshWarnings } from '../working_time_rules/warnings.ts';
import { replaceBreaks, type WantedBreak } from './break_rows.ts';
import { isSameWork, noteOf, recordChanges, sameBreaks } from './change_notes.ts';
import { notifyOfChangedTime } from './protection/notices.ts';
import { breaksOf, type StoredTimeTracking, type TimeTrackingRow } from './rows.ts';
import { setTags } from './tag_rows.ts';

/** The changeable part of a time tracking, after a change. */
export interface ChangedTimeTracking extends Span {
  readonly user_id: number;
  readonly area_id: number | null;
  readonly tag_ids: readonly number[];
  readonly breaks: readonly Span[];
}

/** What a change does to the confirmation of a time tracking. */
export interface ConfirmationChange {
  readonly confirmed: boolean;
  /** The system note about it. */
  readonly note: string;
}

/** What changes about a time tracking. `breaks` are all its breaks; stored ones have their ids. */
export type StoredChange = Partial<Omit<ChangedTimeTracking, 'breaks'>> & {
  readonly breaks?: readonly WantedBreak[];
  /** Absent where the time tracking stays confirmed or unconfirmed. */
  readonly confirmation?: ConfirmationChange;
};

/**
 * Stores a change to a time tracking with a note for each difference, notifies its followers and its user, and refreshes the warnings. The
 * caller has locked the time tracking and its users, old and new, and has checked the change. Returns the ids of new breaks.
 */
export async function storeChange(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  row: TimeTrackingRow,
  change: StoredChange,
  now: Date,
): Promise<number[]> {
  const { confirmation, ...changed } = change;
  const { starts_at, ends_at, user_id, area_id, breaks, ...rest } = { ...row, breaks: breaksOf(row), ...changed };
  const tag_ids = [...new Set(rest.tag_ids)].sort((a, b) => a - b);
  const after = { starts_at, ends_at, user_id, area_id, tag_ids, breaks };
  const notes = [...(await differences(tx, actor, row, after)), ...(confirmation ? [confirmation.note] : [])];
  if (notes.length === 0) return [];
  await tx
    .updateTable('time_trackings')
    .set({
      starts_at,
      ends_at,
      user_id,
      area_id,
      confirmed: confirmation?.confirmed ?? row.confirmed,
      actual_ends_at: row.actual_ends_at ?? ends_at,
      last_editor_id: actor.userId,
      updated_at: now,
    })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', row.id)
    .execute();
  const newBreakIds = await replaceBreaks(tx, row, breaks, now);
  if (row.tag_ids.join() !== tag_ids.join()) await setTags(tx, actor, row.id, tag_ids);
  await recordChanges(tx, actor, [{ tracking: row, notes }], now);
  if (!isSameWork({ ...row, breaks: breaksOf(row) }, after))
    await notifyOfChangedTime(tx, actor, { ...row, user_ids: [row.user_id, user_id], notes }, now);
  await refreshWarnings(tx, actor, [row, after], now);
  return newBreakIds;
}

/** The system notes about a change: one for each kind of attribute that differs, with its old and new value. */
export async function differences(
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
  if (before.user_id !== after.user_id) {
    const [old, now] = await userNames(db, actor, [before.user_id, after.user_id]);
    notes.push(noteOf.user(by, old!, now!));
  }
  if (before.area_id !== after.area_id) {
    const names = await areaNames(db, actor, [before.area_id, after.area_id]);
    notes.push(noteOf.area(by, names.get(before.area_id) ?? null, names.get(after.area_id) ?? null));
  }
  if (before.tag_ids.join() !== after.tag_ids.join()) {
    const titles = await tagTitles(db, actor, [...before.tag_ids, ...after.tag_ids]);
    const named = (ids: readonly number[]) => ids.map((id) => titles.get(id)!);
    notes.push(noteOf.tags(by, named(before.tag_ids), named(after.tag_ids)));
  }
  return notes;
}

async function userNames(db: Db, { accountId }: Actor, ids: readonly number[]): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('account_id', '=', accountId)
    .where(isAnyOf('id', ids))
    .execute();
  return ids.map((id) => rows.find((row) => row.id === id)!.username);
}

async function areaNames(
  db: Db,
  { accountId }: Actor,
  ids: readonly (number | null)[],
): Promise<Map<number | null, string>> {
  const known = ids.filter((id) => id !== null);
  const rows = await db
    .selectFrom('areas')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where(isAnyOf('id', known))
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

export async function tagTitles(db: Db, { accountId }: Actor, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('tags')
    .select(['id', 'title'])
    .where('account_id', '=', accountId)
    .where(isAnyOf('id', ids))
    .execute();
  return new Map(rows.map((row) => [row.id, row.title]));
}
