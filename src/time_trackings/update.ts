import { refuse, type Problem } from '../core/errors.ts';
import { numericId, numericIds, unknownIds, type Id } from '../core/ids.ts';
import { authorize, type WorkspaceActor } from '../core/permissions.ts';
import { localForm, parseTime } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { tagProblems } from '../tags/tags.ts';
import type { WantedTimeTracking } from './differences.ts';
import { areaProblems, findMember, runningProblems } from './references.ts';
import { breaksOf, factsOf, type TimeTrackingRow } from './rows.ts';
import type { WantedBreak } from './break_rows.ts';
import { storeTimeTracking } from './store_changes.ts';
import { breakProblems, customBreakProblems, spanProblems } from './time_problems.ts';
import { lockTimeTracking, readTimeTracking } from './time_trackings.ts';
import type { Span } from '../calendar/worked_time.ts';

/** A break to add (no id), to change, or to remove. */
export interface BreakChange {
  id?: Id;
  starts_at?: string;
  ends_at?: string;
  _destroy?: boolean;
}

/** What can be changed about a tracking; what is undefined stays. */
export interface TimeTrackingChange {
  starts_at?: string;
  /** Null makes it run again. */
  ends_at?: string | null;
  breaks_attributes?: readonly BreakChange[];
  user_id?: Id;
  area_id?: Id | null;
  tag_ids?: readonly Id[];
}

/** Changes what is given and leaves the rest alone. */
export async function updateTimeTracking(
  db: Db,
  actor: WorkspaceActor,
  ref: Id,
  change: TimeTrackingChange,
  now: Date,
): Promise<TimeTrackingRow> {
  const row = await lockTimeTracking(db, actor, ref);
  authorize(actor, 'update', 'time_tracking', factsOf(row));
  return (await editTimeTracking(db, actor, row, change, now)).row;
}

/**
 * The one way in which people change the times, breaks, user, area and tags of a tracking. The caller has locked its row and knows
 * that the actor may change it; `at` leads from a break's position to its place in the request.
 */
export async function editTimeTracking(
  db: Db,
  actor: WorkspaceActor,
  row: TimeTrackingRow,
  change: TimeTrackingChange,
  now: Date,
  at = (index: number): string => `breaks_attributes/${index}/`,
): Promise<{ row: TimeTrackingRow; newBreakIds: number[] }> {
  const references = referencesAfter(row, change);
  await authorizeReferences(db, actor, row, references);
  const span = spanAfter(row, change);
  const { breaks, problems } = breaksAfter(row, change.breaks_attributes ?? [], span, at);
  refuse([...problems, ...(await problemsWith(db, actor, row, { change, span, breaks }, now))]);

  const newBreakIds = await storeTimeTracking(db, actor, row, { ...references, ...span, breaks }, now);
  return { row: await readTimeTracking(db, actor, row.id), newBreakIds };
}

type References = Pick<WantedTimeTracking, 'user_id' | 'area_id' | 'tag_ids'>;

/** Whom and what the tracking is to belong to. What can be no id of ours is reported among the problems. */
const referencesAfter = (row: TimeTrackingRow, change: TimeTrackingChange): References => ({
  user_id: change.user_id === undefined ? row.user_id : (numericId(change.user_id) ?? 0),
  area_id:
    change.area_id === undefined ? row.area_id : change.area_id === null ? null : (numericId(change.area_id) ?? 0),
  tag_ids: change.tag_ids === undefined ? row.tag_ids : numericIds(change.tag_ids).numbers.sort((a, b) => a - b),
});

/** What only admins do, and employees only where the workspace lets them. Saying again what already is needs no right. */
async function authorizeReferences(
  db: Db,
  actor: WorkspaceActor,
  row: TimeTrackingRow,
  after: References,
): Promise<void> {
  const facts = factsOf(row);
  if (after.area_id !== row.area_id) authorize(actor, 'change_area', 'time_tracking', facts);
  if (after.tag_ids.join() !== row.tag_ids.join()) authorize(actor, 'tag', 'time_tracking', facts);
  if (after.user_id === row.user_id) return;
  authorize(actor, 'change_user', 'time_tracking', facts);
  const user = await findMember(db, actor, after.user_id);
  if (user) authorize(actor, 'record_time', 'user', user);
}

const spanAfter = (row: TimeTrackingRow, { starts_at, ends_at }: TimeTrackingChange): Span => ({
  starts_at: starts_at === undefined ? row.starts_at : parseTime(starts_at),
  ends_at: ends_at === undefined ? row.ends_at : ends_at === null ? null : parseTime(ends_at),
});

/** The breaks as they are to be. The end of the tracking also ends a break that is still open. */
function breaksAfter(
  row: TimeTrackingRow,
  changes: readonly BreakChange[],
  span: Span,
  at: (index: number) => string,
): { breaks: WantedBreak[]; problems: Problem[] } {
  const stored = new Map<number, WantedBreak & { id: number }>(breaksOf(row).map((pause) => [pause.id, pause]));
  const added: WantedBreak[] = [];
  const problems: Problem[] = [];
  changes.forEach(({ id, starts_at, ends_at, _destroy }, index) => {
    const before = id === undefined ? undefined : stored.get(numericId(id) ?? 0);
    if (id === undefined) {
      if (!_destroy) added.push({ starts_at: parseTime(starts_at!), ends_at: parseTime(ends_at!), at: at(index) });
    } else if (!before) problems.push(...unknownIds(`${at(index)}id`, [id], 'break of this time tracking'));
    else if (_destroy) stored.delete(before.id);
    else {
      const times = {
        starts_at: starts_at === undefined ? before.starts_at : parseTime(starts_at),
        ends_at: ends_at === undefined ? before.ends_at : parseTime(ends_at),
      };
      stored.set(before.id, { ...before, ...times, at: at(index) });
    }
  });
  const closed = (pause: WantedBreak): WantedBreak =>
    pause.ends_at === null && span.ends_at !== null && pause.starts_at < span.ends_at
      ? { ...pause, ends_at: span.ends_at }
      : pause;
  return { breaks: [...stored.values(), ...added].map(closed), problems };
}

/** Everything that speaks against a change, at once. */
async function problemsWith(
  db: Db,
  actor: WorkspaceActor,
  row: TimeTrackingRow,
  { change, span, breaks }: { change: TimeTrackingChange; span: Span; breaks: readonly WantedBreak[] },
  now: Date,
): Promise<Problem[]> {
  const show = (time: Date): string => localForm(time, actor.workspace.time_zone);
  const user = change.user_id === undefined ? undefined : await findMember(db, actor, change.user_id);
  const isReopened = span.ends_at === null && row.ends_at !== null;
  const movesRunning = span.ends_at === null && user !== undefined && user.id !== row.user_id;
  const problems = [
    ...spanProblems(span, show),
    ...breakProblems(span, breaks, now, show),
    ...customBreakProblems(
      span,
      row.custom_break_s,
      row.force_custom_break_duration,
      change.ends_at === undefined ? 'starts_at' : 'ends_at',
    ),
    ...(change.user_id === undefined || user ? [] : unknownIds('user_id', [change.user_id], 'user of this workspace')),
    ...(change.area_id === undefined || change.area_id === null ? [] : await areaProblems(db, actor, change.area_id)),
    ...(await tagProblems(db, actor, 'tags', change.tag_ids ?? [], row.tag_ids)),
    ...(isReopened || movesRunning ? await runningProblems(db, actor, user?.id ?? row.user_id, row.id, show) : []),
  ];
  if (isReopened && row.confirmed) {
    problems.push({ pointer: 'ends_at', title: 'ends_at must not be null, because the time tracking is confirmed.' });
  }
  return problems;
}
