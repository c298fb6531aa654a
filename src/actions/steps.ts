import { randomUUID } from 'node:crypto';
import type { WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { lastly } from '../db/transactions.ts';
import type { Around } from '../working_time_rules/neighbours.ts';
import { noteOf } from '../time_trackings/note_texts.ts';
import { differences } from '../time_trackings/differences.ts';
import { tellFollowers } from '../time_trackings/notes_and_followers.ts';
import { breaksOf, type StoredTimeTracking } from '../time_trackings/rows.ts';
import { replaceBreaks, type WantedBreak } from '../time_trackings/break_rows.ts';
import { addTags } from '../time_trackings/tags.ts';
import { warningsFor } from '../working_time_rules/rules.ts';
import { storeJudgements } from '../working_time_rules/warnings.ts';
import { breakDuration } from '../calendar/worked_time.ts';
import type { ActionType } from './clock.ts';
import type { ClockState, HeldMember } from './clock_state.ts';
import { storing, type StoredPunch } from './stored_punches.ts';
import { addTaggings } from './taggings.ts';

/*
 * What punches do that were found to fit. What most of them need is written for all of them together, and with the end of the
 * transaction; the rest, such as breaks and tags, for each of those that have it.
 */

/** A punch that fits the clock of its user. */
export interface Punch {
  readonly actor: WorkspaceActor;
  readonly user: HeldMember;
  readonly clock: ClockState;
  readonly actionId: string;
  readonly type: ActionType;
  readonly deviceId: string | null;
  /** When it was punched, and when it takes effect. */
  readonly time: Date;
  readonly effective: Date;
  readonly tagIds: readonly number[];
  readonly now: Date;
}

/** Does what the punches say, each of another user of one account. */
export async function carryOut(db: Db, punches: readonly Punch[]): Promise<void> {
  if (punches.length === 0) return;
  const stored: StoredPunch[] = [];
  for (const punch of punches)
    stored.push(punch.clock.tracking ? await takeFurther(db, punch, punch.clock.tracking) : await begin(db, punch));
  const store = storing(db, stored);
  const withSequel = punches.filter((punch) => punch.tagIds.length > 0 || isLateStart(punch));
  if (withSequel.length === 0) return lastly(db, store);
  const { rows } = await db.executeQuery(store);
  const trackingIds = new Map(rows.map(({ id, user_id }) => [user_id, id]));
  for (const punch of withSequel) await finish(db, punch, trackingIds.get(punch.user.id)!);
}

const storedAs = (
  punch: Punch,
  { notes, tracking, moment }: Pick<StoredPunch, 'notes' | 'tracking' | 'moment'>,
): StoredPunch => ({
  accountId: punch.actor.accountId,
  workspaceId: punch.actor.workspace.id,
  userId: punch.user.id,
  editorId: punch.actor.userId,
  actionId: punch.actionId,
  actionType: punch.type,
  deviceId: punch.deviceId,
  actionTime: punch.time,
  now: punch.now,
  notes,
  tracking,
  moment,
});

/** Begins a tracking. Others are judged anew that it overlaps. */
async function begin(db: Db, punch: Punch): Promise<StoredPunch> {
  if (!isLateStart(punch)) await judgeWith(db, punch, aboutToBegin(punch));
  return storedAs(punch, {
    notes: [noteOf.creation(punch.actor.username)],
    tracking: { uuid: randomUUID() },
    moment: punch.effective,
  });
}

/** A tracking that has no id yet, and is not judged itself. */
const aboutToBegin = ({ user, clock, effective }: Punch): Around => ({
  number: clock.around[0]?.number ?? 1,
  id: Number.MAX_SAFE_INTEGER,
  user_id: user.id,
  starts_at: effective,
  ends_at: null,
  break_s: 0,
  is_touched: false,
  standing: [],
});

/** Whether it begins a tracking so long ago that there are warnings about it, which need its id. */
const isLateStart = (punch: Punch): boolean =>
  punch.clock.tracking === null &&
  warningsFor(aboutToBegin(punch), punch.clock.around, punch.actor.workspace.time_zone, punch.now).length > 0;

const judgeWith = (db: Db, { actor, clock, now }: Punch, begun: Around): Promise<void> =>
  storeJudgements(
    db,
    actor,
    [...clock.around, begun].sort(
      (one, other) => one.starts_at.getTime() - other.starts_at.getTime() || one.id - other.id,
    ),
    now,
  );

/** Ends what is running, or begins or ends a break of it. */
async function takeFurther(db: Db, punch: Punch, tracking: StoredTimeTracking): Promise<StoredPunch> {
  const { actor, clock, now } = punch;
  const { breaks, ends_at } = stepOf(punch.type, tracking, punch.effective);
  const tag_ids = [...new Set([...tracking.tag_ids, ...punch.tagIds])].sort((a, b) => a - b);
  const notes = await differences(db, actor, tracking, { ...tracking, ends_at, breaks, tag_ids });
  await replaceBreaks(db, tracking, breaks, now);
  if (tag_ids.length > tracking.tag_ids.length) await addTags(db, actor.accountId, [tracking.id], punch.tagIds);
  await tellFollowers(db, actor, [{ tracking, notes }], now);
  const finished = breaks.filter((pause) => pause.ends_at !== null);
  const after = { ends_at, break_s: breakDuration({ ...tracking, breaks: finished }, now) ?? 0 };
  const judged = clock.around.map((other) => (other.id === tracking.id ? { ...other, ...after } : other));
  await storeJudgements(db, actor, judged, now);
  return storedAs(punch, { notes, tracking: { id: tracking.id }, moment: ends_at });
}

/** What a punch makes of the running tracking; an end also ends an open break. */
function stepOf(
  type: ActionType,
  tracking: StoredTimeTracking,
  at: Date,
): { breaks: WantedBreak[]; ends_at: Date | null } {
  const breaks = breaksOf(tracking);
  if (type === 'start-break') return { breaks: [...breaks, { starts_at: at, ends_at: null }], ends_at: null };
  const closed = breaks.map((pause) => ({ ...pause, ends_at: pause.ends_at ?? at }));
  return { breaks: closed, ends_at: type === 'end' ? at : null };
}

/** What can be done only once the action and its tracking are stored. */
async function finish(db: Db, punch: Punch, timeTrackingId: number): Promise<void> {
  const { actor, tagIds } = punch;
  if (punch.clock.tracking === null) await addTags(db, actor.accountId, [timeTrackingId], tagIds);
  await addTaggings(db, actor, punch.actionId, tagIds, punch.now);
  if (isLateStart(punch)) await judgeWith(db, punch, { ...aboutToBegin(punch), id: timeTrackingId, is_touched: true });
}
