import { randomUUID } from 'node:crypto';
import { forbidden, refuse } from '../core/errors.ts';
import { numericIds, orderedUuid, unknownIds, type Id } from '../core/ids.ts';
import { mayRecordTimeFor, mayTag, type WorkspaceActor } from '../core/permissions.ts';
import { localForm, parseTime } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { tagProblems } from '../tags/tags.ts';
import { noteOf } from '../time_trackings/changes.ts';
import { recordChanges } from '../time_trackings/effects.ts';
import { findMember } from '../time_trackings/references.ts';
import { breaksOf, type TimeTrackingRow } from '../time_trackings/rows.ts';
import { storeTimeTracking, type TimeTrackingStep } from '../time_trackings/storing.ts';
import { addTags } from '../time_trackings/tags.ts';
import { judgeAround } from '../time_trackings/warnings.ts';
import { findAction, type ActionRow } from './actions.ts';
import { judge, type ActionType, type Running } from './clock.ts';
import { lockRunning } from './running.ts';
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
export async function createAction(db: Db, actor: WorkspaceActor, input: NewAction, now: Date): Promise<ActionRow> {
  const userRef = input.user_id ?? actor.userId!;
  const user = await findMember(db, actor, userRef);
  if (user && !mayRecordTimeFor(actor, user)) throw forbidden();
  if (user && input.tag_ids.length > 0 && !mayTag(actor, { user_id: user.id, area_ids: user.area_ids })) throw forbidden();

  const tracking = user && (await lockRunning(db, actor, 'user_id', user.id));
  const punch = { type: input.action_type, given: input.action_time === undefined ? null : parseTime(input.action_time) };
  const { problems, time, effective } = judge(punch, tracking ? await runningOf(db, tracking) : null, now, (at) => localForm(at, actor.workspace.time_zone));
  refuse([
    ...(user ? problems : unknownIds('user_id', [userRef], 'user of this workspace')),
    ...(await tagProblems(db, actor, 'taggings_attributes', input.tag_ids)),
  ]);

  const tagIds = numericIds(input.tag_ids).numbers;
  const trackingId = tracking
    ? await carryOn(db, actor, tracking, input.action_type, effective, tagIds, now)
    : await begin(db, actor, user!.id, effective, tagIds, now);
  // Another start came first: this one is now told what is running since when.
  if (trackingId === undefined) return createAction(db, actor, input, now);

  const id = orderedUuid();
  await db
    .insertInto('actions')
    .values({
      id,
      account_id: actor.accountId,
      workspace_id: actor.workspace.id,
      user_id: user!.id,
      time_tracking_id: trackingId,
      action_type: input.action_type,
      device_id: input.device_id === undefined || input.device_id === null ? null : String(input.device_id),
      action_time: time,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await addTaggings(db, actor, id, tagIds, now);
  return findAction(db, actor, id);
}

async function runningOf(db: Db, tracking: TimeTrackingRow): Promise<Running> {
  const lastPunch = await db
    .selectFrom('actions')
    .select(['action_type', 'action_time'])
    .where('account_id', '=', tracking.account_id)
    .where('time_tracking_id', '=', tracking.id)
    .orderBy('action_time', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { starts_at: tracking.starts_at, breaks: breaksOf(tracking), lastPunch: lastPunch ?? null };
}

/** A running tracking of its own UUID; undefined where another one runs by now. The index decides, whoever comes at once. */
async function begin(db: Db, actor: WorkspaceActor, userId: number, at: Date, tagIds: readonly number[], now: Date): Promise<number | undefined> {
  const tracking = await db
    .insertInto('time_trackings')
    .values({
      account_id: actor.accountId,
      uuid: randomUUID(),
      workspace_id: actor.workspace.id,
      user_id: userId,
      starts_at: at,
      actual_starts_at: at,
      created_by: 'actions',
      last_editor_id: actor.userId,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'workspace_id', 'user_id']).where('ends_at', 'is', null).doNothing())
    .returning(['id', 'user_id', 'starts_at', 'ends_at'])
    .executeTakeFirst();
  if (!tracking) return undefined;
  await addTags(db, actor.accountId, [tracking.id], tagIds);
  await recordChanges(db, actor, [{ tracking: { id: tracking.id, follower_ids: [] }, notes: [noteOf.creation(actor.username)] }], now);
  await judgeAround(db, actor, [tracking], now);
  return tracking.id;
}

async function carryOn(
  db: Db,
  actor: WorkspaceActor,
  tracking: TimeTrackingRow,
  type: ActionType,
  at: Date,
  tagIds: readonly number[],
  now: Date,
): Promise<number> {
  await storeTimeTracking(db, actor, tracking, { ...stepOf(type, tracking, at), tag_ids: [...tracking.tag_ids, ...tagIds] }, now);
  return tracking.id;
}

/** What a punch changes about the running tracking; an end also ends an open break. */
function stepOf(type: ActionType, tracking: TimeTrackingRow, at: Date): TimeTrackingStep {
  const breaks = breaksOf(tracking);
  if (type === 'start-break') return { breaks: [...breaks, { starts_at: at, ends_at: null }] };
  const closed = breaks.map((pause) => ({ ...pause, ends_at: pause.ends_at ?? at }));
  return type === 'end' ? { breaks: closed, ends_at: at } : { breaks: closed };
}
