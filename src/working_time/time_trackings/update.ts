import type { components } from '../../../generated/v3.ts';
import type { Span } from '../../days/calendar/worked_time.ts';
import { refuse, type Problem } from '../../platform/core/errors.ts';
import { numericId, numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import { authorize, may, type WorkspaceActor } from '../../platform/core/permissions.ts';
import { localForm, parseTime } from '../../platform/core/time.ts';
import type { Member } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { lookUp } from '../../platform/db/transactions.ts';
import { problemsWithTags, tagsQuery } from '../../organisation/tags/tags.ts';
import type { WantedBreak } from './break_rows.ts';
import { isSameWork } from './change_notes.ts';
import {
  areaProblems,
  givenAreaLock,
  breakProblems,
  customBreakProblems,
  limitProblems,
  manualPauseProblems,
  givenMemberLock,
  runningProblems,
  runningQuery,
  spanProblems,
  timesIn,
  unfinishedProblems,
  unknownUser,
} from './problems.ts';
import { confirmationAfter } from './protection/confirmation.ts';
import { notifyOfChangedTime } from './protection/notices.ts';
import { breaksOf, factsOf, readTimeTracking, type TimeTrackingRow } from './rows.ts';
import { storeChange, type ChangedTimeTracking } from './store_changes.ts';
import { lockTimeTracking } from './time_trackings.ts';

type Schemas = components['schemas'];

/** The changeable attributes of a time tracking. Undefined attributes stay. */
export type TimeTrackingChange = NonNullable<Schemas['TimeTrackingUpdate']['data']['attributes']> & {
  area_id?: Id | null;
  tag_ids?: readonly Id[];
  manual_pause_min?: number | null;
  external_id?: string | null;
};

/** Changes the given attributes of a time tracking. */
export async function updateTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  change: TimeTrackingChange,
  now: Date,
): Promise<TimeTrackingRow> {
  const row = await lockTimeTracking(tx, actor, ref);
  authorize(actor, 'update', 'time_tracking', factsOf(row));
  return (await editTimeTracking(tx, actor, row, change, now)).row;
}

/**
 * Changes the times, breaks, user, area and tags of a time tracking that the caller has locked and the actor may update.
 * `pointerPrefix` leads to a break in the request, by its position.
 */
export async function editTimeTracking(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  row: TimeTrackingRow,
  change: TimeTrackingChange,
  now: Date,
  pointerPrefix = (index: number): string => `breaks_attributes/${index}/`,
): Promise<{ row: TimeTrackingRow; newBreakIds: number[] }> {
  const show = (time: Date): string => localForm(time, actor.workspace.time_zone);
  const references = referencesAfter(row, change);
  const span = spanAfter(row, change);
  const { breaks, problems } = breaksAfter(row, change.breaks_attributes ?? [], span, pointerPrefix);
  const [[user], areas, tags] = await lookUp(tx, [
    givenMemberLock(tx, actor, change.user_id),
    givenAreaLock(tx, actor, change.area_id),
    tagsQuery(tx, actor, change.tag_ids ?? []),
  ]);

  authorizeReferences(actor, row, references, user);
  const manual_pause_min = change.manual_pause_min === undefined ? row.manual_pause_min : change.manual_pause_min;
  const after = { ...references, ...span, breaks, manual_pause_min };
  const confirmation = confirmationAfter(actor, row, { after, user, wanted: change.confirmed });
  refuse([
    ...problems,
    ...(await changedSpanProblems(tx, actor, row, span, now)),
    ...breakProblems(span, breaks, now, show),
    ...customBreakProblems(span, {
      seconds: row.custom_break_s,
      isForced: row.force_custom_break_duration,
      pointer: change.ends_at === undefined ? 'starts_at' : 'ends_at',
    }),
    ...changedPauseProblems(row, after, change, now),
    ...(change.user_id === undefined || user ? [] : unknownUser(change.user_id, 'user_id')),
    ...areaProblems(change.area_id, areas),
    ...problemsWithTags('tags', change.tag_ids ?? [], tags, row.tag_ids),
    ...unfinishedProblems(span, change.confirmed === true),
    ...(await reopeningProblems(tx, actor, row, {
      span,
      userId: user?.id ?? row.user_id,
      staysConfirmed: row.confirmed && change.confirmed !== false,
      show,
    })),
  ]);

  const stored = { ...after, confirmation, external_id: change.external_id };
  const { notes, newBreakIds } = await storeChange(tx, actor, row, stored, now);
  if (!isSameWork({ ...row, breaks: breaksOf(row) }, after))
    await notifyOfChangedTime(tx, actor, { ...row, user_ids: [row.user_id, after.user_id], notes }, now);
  return { row: await readTimeTracking(tx, actor, row.id), newBreakIds };
}

type References = Pick<ChangedTimeTracking, 'user_id' | 'area_id' | 'tag_ids'>;

/** The user, area and tags after the change. An id that cannot exist becomes 0 here and is refused later. */
const referencesAfter = (row: TimeTrackingRow, change: TimeTrackingChange): References => ({
  user_id: change.user_id === undefined ? row.user_id : (numericId(change.user_id) ?? 0),
  area_id:
    change.area_id === undefined ? row.area_id : change.area_id === null ? null : (numericId(change.area_id) ?? 0),
  tag_ids: change.tag_ids === undefined ? row.tag_ids : numericIds(change.tag_ids).numbers.sort((a, b) => a - b),
});

/** Sending a value that the time tracking has already needs no right. */
function authorizeReferences(
  actor: WorkspaceActor,
  row: TimeTrackingRow,
  after: References,
  user: Member | undefined,
): void {
  const facts = factsOf(row);
  if (after.area_id !== row.area_id) authorize(actor, 'change_area', 'time_tracking', facts);
  if (after.tag_ids.join() !== row.tag_ids.join()) authorize(actor, 'tag', 'time_tracking', facts);
  if (after.user_id === row.user_id) return;
  authorize(actor, 'change_user', 'time_tracking', facts);
  if (user) authorize(actor, 'record_time', 'user', user);
}

const spanAfter = (row: TimeTrackingRow, { starts_at, ends_at }: TimeTrackingChange): Span => ({
  starts_at: starts_at === undefined ? row.starts_at : parseTime(starts_at),
  ends_at: ends_at === undefined ? row.ends_at : ends_at === null ? null : parseTime(ends_at),
});

/** The problems of new times. Times that stay as they are, such as those of a long punched time tracking, are no problem. */
async function changedSpanProblems(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  row: TimeTrackingRow,
  span: Span,
  now: Date,
): Promise<Problem[]> {
  const changed = timesIn(span, row);
  if (Object.keys(changed).length === 0) return [];
  const recordedBy = may(actor, 'exceed_limits', 'time_tracking', factsOf(row)) ? 'admin' : 'employee';
  return [
    ...spanProblems(span, recordedBy, (time) => localForm(time, actor.workspace.time_zone)),
    ...(recordedBy === 'employee' ? await limitProblems(tx, actor, row.user_id, changed, now) : []),
  ];
}

/** The problems of a manual pause whose length or time tracking changes. A backdated end punch may have left it too long. */
function changedPauseProblems(
  row: TimeTrackingRow,
  { manual_pause_min, ...span }: Span & { readonly manual_pause_min: number | null },
  change: TimeTrackingChange,
  now: Date,
): Problem[] {
  const isChanged = manual_pause_min !== row.manual_pause_min;
  if (!isChanged && Object.keys(timesIn(span, row)).length === 0) return [];
  const pointer = isChanged ? 'manual_pause' : change.ends_at === undefined ? 'starts_at' : 'ends_at';
  return manualPauseProblems(span, { minutes: manual_pause_min, pointer }, now);
}

/** The breaks after the change. The end of the time tracking also ends an open break. */
function breaksAfter(
  row: TimeTrackingRow,
  changes: readonly Schemas['TimeTrackingBreakChange'][],
  span: Span,
  pointerPrefix: (index: number) => string,
): { breaks: WantedBreak[]; problems: Problem[] } {
  const stored = new Map<number, WantedBreak & { id: number }>(breaksOf(row).map((pause) => [pause.id, pause]));
  const added: WantedBreak[] = [];
  const problems: Problem[] = [];
  changes.forEach(({ id, starts_at, ends_at, _destroy }, index) => {
    const pointer = pointerPrefix(index);
    const before = id === undefined ? undefined : stored.get(numericId(id) ?? 0);
    if (id === undefined) {
      if (!_destroy)
        added.push({ starts_at: parseTime(starts_at!), ends_at: parseTime(ends_at!), pointerPrefix: pointer });
    } else if (!before) problems.push(...unknownIds(`${pointer}id`, [id], 'break of this time tracking'));
    else if (_destroy) stored.delete(before.id);
    else {
      const times = {
        starts_at: starts_at === undefined ? before.starts_at : parseTime(starts_at),
        ends_at: ends_at === undefined ? before.ends_at : parseTime(ends_at),
      };
      stored.set(before.id, { ...before, ...times, pointerPrefix: pointer });
    }
  });
  const closed = (pause: WantedBreak): WantedBreak =>
    pause.ends_at === null && span.ends_at !== null && pause.starts_at < span.ends_at
      ? { ...pause, ends_at: span.ends_at }
      : pause;
  return { breaks: [...stored.values(), ...added].map(closed), problems };
}

/** Only an unconfirmed time tracking runs again, and only if its user has no other running one. */
async function reopeningProblems(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  row: TimeTrackingRow,
  {
    span,
    userId,
    staysConfirmed,
    show,
  }: { span: Span; userId: number; staysConfirmed: boolean; show: (time: Date) => string },
): Promise<Problem[]> {
  const isReopened = span.ends_at === null && row.ends_at !== null;
  const movesRunning = span.ends_at === null && userId !== row.user_id;
  if (!isReopened && !movesRunning) return [];
  const problems = runningProblems(await runningQuery(tx, actor, userId, row.id).execute(), show);
  if (isReopened && staysConfirmed) {
    problems.push({
      code: 'wrong_state',
      pointer: 'ends_at',
      title: 'ends_at must not be null, because the time tracking is confirmed.',
    });
  }
  return problems;
}
