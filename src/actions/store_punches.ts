import { randomUUID } from 'node:crypto';
import { breakWithoutTimes } from '../calendar/worked_time.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { pipeline } from '../db/pipeline.ts';
import { runAtCommit } from '../db/transactions.ts';
import { replaceBreaks, type WantedBreak } from '../time_trackings/break_rows.ts';
import type { Changes } from '../events/record.ts';
import { noteOf, notifyOfChanges } from '../time_trackings/change_notes.ts';
import { shownBreaks, timeTrackingEvents } from '../time_trackings/events.ts';
import { breaksOf, type StoredTimeTracking } from '../time_trackings/rows.ts';
import { differences } from '../time_trackings/store_changes.ts';
import { addTags } from '../time_trackings/tag_rows.ts';
import { secondsOfDate } from '../working_time_rules/periods.ts';
import { runningLimit } from '../working_time_rules/rules.ts';
import { storeViolations, workFacts, type ViolationChanges } from '../working_time_rules/rows.ts';
import { changeOf, judgeChange, readingOf, unstoredId } from '../working_time_rules/warnings.ts';
import type { RecordedWork } from '../working_time_rules/working_days.ts';
import type { ActionType } from './clock.ts';
import type { LockedClock } from './locked_clocks.ts';
import { punchQueries, type PunchRow } from './punch_rows.ts';
import { addTaggings } from './taggings.ts';

/*
 * What accepted punches do. What all punches need is written together, and with the commit where possible. Tags, breaks
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
  const rows: PunchRow[] = [];
  const unfinished: UnfinishedPunch[] = [];
  for (const punch of punches) {
    const judged = await judgePunch(tx, punch);
    const hasViolations = judged.changed.length + judged.outdated.length > 0;
    rows.push(punch.tracking ? await changeRunning(tx, punch, punch.tracking) : startTracking(punch));
    if (hasViolations || punch.tagIds.length > 0) unfinished.push({ punch, judged });
  }
  const queries = punchQueries(tx, rows);
  if (unfinished.length === 0) return queries.forEach((query) => runAtCommit(tx, query));
  const written = (await pipeline(tx, queries)).flat();
  const trackingIds = new Map(written.map(({ id, user_id }) => [user_id, id]));
  for (const one of unfinished) await finishPunch(tx, one, trackingIds.get(one.punch.member.id)!);
}

/** What is known about a punch once it is clear what it does. */
type Effect = Pick<PunchRow, 'notes' | 'changes' | 'tracking'>;

const rowOf = (punch: Punch, effect: Effect): PunchRow => ({
  accountId: punch.actor.accountId,
  workspaceId: punch.actor.workspace.id,
  userId: punch.member.id,
  actor: punch.actor,
  actionId: punch.actionId,
  actionType: punch.type,
  deviceId: punch.deviceId,
  actionTime: punch.time,
  now: punch.now,
  ...effect,
});

function startTracking(punch: Punch): PunchRow {
  const notes = [noteOf.creation(punch.actor.username)];
  const tracking = { uuid: randomUUID(), startsAt: punch.effectiveTime, assignmentId: punch.assignmentId };
  return rowOf(punch, { notes, changes: changesOfStart(punch), tracking });
}

/** The attributes of a new time tracking. */
const changesOfStart = ({ member, effectiveTime, assignmentId, tagIds }: Punch): Changes => {
  const started = {
    id: 0,
    user_id: member.id,
    starts_at: effectiveTime,
    breaks: [],
    default_break_duration: 0,
    force_custom_break_duration: false,
    confirmed: false,
    tag_ids: [...new Set(tagIds)].sort((a, b) => a - b),
    follower_ids: [],
    assignment_id: assignmentId,
    created_by: 'actions',
  };
  return timeTrackingEvents.eventOf('created', null, started)!.changes;
};

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
    forcedBreak: tracking && breakWithoutTimes({ ...tracking, breaks }, effectiveTime),
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
  const before = { id: tracking.id, ends_at: null, breaks: shownBreaks(breaksOf(tracking)), tag_ids: tracking.tag_ids };
  const after = { ...before, ends_at, breaks: shownBreaks(breaks), tag_ids };
  const { changes } = timeTrackingEvents.eventOf('updated', before, after)!;
  return rowOf(punch, { notes, changes, tracking: { id: tracking.id, endsAt: ends_at } });
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
  await addTaggings(tx, actor, { id: punch.actionId, user_id: punch.member.id }, tagIds, now);
  const changed = judged.changed.map((violation) =>
    violation.timeTrackingId === unstoredId ? { ...violation, timeTrackingId } : violation,
  );
  await storeViolations(tx, actor.accountId, [{ ...judged, changed }], now);
}
