import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { permissionsOf } from '../../platform/core/permissions.ts';
import { utcForm, utcFormOrNull } from '../../platform/core/time.ts';
import { changesWithTime } from '../../platform/http/answers/etag.ts';
import { many, one, resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import { shownId } from '../../platform/core/ids.ts';
import { breaksOf, factsOf, type TimeTrackingRow } from './rows.ts';
import { breakDuration, hoursOf, workedSeconds } from '../../days/calendar/worked_time.ts';

type Schemas = components['schemas'];

const timeTracking = resource('time_tracking', fields.TimeTracking);

export function presentTimeTracking(
  row: TimeTrackingRow,
  { actor, queryOptions, now }: PresentContext,
): Schemas['TimeTracking'] {
  const breaks = breaksOf(row);
  const { starts_at, ends_at, force_custom_break_duration, custom_break_s, manual_pause_min } = row;
  const worked = { starts_at, ends_at, force_custom_break_duration, custom_break_s, manual_pause_min, breaks };
  const { gross, pause, net } = workedSeconds(worked, now);
  const isRunning = row.ends_at === null;
  const shown = timeTracking(
    {
      id: shownId(row),
      permissions: permissionsOf(actor, 'time_tracking', factsOf(row), queryOptions.permissions),
      assignment_id: row.assignment_id,
      confirmed: row.confirmed,
      last_update_by: row.last_editor_id,
      break_duration: breakDuration(worked, now),
      default_break_duration: row.default_break_duration,
      created_by: row.created_by,
      force_custom_break_duration: row.force_custom_break_duration,
      external_id: row.external_id,
      status: 'active',
      start_signature_id: row.start_signature_id,
      end_signature_id: row.end_signature_id,
      current_status: isRunning ? 'running' : 'finished',
      starts_at: utcForm(row.starts_at),
      ends_at: utcFormOrNull(row.ends_at),
      actual_starts_at: isRunning ? null : utcForm(row.actual_starts_at),
      actual_ends_at: isRunning ? null : utcFormOrNull(row.actual_ends_at),
      created_at: utcForm(row.created_at),
      updated_at: utcForm(row.updated_at),
      gross_time: hoursOf(gross),
      net_time: hoursOf(net),
      break_time: hoursOf(pause),
      system_notes_count: row.system_notes_count,
      user_notes_count: row.note_ids.length - row.system_notes_count,
      signatures_count: row.signature_ids.length,
      attachments_count: row.attachment_ids.length,
      // Finished time trackings have breaks as a relationship only.
      ...(isRunning
        ? {
            breaks: breaks.map(({ id, starts_at, ends_at }) => ({
              id: String(id),
              starts_at: utcForm(starts_at),
              ends_at: utcFormOrNull(ends_at),
            })),
          }
        : {}),
    },
    {
      attachments: many('attachment', row.attachment_ids),
      breaks: many(
        'break',
        breaks.map(({ id }) => id),
      ),
      notes: many('note', row.note_ids),
      signatures: many('signature', row.signature_ids),
      tags: many('tag', row.tag_ids),
      followers: many('user_overview', row.follower_ids),
      user: one('user_overview', row.user_id),
      last_editor: one('user_overview', row.last_editor_id),
      workspace: one('workspace', row.workspace_id),
      // Absent rather than null. The spread comes last, because before the other members it would slow each of them down.
      ...(row.area_id === null ? {} : { area: one('area', row.area_id) }),
    },
  );
  return isRunning ? changesWithTime(shown, runningTimes) : shown;
}

/** They grow while a time tracking runs. */
const runningTimes = ['gross_time', 'net_time', 'break_time', 'break_duration'] as const;
