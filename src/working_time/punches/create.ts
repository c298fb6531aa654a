import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import { nearestAssignment } from '../time_trackings/assignment_links.ts';
import { refuse } from '../../platform/core/errors.ts';
import { numericId, numericIds, orderedUuid, shownId, type Id } from '../../platform/core/ids.ts';
import { authorize, may, type WorkspaceActor } from '../../platform/core/permissions.ts';
import { localForm, maxAheadMs, parseTime } from '../../platform/core/time.ts';
import { memberLock } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { lookUp, runAtCommit } from '../../platform/db/transactions.ts';
import { problemsWithTags, tagsQuery } from '../../organisation/tags/tags.ts';
import { insertTimeTracking } from '../time_trackings/insert.ts';
import { backdatingProblems, unknownUser } from '../time_trackings/problems.ts';
import { breaksOf, storedTimeTrackings, type StoredTimeTracking } from '../time_trackings/rows.ts';
import { storeChange, type StoredChange } from '../time_trackings/store_changes.ts';
import { overlappingWork } from '../working_time_rules/rows.ts';
import { runningLimit } from '../working_time_rules/rules.ts';
import type { ShownAction } from './actions.ts';
import { checkPunch, type ActionType, type RunningClock } from './clock.ts';
import { addTaggings } from './taggings.ts';

type ActionAttributes = components['schemas']['ActionCreation']['data']['attributes'];

/** A punch as the request gives it. Without a time it happens now; without a user it is the actor's. */
export type NewAction = Omit<ActionAttributes, 'taggings_attributes'> & { tag_ids: readonly Id[] };

/**
 * Records a punch: it starts or ends a time tracking or a break. It waits for the database three times: for the look-ups, for the time
 * tracking, and for the commit, with which events and the action go out. If the rules of working time ask for more, it waits again.
 */
export async function createAction(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  input: NewAction,
  now: Date,
): Promise<ShownAction> {
  const { action_type: type, tag_ids: tagRefs } = input;
  const givenTime = input.action_time === undefined ? null : parseTime(input.action_time);
  const userRef = input.user_id ?? actor.userId!;
  const owner = { accountId: actor.accountId, workspaceId: actor.workspace.id, userId: numericId(userRef) ?? 0 };
  // The user is locked before their clock is read, so each of their punches sees the one before it.
  const [[member], [running], [start], tags] = await lookUp(tx, [
    memberLock(tx, owner),
    clockQuery(tx, owner),
    type === 'start' ? startQuery(tx, owner, givenTime ?? now, now) : undefined,
    tagsQuery(tx, actor, tagRefs),
  ]);

  if (member) authorize(actor, 'record_time', 'user', member);
  const facts = member && { user_id: member.id, user_rank: member.rank, area_ids: member.area_ids };
  if (facts && tagRefs.length > 0) authorize(actor, 'tag', 'time_tracking', facts);

  const show = (shown: Date): string => localForm(shown, actor.workspace.time_zone);
  const { problems, time, effectiveTime } = checkPunch(
    { type, givenTime },
    running ? clockOf(running) : null,
    now,
    show,
  );
  // An employee starts only as far back as the workspace allows. What they have started, they can always end.
  const isLimited = type === 'start' && !!facts && !may(actor, 'exceed_limits', 'time_tracking', facts);
  refuse([
    ...(member ? problems : unknownUser(userRef, 'user_id')),
    ...(isLimited && givenTime ? await backdatingProblems(tx, actor, member!.id, { action_time: givenTime }, now) : []),
    ...problemsWithTags('taggings_attributes', tagRefs, tags),
  ]);

  const { id: user_id, rank: user_rank, area_ids } = member!;
  const tagIds = numericIds(tagRefs).numbers;
  if (running) await storeChange(tx, actor, running, changeBy(type, running, effectiveTime, tagIds), now);
  const tracking =
    running ?? (await startTimeTracking(tx, actor, { user_id, starts_at: effectiveTime, ...start! }, tagIds, now));
  const action = {
    account_id: actor.accountId,
    id: orderedUuid(),
    workspace_id: actor.workspace.id,
    user_id,
    time_tracking_id: tracking.id,
    action_type: type,
    device_id: input.device_id === undefined || input.device_id === null ? null : String(input.device_id),
    action_time: time,
    created_at: now,
    updated_at: now,
  };
  runAtCommit(tx, tx.insertInto('actions').values(action));
  addTaggings(tx, actor, action, tagIds, now);
  return { ...action, working_session_id: type === 'end' ? shownId(tracking) : null, user_rank, area_ids };
}

/** The owner of a clock. A user has one in each workspace. */
interface ClockOwner {
  readonly accountId: number;
  readonly workspaceId: number;
  readonly userId: number;
}

/** The query for the running time tracking of a user, with its last punch. */
const clockQuery = (tx: OpenTransaction, { accountId, workspaceId, userId }: ClockOwner) =>
  storedTimeTrackings(tx, accountId)
    .where('time_trackings.workspace_id', '=', workspaceId)
    .where('time_trackings.user_id', '=', userId)
    .where('time_trackings.ends_at', 'is', null)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('actions')
          .select(['action_type', 'action_time'])
          .where('account_id', '=', accountId)
          .whereRef('time_tracking_id', '=', 'time_trackings.id')
          .orderBy('action_time', 'desc')
          .orderBy('actions.id', 'desc')
          .limit(1)
          .as('last_punch'),
      (join) => join.onTrue(),
    )
    .select(['last_punch.action_type', 'last_punch.action_time']);

interface Running extends StoredTimeTracking {
  /** The last punch; null if the time tracking was created by hand. */
  readonly action_type: string | null;
  readonly action_time: Date | null;
}

const clockOf = (running: Running): RunningClock => ({
  starts_at: running.starts_at,
  breaks: breaksOf(running),
  lastPunch: running.action_time && { action_type: running.action_type!, action_time: running.action_time },
});

/** The query for what a start depends on: the shift that it belongs to, and whether it overlaps other work, in any workspace. */
const startQuery = (tx: OpenTransaction, { accountId, workspaceId, userId }: ClockOwner, from: Date, now: Date) => {
  // A punch may take effect a little later than asked for, if the device of the last punch was ahead.
  const to = new Date(Math.max(from.getTime(), now.getTime()) + maxAheadMs);
  return sql<Pick<Start, 'assignment_id' | 'isOverlapping'>>`
    select ${nearestAssignment({ accountId, workspaceId, userId, startsAt: from })} as assignment_id,
      exists ${overlappingWork({ accountId, userId, from, to })} as "isOverlapping"`.compile(tx);
};

interface Start {
  readonly user_id: number;
  readonly starts_at: Date;
  readonly assignment_id: string | null;
  readonly isOverlapping: boolean;
}

/** Starts a time tracking. */
function startTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  { user_id, starts_at, assignment_id, isOverlapping }: Start,
  tagIds: readonly number[],
  now: Date,
) {
  const needsJudgement = isOverlapping || now.getTime() - starts_at.getTime() > runningLimit.seconds * 1000;
  const row = {
    uuid: randomUUID(),
    user_id,
    starts_at,
    actual_starts_at: starts_at,
    assignment_id,
    created_by: 'actions',
    created_at: now,
    updated_at: now,
  };
  return insertTimeTracking(tx, actor, row, { breaks: [], tagIds, needsJudgement }, now);
}

/** The change of the running time tracking by a punch. An end also ends an open break. */
function changeBy(type: ActionType, running: Running, at: Date, tagIds: readonly number[]): StoredChange {
  const tag_ids = [...running.tag_ids, ...tagIds];
  const breaks = breaksOf(running);
  if (type === 'start-break') return { tag_ids, breaks: [...breaks, { starts_at: at, ends_at: null }] };
  const ended = breaks.map((pause) => ({ ...pause, ends_at: pause.ends_at ?? at }));
  return { tag_ids, breaks: ended, ends_at: type === 'end' ? at : null };
}
