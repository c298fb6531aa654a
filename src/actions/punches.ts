import { randomUUID } from 'node:crypto';
import { forbidden, refuse } from '../core/errors.ts';
import { numericIds, orderedUuid, unknownIds, type Id } from '../core/ids.ts';
import { mayRecordTimeFor, mayTag, type WorkspaceActor } from '../core/permissions.ts';
import { localForm, parseTime } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { lastly } from '../db/tenancy.ts';
import { tagProblems } from '../tags/tags.ts';
import type { Around } from '../time_trackings/around.ts';
import { noteOf } from '../time_trackings/changes.ts';
import { differences } from '../time_trackings/differences.ts';
import { tellFollowers } from '../time_trackings/effects.ts';
import { breaksOf, shownId, type StoredTimeTracking } from '../time_trackings/rows.ts';
import { replaceBreaks, type WantedBreak } from '../time_trackings/stored_breaks.ts';
import { addTags } from '../time_trackings/tags.ts';
import { warningsFor } from '../time_trackings/warning_rules.ts';
import { storeJudgements } from '../time_trackings/warnings.ts';
import { breakDuration } from '../time_trackings/worked_time.ts';
import type { ShownAction } from './actions.ts';
import { judge, type ActionType, type Running } from './clock.ts';
import { lockClock, type ClockState } from './clock_state.ts';
import { storeFurther, storeStart, type StoredPunch } from './stored_punches.ts';
import { addTaggings } from './taggings.ts';

export interface NewAction {
  action_type: ActionType;
  /** Now where none is given. */
  action_time?: string;
  /** The actor where none is named. */
  user_id?: Id;
  device_id?: Id | null;
  tag_ids: readonly Id[];
}

/** Records a punch and does what it says. */
export async function createAction(db: Db, actor: WorkspaceActor, input: NewAction, now: Date): Promise<ShownAction> {
  const userRef = input.user_id ?? actor.userId!;
  const given = input.action_time === undefined ? null : parseTime(input.action_time);
  const { user, clock } = await lockClock(db, actor, userRef, given ?? now, now);
  if (user && !mayRecordTimeFor(actor, user)) throw forbidden();
  if (user && input.tag_ids.length > 0 && !mayTag(actor, { user_id: user.id, area_ids: user.area_ids })) throw forbidden();

  const { problems, time, effective } = judge({ type: input.action_type, given }, clock && runningOf(clock), now, (at) =>
    localForm(at, actor.workspace.time_zone),
  );
  refuse([
    ...(user ? problems : unknownIds('user_id', [userRef], 'user of this workspace')),
    ...(await tagProblems(db, actor, 'taggings_attributes', input.tag_ids)),
  ]);

  const tagIds = numericIds(input.tag_ids).numbers;
  const punch: Punched = {
    accountId: actor.accountId,
    workspaceId: actor.workspace.id,
    userId: user!.id,
    editorId: actor.userId,
    actionId: orderedUuid(),
    actionType: input.action_type,
    deviceId: input.device_id === undefined || input.device_id === null ? null : String(input.device_id),
    actionTime: time,
    now,
  };
  const { tracking } = clock!;
  const ended = tracking
    ? await carryOn(db, actor, { ...clock!, tracking }, punch, effective, tagIds)
    : await begin(db, actor, clock!, punch, effective, tagIds);
  return {
    account_id: punch.accountId,
    id: punch.actionId,
    workspace_id: punch.workspaceId,
    user_id: punch.userId,
    action_type: punch.actionType,
    device_id: punch.deviceId,
    action_time: time,
    created_at: now,
    updated_at: now,
    working_session_id: ended && shownId(ended),
    area_ids: [...user!.area_ids],
  };
}

type Punched = Omit<StoredPunch, 'notes'>;

const runningOf = ({ tracking, lastPunch }: ClockState): Running | null => tracking && { starts_at: tracking.starts_at, breaks: breaksOf(tracking), lastPunch };

/** Begins a tracking. Nothing has ended. */
async function begin(db: Db, actor: WorkspaceActor, { around }: ClockState, punch: Punched, at: Date, tagIds: readonly number[]): Promise<null> {
  const start = { ...punch, uuid: randomUUID(), startsAt: at, notes: [noteOf.creation(actor.username)] };
  const unnamed: Around = { ...fresh, id: Number.MAX_SAFE_INTEGER, user_id: punch.userId, starts_at: at };
  if (tagIds.length === 0 && warningsFor(unnamed, around, actor.workspace.time_zone, punch.now).length === 0) {
    await storeJudgements(db, actor, byStart([...around, unnamed]), punch.now);
    await lastly(db, storeStart.query(db, start));
    return null;
  }
  const [tracking] = await storeStart(db, start);
  await addTags(db, actor.accountId, [tracking!.id], tagIds);
  await addTaggings(db, actor, punch.actionId, tagIds, punch.now);
  await storeJudgements(db, actor, byStart([...around, { ...unnamed, id: tracking!.id, is_touched: true }]), punch.now);
  return null;
}

/** A tracking that others overlap, and that is not judged itself. */
const fresh = { number: 1, ends_at: null, break_s: 0, is_touched: false, standing: [] };

const byStart = (trackings: readonly Around[]): Around[] =>
  [...trackings].sort((one, other) => one.starts_at.getTime() - other.starts_at.getTime() || one.id - other.id);

/** Ends what is running, or begins or ends a break of it. Returns what has ended. */
async function carryOn(
  db: Db,
  actor: WorkspaceActor,
  { tracking, around }: ClockState & { readonly tracking: StoredTimeTracking },
  punch: Punched,
  at: Date,
  tagIds: readonly number[],
): Promise<StoredTimeTracking | null> {
  const { breaks, ends_at } = stepOf(punch.actionType as ActionType, tracking, at);
  const tag_ids = [...new Set([...tracking.tag_ids, ...tagIds])].sort((a, b) => a - b);
  const notes = await differences(db, actor, tracking, { ...tracking, ends_at, breaks, tag_ids });
  await replaceBreaks(db, tracking, breaks, punch.now);
  if (tag_ids.length > tracking.tag_ids.length) await addTags(db, actor.accountId, [tracking.id], tagIds);
  await tellFollowers(db, actor, [{ tracking, notes }], punch.now);
  const finished = breaks.filter((pause) => pause.ends_at !== null);
  const after = { ends_at, break_s: breakDuration({ ...tracking, breaks: finished }, punch.now) ?? 0 };
  const judged = around.map((other) => (other.id === tracking.id ? { ...other, ...after } : other));
  await storeJudgements(db, actor, judged, punch.now);
  const step = storeFurther.query(db, { ...punch, timeTrackingId: tracking.id, endsAt: ends_at, notes });
  if (tagIds.length === 0) await lastly(db, step);
  else {
    await db.executeQuery(step);
    await addTaggings(db, actor, punch.actionId, tagIds, punch.now);
  }
  return ends_at && tracking;
}

/** What a punch makes of the running tracking; an end also ends an open break. */
function stepOf(type: ActionType, tracking: StoredTimeTracking, at: Date): { breaks: WantedBreak[]; ends_at: Date | null } {
  const breaks = breaksOf(tracking);
  if (type === 'start-break') return { breaks: [...breaks, { starts_at: at, ends_at: null }], ends_at: null };
  const closed = breaks.map((pause) => ({ ...pause, ends_at: pause.ends_at ?? at }));
  return { breaks: closed, ends_at: type === 'end' ? at : null };
}
