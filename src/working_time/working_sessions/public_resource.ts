import type { components } from '../../../generated/public.ts';
import { hoursOf, workedSeconds } from '../../days/calendar/worked_time.ts';
import { numericId } from '../../platform/core/ids.ts';
import { localForm } from '../../platform/core/time.ts';
import { breaksOf } from '../time_trackings/rows.ts';
import type { SessionRow } from './rows.ts';

/** The ids of signatures are those of other systems. Here they are shown if they are numbers. */
const numberIn = (text: string | null): number | null => (text === null ? null : (numericId(text) ?? null));

export function presentSession(row: SessionRow, now: Date): components['schemas']['WorkingSession'] {
  const local = (time: Date): string => localForm(time, row.time_zone);
  const localOrNull = (time: Date | null): string | null => (time === null ? null : local(time));
  const breaks = breaksOf(row);
  const isRunning = row.ends_at === null;
  return {
    id: row.id,
    starts_at: local(row.starts_at),
    ends_at: localOrNull(row.ends_at),
    actual_starts_at: isRunning ? null : local(row.actual_starts_at),
    actual_ends_at: isRunning ? null : localOrNull(row.actual_ends_at),
    breaks: breaks.map(({ id, starts_at, ends_at }) => ({
      id,
      starts_at: local(starts_at),
      ends_at: localOrNull(ends_at),
    })),
    break_time: hoursOf(workedSeconds({ ...row, breaks }, now).pause),
    manual_pause: row.manual_pause_min,
    filters: row.filters,
    user_id: row.user_id,
    employee_id: row.user_id,
    location_id: row.workspace_id,
    working_area_id: row.area_id,
    confirmed: row.confirmed,
    is_confirmed: row.confirmed,
    external_id: row.external_id,
    last_edit_by: row.last_editor_id,
    start_signature_id: numberIn(row.start_signature_id),
    end_signature_id: numberIn(row.end_signature_id),
    secure_id: row.secure_id,
    created_at: local(row.created_at),
    updated_at: local(row.updated_at),
  };
}
