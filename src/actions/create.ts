import type { components } from '../../generated/v3.ts';
import { refuse, type Problem } from '../core/errors.ts';
import { numericId, numericIds, orderedUuid, unknownIds, type Id } from '../core/ids.ts';
import { authorize, may, type WorkspaceActor } from '../core/permissions.ts';
import { localForm, parseTime } from '../core/time.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { tagProblems } from '../tags/tags.ts';
import { shownId } from '../core/ids.ts';
import { backdatingProblems } from '../time_trackings/problems.ts';
import { breaksOf } from '../time_trackings/rows.ts';
import type { ShownAction } from './actions.ts';
import { checkPunch } from './clock.ts';
import { lockClocks, type LockedClock, type PunchTarget } from './locked_clocks.ts';
import { storePunches, type Punch } from './store_punches.ts';

type ActionAttributes = components['schemas']['ActionCreation']['data']['attributes'];

/** A punch as the request gives it. Without a time it happens now; without a user it is the actor's. */
export type NewAction = Omit<ActionAttributes, 'taggings_attributes'> & { tag_ids: readonly Id[] };

/** A punch that was requested. */
interface PunchRequest {
  readonly actor: WorkspaceActor;
  readonly input: NewAction;
  readonly now: Date;
}

/** Records a punch: it starts or ends a time tracking or a break. */
export async function createAction(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  input: NewAction,
  now: Date,
): Promise<ShownAction> {
  const request = { actor, input, now };
  const target = targetOf(request);
  const clocks = await lockClocks(tx, [target]);
  const punch = await acceptPunch(tx, request, clocks.get(target.userId));
  await storePunches(tx, [punch]);
  return shownAction(punch);
}

const userRefOf = ({ actor, input }: PunchRequest): Id => input.user_id ?? actor.userId!;

const givenTime = ({ action_time }: NewAction): Date | null =>
  action_time === undefined ? null : parseTime(action_time);

/** The clock that a request is for. A reference that cannot be an id becomes 0, which no user has. */
const targetOf = (request: PunchRequest): PunchTarget => ({
  accountId: request.actor.accountId,
  workspace: request.actor.workspace,
  userId: numericId(userRefOf(request)) ?? 0,
  type: request.input.action_type,
  time: givenTime(request.input) ?? request.now,
  now: request.now,
});

/** The accepted punch, or an error with everything that is wrong with it. The clock is absent for users outside the workspace. */
async function acceptPunch(
  tx: OpenTransaction,
  request: PunchRequest,
  locked: LockedClock | undefined,
): Promise<Punch> {
  const { actor, input, now } = request;
  if (locked) {
    const { id, rank, area_ids } = locked.member;
    authorize(actor, 'record_time', 'user', locked.member);
    if (input.tag_ids.length > 0) authorize(actor, 'tag', 'time_tracking', { user_id: id, user_rank: rank, area_ids });
  }
  const { problems, time, effectiveTime } = checkPunch(
    { type: input.action_type, givenTime: givenTime(input) },
    locked ? runningIn(locked) : null,
    now,
    (shown) => localForm(shown, actor.workspace.time_zone),
  );
  refuse([
    ...(locked ? problems : unknownIds('user_id', [userRefOf(request)], 'user of this workspace')),
    ...(locked ? await earlyStartProblems(tx, request, locked) : []),
    ...(await tagProblems(tx, actor, 'taggings_attributes', input.tag_ids)),
  ]);
  return {
    ...locked!,
    actor,
    actionId: orderedUuid(),
    type: input.action_type,
    deviceId: input.device_id === undefined || input.device_id === null ? null : String(input.device_id),
    time,
    effectiveTime,
    tagIds: numericIds(input.tag_ids).numbers,
    now,
  };
}

/** An employee starts only as far back as the workspace allows. What they have started, they can always end. */
async function earlyStartProblems(
  tx: OpenTransaction,
  { actor, input, now }: PunchRequest,
  { member }: LockedClock,
): Promise<Problem[]> {
  const time = givenTime(input);
  const isLimited =
    input.action_type === 'start' &&
    !may(actor, 'exceed_limits', 'time_tracking', { user_rank: member.rank, area_ids: member.area_ids });
  return time && isLimited ? backdatingProblems(tx, actor, member.id, { action_time: time }, now) : [];
}

const runningIn = ({ tracking, lastPunch }: LockedClock) =>
  tracking && { starts_at: tracking.starts_at, breaks: breaksOf(tracking), lastPunch };

/** The stored action of a punch. */
const shownAction = ({ actor, member, tracking, actionId, type, deviceId, time, now }: Punch): ShownAction => ({
  account_id: actor.accountId,
  id: actionId,
  workspace_id: actor.workspace.id,
  user_id: member.id,
  action_type: type,
  device_id: deviceId,
  action_time: time,
  created_at: now,
  updated_at: now,
  working_session_id: type === 'end' ? shownId(tracking!) : null,
  user_rank: member.rank,
  area_ids: [...member.area_ids],
});
