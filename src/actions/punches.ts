import { AppError, refuse } from '../core/errors.ts';
import { numericId, numericIds, orderedUuid, unknownIds, type Id } from '../core/ids.ts';
import { doneOf, type Outcome } from '../core/outcome.ts';
import { authorize, type WorkspaceActor } from '../core/permissions.ts';
import { localForm, parseTime } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { tagProblems } from '../tags/tags.ts';
import { breaksOf, shownId } from '../time_trackings/rows.ts';
import type { ShownAction } from './actions.ts';
import { judge, mostAhead, type ActionType, type Running } from './clock.ts';
import { lockClocks, type ClockState, type LockedClock, type Turns } from './clock_state.ts';
import { carryOut, type Punch } from './steps.ts';

export interface NewAction {
  action_type: ActionType;
  /** Now where none is given. */
  action_time?: string;
  /** The actor where none is named. */
  user_id?: Id;
  device_id?: Id | null;
  tag_ids: readonly Id[];
}

/** A punch that somebody asks for. */
export interface AskedPunch {
  readonly actor: WorkspaceActor;
  readonly input: NewAction;
  readonly now: Date;
}

/** Records a punch and does what it says. */
export async function createAction(db: Db, actor: WorkspaceActor, input: NewAction, now: Date): Promise<ShownAction> {
  const [outcome] = await createActions(db, [{ actor, input, now }], 'wait');
  if (outcome === undefined || outcome === 'busy') throw new Error('Whoever waits for his turn gets it.');
  return doneOf(outcome);
}

/**
 * Records punches of one account and does what they say, each as if it were alone; what is wrong with one is no matter of the
 * others. Where turns are skipped, a punch whose clock somebody else has locked is left out, and so is the second of one user.
 */
export async function createActions(
  db: Db,
  asked: readonly AskedPunch[],
  turns: Turns,
): Promise<Outcome<ShownAction>[]> {
  const turnOf = new Map<number, AskedPunch>();
  for (const punch of asked) {
    const userId = numericId(userOf(punch));
    if (userId !== undefined && !turnOf.has(userId)) turnOf.set(userId, punch);
  }
  const wanted = [...turnOf].map(([userId, punch]) => ({
    workspaceId: punch.actor.workspace.id,
    userId,
    ...reach(punch),
  }));
  const clocks = await lockClocks(db, asked[0]!.actor.accountId, wanted, turns);
  const punches: Punch[] = [];
  const outcomes = asked.map(async (punch): Promise<Outcome<ShownAction>> => {
    const userId = numericId(userOf(punch)) ?? 0;
    const locked = turnOf.get(userId) === punch ? clocks.get(userId) : undefined;
    if (!locked && turns === 'skip') return 'busy';
    try {
      const accepted = await accept(db, punch, locked);
      punches.push(accepted);
      return { done: shown(accepted) };
    } catch (error) {
      if (error instanceof AppError) return { refused: error };
      throw error;
    }
  });
  const settled = await Promise.all(outcomes);
  await carryOut(db, punches);
  return settled;
}

const userOf = ({ actor, input }: AskedPunch): Id => input.user_id ?? actor.userId!;

const givenTime = ({ action_time }: NewAction): Date | null =>
  action_time === undefined ? null : parseTime(action_time);

/** When a punch takes effect, and when at the latest. */
function reach({ input, now }: AskedPunch): { at: Date; until: Date } {
  const at = givenTime(input) ?? now;
  return { at, until: new Date(Math.max(at.getTime(), now.getTime()) + mostAhead) };
}

/** What a punch is to do, or a refusal that says all that is wrong with it. */
async function accept(db: Db, asked: AskedPunch, locked: LockedClock | undefined): Promise<Punch> {
  const { actor, input, now } = asked;
  const { user, clock } = locked ?? {};
  if (user) authorize(actor, 'record_time', 'user', user);
  if (user && input.tag_ids.length > 0)
    authorize(actor, 'tag', 'action', { user_id: user.id, area_ids: user.area_ids });
  const { problems, time, effective } = judge(
    { type: input.action_type, given: givenTime(input) },
    clock ? runningOf(clock) : null,
    now,
    (at) => localForm(at, actor.workspace.time_zone),
  );
  refuse([
    ...(user ? problems : unknownIds('user_id', [userOf(asked)], 'user of this workspace')),
    ...(await tagProblems(db, actor, 'taggings_attributes', input.tag_ids)),
  ]);
  return {
    actor,
    user: user!,
    clock: clock!,
    actionId: orderedUuid(),
    type: input.action_type,
    deviceId: input.device_id === undefined || input.device_id === null ? null : String(input.device_id),
    time,
    effective,
    tagIds: numericIds(input.tag_ids).numbers,
    now,
  };
}

const runningOf = ({ tracking, lastPunch }: ClockState): Running | null =>
  tracking && { starts_at: tracking.starts_at, breaks: breaksOf(tracking), lastPunch };

const shown = ({ actor, user, clock, actionId, type, deviceId, time, now }: Punch): ShownAction => ({
  account_id: actor.accountId,
  id: actionId,
  workspace_id: actor.workspace.id,
  user_id: user.id,
  action_type: type,
  device_id: deviceId,
  action_time: time,
  created_at: now,
  updated_at: now,
  working_session_id: type === 'end' ? shownId(clock.tracking!) : null,
  area_ids: [...user.area_ids],
});
