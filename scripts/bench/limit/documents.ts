import { hours } from '../pages.ts';
import type { StoredPunch } from './operations.ts';

/* Turns rows into the documents of the contract, with their members in Punchcard's order. */

/** A time tracking as the statements select it. */
export interface TimeTrackingRow {
  id: string;
  assignment_id: string | null;
  confirmed: boolean;
  last_editor_id: number | null;
  default_break_duration: number;
  created_by: string;
  force_custom_break_duration: boolean;
  external_id: string | null;
  start_signature_id: string | null;
  end_signature_id: string | null;
  running: boolean;
  starts_at: string;
  ends_at: string | null;
  actual_starts_at: string;
  actual_ends_at: string | null;
  created_at: string;
  updated_at: string;
  gross: number;
  break_duration: number | null;
  area_id: string | null;
  user_id: string;
  workspace_id: string;
  system_notes_count: number;
  notes_count: number;
  running_breaks: object[] | null;
  note_ids: string | null;
  break_ids: string | null;
  tag_ids: string | null;
  follower_ids: string | null;
  attachment_ids: string | null;
  signature_ids: string | null;
}

const one = (type: string, id: string | null) => ({ data: id === null ? null : { type, id } });
const many = (type: string, ids: string | null) => ({
  data: ids === null ? [] : ids.split(',').map((id) => ({ type, id })),
});
const countIn = (ids: string | null): number => (ids === null ? 0 : ids.split(',').length);

export function timeTracking(row: TimeTrackingRow): object {
  const pause = Math.min(row.gross, row.break_duration ?? 0);
  return {
    type: 'time_tracking',
    id: row.id,
    attributes: {
      permissions: null,
      assignment_id: row.assignment_id,
      confirmed: row.confirmed,
      last_update_by: row.last_editor_id,
      break_duration: row.break_duration,
      default_break_duration: row.default_break_duration,
      created_by: row.created_by,
      force_custom_break_duration: row.force_custom_break_duration,
      external_id: row.external_id,
      status: 'active',
      start_signature_id: row.start_signature_id,
      end_signature_id: row.end_signature_id,
      current_status: row.running ? 'running' : 'finished',
      starts_at: row.starts_at,
      ends_at: row.ends_at,
      actual_starts_at: row.running ? null : row.actual_starts_at,
      actual_ends_at: row.running ? null : row.actual_ends_at,
      created_at: row.created_at,
      updated_at: row.updated_at,
      gross_time: hours(row.gross),
      net_time: hours(row.gross - pause),
      break_time: hours(pause),
      system_notes_count: row.system_notes_count,
      user_notes_count: row.notes_count - row.system_notes_count,
      signatures_count: countIn(row.signature_ids),
      attachments_count: countIn(row.attachment_ids),
      ...(row.running ? { breaks: row.running_breaks ?? [] } : {}),
    },
    relationships: {
      attachments: many('attachment', row.attachment_ids),
      breaks: many('break', row.break_ids),
      notes: many('note', row.note_ids),
      signatures: many('signature', row.signature_ids),
      tags: many('tag', row.tag_ids),
      followers: many('user_overview', row.follower_ids),
      user: one('user_overview', row.user_id),
      last_editor: one('user_overview', row.last_editor_id === null ? null : String(row.last_editor_id)),
      workspace: one('workspace', row.workspace_id),
      ...(row.area_id === null ? {} : { area: one('area', row.area_id) }),
    },
  };
}

export function action({ id, action_type, user_id, workspace_id, working_session_id, time }: StoredPunch): object {
  const shownTime = time.slice(0, 19) + 'Z';
  return {
    type: 'action',
    id,
    attributes: {
      action_type,
      working_session_id,
      action_time: shownTime,
      created_at: shownTime,
      updated_at: shownTime,
    },
    relationships: { user: one('user', String(user_id)), workspace: one('workspace', String(workspace_id)) },
  };
}
