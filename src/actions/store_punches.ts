import { randomUUID } from 'node:crypto';
import type { WorkspaceActor } from '../core/permissions.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { runAtCommit } from '../db/transactions.ts';
import { replaceBreaks, type WantedBreak } from '../time_trackings/break_rows.ts';
import { noteOf, notifyOfChanges } from '../time_trackings/change_notes.ts';
import { breaksOf, type StoredTimeTracking } from '../time_trackings/rows.ts';
import { differences } from '../time_trackings/store_changes.ts';
import { addTags } from '../time_trackings/tag_rows.ts';
import { judgeChange, readingOf, unstoredId, type ViolationChanges } from '../working_time_rules/judged_work.ts';
import { secondsOfDate } from '../working_time_rules/periods.ts';
import { runningLimit } from '../working_time_rules/rules.ts';
import { storeViolations } from '../working_time_rules/store_violations.ts';
import { changeOf } from '../working_time_rules/warnings.ts';
import { workFacts } from '../working_time_rules/work_facts.ts';
import type { RecordedWork } from '../working_time_rules/working_days.ts';
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
  const unfinished: UnfinishedPunch[] = [];
  for (const punch of punches) {
    const judged = await judgePunch(tx, punch);
    rows.push(punch.tracking ? await changeRunning(tx, punch, punch.tracking) : startTracking(punch));
    const hasViolations = judged.changed.length + judged.outdated.length > 0;
    if (hasViolations || punch.tagIds.length > 0) unfinished.push({ punch, judged });
  }
  const insertion = insertPunches(tx, rows);
  if (unfinished.length === 0) return runAtCommit(tx, insertion);
  const { rows: written } = await tx.executeQuery(insertion);
  const trackingIds = new Map(written.map(({ id, user_id }) => [user_id, id]));
  for (const one of unfinished) await finishPunch(tx, one, trackingIds.get(one.punch.member.id)!);
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

function startTracking(punch: Punch): PunchRow {
  const notes = [noteOf.creation(punch.actor.username)];
  return rowOf(punch, notes, { uuid: randomUUID(), startsAt: punch.effectiveTime });
}

/** Judges the work of the user as it is after the punch. */
async function judgePunch(tx: OpenTransaction, punch: Punch): Promise<ViolationChanges> {
  const { actor, member, tracking, effectiveTime, now } = punch;
  if (!concernsRules(punch)) return { userId: member.id, outdated: [], changed: [] };
  const { breaks, ends_at } = tracking ? trackingAfter(punch, tracking) : { breaks: [], ends_at: null };
  const after: RecordedWork = {
    id: tracking?.id ?? unstoredId,
    workspaceId: actor.workspace.id,
    from: secondsOfDate(tracking?.starts_at ?? effectiveTime),
    to: ends_at && secondsOfDate(ends_at),
    breaks: breaks.flatMap((pause) =>
      pause.ends_at === null ? [] : [{ from: secondsOfDate(pause.starts_at), to: secondsOfDate(pause.ends_at) }],
    ),
    forcedBreak: tracking?.force_custom_break_duration ? tracking.custom_break_s : null,
  };
  const range = { user_id: member.id, starts_at: tracking?.starts_at ?? effectiveTime, ends_at };
  const edit = (trackings: readonly RecordedWork[]) => [...trackings.filter(({ id }) => id !== after.id), after];
  const change = { ...changeOf(range, now), edit };
  const facts = punch.facts ?? (await workFacts(tx, readingOf(actor, [change])))[0]!.facts;
  return judgeChange(tx, actor, change, facts, now);
}

/** Only ends add to finished work. A start can overlap other work, or lie so far back that it has been running for too long. */
const concernsRules = ({ type, isOverlapping, effectiveTime, now }: Punch): boolean =>
  type === 'end' ||
  (type === 'start' && (isOverlapping || now.getTime() - effectiveTime.getTime() > runningLimit.seconds * 1000));

/** An end, or the start or end of a break. */
async function changeRunning(tx: OpenTransaction, punch: Punch, tracking: StoredTimeTracking): Promise<PunchRow> {
  const { actor, now } = punch;
  const { breaks, ends_at } = trackingAfter(punch, tracking);
  const tag_ids = [...new Set([...tracking.tag_ids, ...punch.tagIds])].sort((a, b) => a - b);
  const notes = await differences(tx, actor, tracking, { ...tracking, ends_at, breaks, tag_ids });
  await replaceBreaks(tx, tracking, breaks, now);
  if (tag_ids.length > tracking.tag_ids.length) await addTags(tx, actor.accountId, [tracking.id], punch.tagIds);
  await notifyOfChanges(tx, actor, [{ tracking, notes }], now);
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

/** A punch whose tags or violations are still to be stored. */
interface UnfinishedPunch {
  readonly punch: Punch;
  readonly judged: ViolationChanges;
}

/** Stores what needs the id of the action and its time tracking. */
async function finishPunch(
  tx: OpenTransaction,
  { punch, judged }: UnfinishedPunch,
  timeTrackingId: number,
): Promise<void> {
  const { actor, tagIds, now } = punch;
  if (punch.tracking === null) await addTags(tx, actor.accountId, [timeTrackingId], tagIds);
  await addTaggings(tx, actor, punch.actionId, tagIds, now);
  const changed = judged.changed.map((violation) =>
    violation.timeTrackingId === unstoredId ? { ...violation, timeTrackingId } : violation,
  );
  await storeViolations(tx, actor.accountId, [{ ...judged, changed }], now);
}
