import type { Span } from '../../days/calendar/worked_time.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { localForm } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { addSystemNotes } from '../../platform/notes/notes.ts';
import { notifyFollowers } from '../../platform/notifications/notifications.ts';

/*
 * System notes say who changed what, from which value to which. Times are in the workspace's zone, with their offset, so that
 * the hour that occurs twice in autumn is unambiguous.
 */

const spanInWords = ({ starts_at, ends_at }: Span, zone: string): string =>
  `${localForm(starts_at, zone)} – ${ends_at === null ? 'open' : localForm(ends_at, zone)}`;

const breaksInWords = (breaks: readonly Span[], zone: string): string =>
  listed(
    [...breaks].sort((a, b) => a.starts_at.getTime() - b.starts_at.getTime()).map((pause) => spanInWords(pause, zone)),
  );

const minutesInWords = (minutes: number | null): string =>
  minutes === null ? 'none' : minutes === 1 ? '1 minute' : `${minutes} minutes`;

const listed = (items: readonly string[]): string => (items.length === 0 ? 'none' : items.join('; '));
const quoted = (name: string | null): string => (name === null ? 'none' : `"${name}"`);

/** Breaks are compared by what a note would say about them. */
export const sameBreaks = (one: readonly Span[], other: readonly Span[]): boolean =>
  breaksInWords(one, 'UTC') === breaksInWords(other, 'UTC');

/** The parts of a time tracking that count: its times, breaks, manual pause, user and area. */
interface Work extends Span {
  readonly breaks: readonly Span[];
  readonly manual_pause_min: number | null;
  readonly user_id: number;
  readonly area_id: number | null;
}

/** Whether two time trackings have the same times, breaks, manual pause, user and area. */
export const isSameWork = (one: Work, other: Work): boolean =>
  one.starts_at.getTime() === other.starts_at.getTime() &&
  one.ends_at?.getTime() === other.ends_at?.getTime() &&
  sameBreaks(one.breaks, other.breaks) &&
  one.manual_pause_min === other.manual_pause_min &&
  one.user_id === other.user_id &&
  one.area_id === other.area_id;

export const noteOf = {
  creation: (by: string) => `${by} created the time tracking.`,
  firstBreaks: (by: string, breaks: readonly Span[], zone: string) =>
    `${by} recorded the breaks: ${breaksInWords(breaks, zone)}.`,
  times: (by: string, before: Span, after: Span, zone: string) =>
    `${by} changed the times from ${spanInWords(before, zone)} to ${spanInWords(after, zone)}.`,
  breaks: (by: string, before: readonly Span[], after: readonly Span[], zone: string) =>
    `${by} changed the breaks from ${breaksInWords(before, zone)} to ${breaksInWords(after, zone)}.`,
  firstManualPause: (by: string, minutes: number) => `${by} recorded a manual pause of ${minutesInWords(minutes)}.`,
  manualPause: (by: string, before: number | null, after: number | null) =>
    `${by} changed the manual pause from ${minutesInWords(before)} to ${minutesInWords(after)}.`,
  area: (by: string, before: string | null, after: string | null) =>
    `${by} changed the area from ${quoted(before)} to ${quoted(after)}.`,
  tags: (by: string, before: readonly string[], after: readonly string[]) =>
    `${by} changed the tags from ${listed(before.map(quoted))} to ${listed(after.map(quoted))}.`,
  user: (by: string, before: string, after: string) =>
    `${by} changed the user from ${quoted(before)} to ${quoted(after)}.`,
  deletion: (by: string, span: Span, zone: string) => `${by} deleted the time tracking ${spanInWords(span, zone)}.`,
  restoration: (by: string) => `${by} restored the time tracking.`,
  confirmation: (by: string) => `${by} confirmed the time tracking.`,
  unconfirmation: (by: string) => `${by} took back the confirmation of the time tracking.`,
  lostConfirmation: (by: string) =>
    `The time tracking is no longer confirmed, because ${by} changed it and may not confirm it.`,
  deletedUser: (by: string) => `${by} deleted the user, which ended the time tracking.`,
};

/** System notes about one time tracking. */
export interface TrackingNotes {
  /** `follower_ids` spares a query where the time tracking is known to have none. */
  readonly tracking: { readonly id: number; readonly follower_ids?: readonly number[] };
  readonly notes: readonly string[];
}

/** Stores the notes about changes and notifies the followers. */
export async function recordChanges(
  db: Db,
  actor: WorkspaceActor,
  changes: readonly TrackingNotes[],
  now: Date,
): Promise<void> {
  const notes = changes.flatMap(({ tracking, notes }) =>
    notes.map((content) => ({ owner: { time_tracking_id: tracking.id }, content })),
  );
  await addSystemNotes(db, actor.accountId, notes, now);
  await notifyOfChanges(db, actor, changes, now);
}

/** Notifies the followers of changes. The caller stores the notes. */
export async function notifyOfChanges(
  db: Db,
  actor: WorkspaceActor,
  changes: readonly TrackingNotes[],
  now: Date,
): Promise<void> {
  const followed = changes.filter(({ tracking, notes }) => tracking.follower_ids?.length !== 0 && notes.length > 0);
  const news = followed.map(({ tracking, notes }) => ({
    owner: { time_tracking_id: tracking.id },
    message: notes.join('\n'),
  }));
  await notifyFollowers(db, actor, 'A time tracking you follow was changed', news, now);
}
