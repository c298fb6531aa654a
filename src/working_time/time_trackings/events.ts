import type { Span } from '../../days/calendar/worked_time.ts';
import { eventsOf, type Recorded } from '../../platform/events/record.ts';
import { breaksOf, type StoredTimeTracking } from './rows.ts';

/** The attributes of a time tracking in events. Its sums follow from these attributes. */
const attributes = [
  'user_id',
  'area_id',
  'starts_at',
  'ends_at',
  'breaks',
  'break_duration',
  'default_break_duration',
  'force_custom_break_duration',
  'manual_pause_min',
  'confirmed',
  'tag_ids',
  'follower_ids',
  'assignment_id',
  'external_id',
  'created_by',
  'start_signature_id',
  'end_signature_id',
] as const;

/** A time tracking, as its events show it. Attributes that are absent before and after a change stay as they are. */
export type TimeTrackingState = Recorded & { readonly [Name in (typeof attributes)[number]]?: unknown };

export const timeTrackingEvents = eventsOf<TimeTrackingState>()('time_tracking', attributes);

/** The state of a stored time tracking. */
export const stateOf = ({ custom_break_s, ...row }: StoredTimeTracking): TimeTrackingState => ({
  ...row,
  break_duration: custom_break_s,
  breaks: shownBreaks(breaksOf(row)),
});

/** The breaks in an event: their times, by start. */
export const shownBreaks = (breaks: readonly Span[]) =>
  breaks
    .map(({ starts_at, ends_at }) => ({ starts_at, ends_at }))
    .sort((one, other) => one.starts_at.getTime() - other.starts_at.getTime());

/** The verb of a change. It follows the state that was reached. */
export const verbOf = (before: TimeTrackingState, after: TimeTrackingState) =>
  before.confirmed === after.confirmed ? 'updated' : after.confirmed ? 'confirmed' : 'reset';
