import { randomUUID } from 'node:crypto';
import { breakDuration } from '../calendar/worked_time.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { runAtCommit } from '../db/transactions.ts';
import { replaceBreaks, type WantedBreak } from '../time_trackings/break_rows.ts';
import { noteOf, notifyOfChanges } from '../time_trackings/change_notes.ts';
import { breaksOf, type StoredTimeTracking } from '../time_trackings/rows.ts';
import { differences } from '../time_trackings/store_changes.ts';
import { addTags } from '../time_trackings/tag_rows.ts';
import type { NearbyTracking } from '../working_time_rules/nearby_trackings.ts';
import { warningsFor } from '../working_time_rules/rules.ts';
import { storeWarnings } from '../working_time_rules/warnings.ts';
import type { ActionType } from './clock.ts';
import type { LockedClock } from './locked_clocks.ts';
import { insertPunches, type PunchRow } from './punch_rows.ts';
import { addTaggings } from './taggings.ts';

/*
 * What accepted punches do. One statement writes what all punches need, together with the commit where possible. Breaks, tags
 * and warnings are written for each punch that has them.
 */

/** A punch that fits the clock of its user. */
export interface Punch extends LockedClock {
  readonly actor: WorkspaceActor;
  readonly actionId: string;
  readonly type: ActionType;
  readonly deviceId: string | null;
  /** When it was punched. */
  readonly time: Date;
  /** The start or end that it records. */
  readonly effectiveTime: Date;
  readonly tagIds: readonly number[];
  readonly now: Date;
}

/** Stores punches of one account and what they do. Each is of another user. */
export async function storePunches(tx: OpenTransaction, punches: readonly Punch[]): Promise<void> {
  if (punches.length === 0) return;
  const rows: PunchRow[] = [];
  for (const punch of punches)
    rows.push(punch.tracking ? await changeRunning(tx, punch, punch.tracking) : await startTracking(tx, punch));
  const insertion = insertPunches(tx, rows);
  const unfinished = punches.filter((punch) => punch.tagIds.length > 0 || hasOwnWarnings(punch));
  if (unfinished.length === 0) return runAtCommit(tx, insertion);
  const { rows: written } = await tx.executeQuery(insertion);
  const trackingIds = new Map(written.map(({ id, user_id }) => [user_id, id]));
  for (const punch of unfinished) await finishPunch(tx, punch, trackingIds.get(punch.member.id)!);
}

const rowOf = (punch: Punch, notes: readonly string[], tracking: PunchRow['tracking']): PunchRow => ({
  accountId: punch.actor.accountId,
  workspaceId: punch.actor.workspace.id,
  userId: punch.member.id,
  editorId: punch.actor.userId,
  actionId: punch.actionId,
  actionType: punch.type,
  deviceId: punch.deviceId,
  actionTime: punch.time,
  now: punch.now,
  notes,
  tracking,
});

/** A start. It can overlap other time trackings, so the warnings about those are checked. */
async function startTracking(tx: OpenTransaction, punch: Punch): Promise<PunchRow> {
  if (!hasOwnWarnings(punch)) await storeWarningsWith(tx, punch, unstoredTracking(punch));
  const notes = [noteOf.creation(punch.actor.username)];
  return rowOf(punch, notes, { uuid: randomUUID(), startsAt: punch.effectiveTime });
}

/** The time tracking that a start creates. It has no id yet, so no warnings about it can be stored. */
const unstoredTracking = ({ member, nearby, effectiveTime }: Punch): NearbyTracking => ({
  range_number: nearby[0]?.range_number ?? 1,
  id: Number.MAX_SAFE_INTEGER,
  user_id: member.id,
  starts_at: effectiveTime,
  ends_at: null,
  break_s: 0,
  is_affected: false,
  stored_warnings: [],
});

/** Whether a start is so long ago that there are warnings about its time tracking. They are stored once it has an id. */
const hasOwnWarnings = (punch: Punch): boolean =>
  punch.tracking === null &&
  warningsFor(unstoredTracking(punch), punch.nearby, punch.actor.workspace.time_zone, punch.now).length > 0;

const storeWarningsWith = (
  tx: OpenTransaction,
  { actor, nearby, now }: Punch,
  started: NearbyTracking,
): Promise<void> =>
  storeWarnings(
    tx,
    actor,
    [...nearby, started].sort((one, other) => one.starts_at.getTime() - other.starts_at.getTime() || one.id - other.id),
    now,
  );

/** An end, or the start or end of a break. */
async function changeRunning(tx: OpenTransaction, punch: Punch, tracking: StoredTimeTracking): Promise<PunchRow> {
  const { actor, nearby, now } = punch;
  const { breaks, ends_at } = trackingAfter(punch, tracking);
  const tag_ids = [...new Set([...tracking.tag_ids, ...punch.tagIds])].sort((a, b) => a - b);
  const notes = await differences(tx, actor, tracking, { ...tracking, ends_at, breaks, tag_ids });
  await replaceBreaks(tx, tracking, breaks, now);
  if (tag_ids.length > tracking.tag_ids.length) await addTags(tx, actor.accountId, [tracking.id], punch.tagIds);
  await notifyOfChanges(tx, actor, [{ tracking, notes }], now);
  const endedBreaks = breaks.filter((pause) => pause.ends_at !== null);
  const after = { ends_at, break_s: breakDuration({ ...tracking, breaks: endedBreaks }, now) ?? 0 };
  const nearbyAfter = nearby.map((other) => (other.id === tracking.id ? { ...other, ...after } : other));
  await storeWarnings(tx, actor, nearbyAfter, now);
  return rowOf(punch, notes, { id: tracking.id, endsAt: ends_at });
}

/** The breaks and the end of the running time tracking after a punch. An end also ends an open break. */
function trackingAfter(
  { type, effectiveTime }: Punch,
  tracking: StoredTimeTracking,
): { breaks: WantedBreak[]; ends_at: Date | null } {
  const breaks = breaksOf(tracking);
  if (type === 'start-break')
    return { breaks: [...breaks, { starts_at: effectiveTime, ends_at: null }], ends_at: null };
  const closed = breaks.map((pause) => ({ ...pause, ends_at: pause.ends_at ?? effectiveTime }));
  return { breaks: closed, ends_at: type === 'end' ? effectiveTime : null };
}

/** Stores what needs the id of the action and its time tracking. */
async function finishPunch(tx: OpenTransaction, punch: Punch, timeTrackingId: number): Promise<void> {
  const { actor, tagIds } = punch;
  if (punch.tracking === null) await addTags(tx, actor.accountId, [timeTrackingId], tagIds);
  await addTaggings(tx, actor, punch.actionId, tagIds, punch.now);
  if (hasOwnWarnings(punch))
    await storeWarningsWith(tx, punch, { ...unstoredTracking(punch), id: timeTrackingId, is_affected: true });
}
