import type pg from 'pg';
import { accountId } from '../data_set.ts';
import { inTransaction, wholeSecond, type Incoming, type NewTimeTracking } from './operation.ts';

/* The writes that every contender but Punchcard shares: the fewest statements that store a punch and a time tracking. */

const beginTimeTracking = {
  name: 'begin',
  text: `
    insert into time_trackings (account_id, uuid, workspace_id, user_id, starts_at, actual_starts_at, created_by, last_editor_id, created_at, updated_at)
    values ($1, gen_random_uuid(), $2, $3, $4, $4, 'actions', $3, $5, $5) returning id, null as shown_id`,
};
const endTimeTracking = {
  name: 'end',
  text: `
    update time_trackings set ends_at = $4, actual_ends_at = $4, last_editor_id = $3, updated_at = $5
    where account_id = $1 and workspace_id = $2 and user_id = $3 and ends_at is null returning id, coalesce(uuid::text, id::text) as shown_id`,
};
const addAction = {
  name: 'action',
  text: `
    insert into actions (account_id, id, workspace_id, user_id, time_tracking_id, action_type, action_time, created_at, updated_at)
    values ($1, gen_random_uuid(), $2, $3, $4, $5, $6, $6, $6) returning id`,
};

export interface Punch {
  readonly id: string;
  readonly action_type: 'start' | 'end';
  readonly user_id: number;
  readonly workspace_id: number;
  readonly working_session_id: string | null;
  readonly time: string;
}

/** Stores a punch: begins or ends a time tracking, and adds the action. */
export function storePunch(pool: pg.Pool, { params, body }: Incoming): Promise<Punch> {
  const { action_type, user_id } = (body as { data: { attributes: Pick<Punch, 'action_type' | 'user_id'> } }).data
    .attributes;
  const workspaceId = Number(params['workspace_id']);
  const now = wholeSecond();
  return inTransaction(pool, async (client) => {
    // A tracking must be at least a second long.
    const at = action_type === 'start' ? now : new Date(Date.parse(now) + 1000).toISOString();
    const { rows: trackings } = await client.query<{ id: string; shown_id: string | null }>({
      ...(action_type === 'start' ? beginTimeTracking : endTimeTracking),
      values: [accountId, workspaceId, user_id, at, now],
    });
    const { id, shown_id } = trackings[0]!;
    const { rows } = await client.query<{ id: string }>({
      ...addAction,
      values: [accountId, workspaceId, user_id, id, action_type, now],
    });
    return {
      id: rows[0]!.id,
      action_type,
      user_id,
      workspace_id: workspaceId,
      working_session_id: shown_id,
      time: now,
    };
  });
}

/** Inserts a finished time tracking with a break, a tag and its system notes, as the beginning of one statement. */
export const insertTimeTracking = `
  with tracking as (
    insert into time_trackings (account_id, workspace_id, user_id, area_id, starts_at, ends_at, actual_starts_at, actual_ends_at, created_by, last_editor_id, breaks_s, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, $5, $6, 'admin', $10, extract(epoch from $8::timestamptz - $7::timestamptz), $11, $11) returning *),
  pause as (
    insert into breaks (account_id, time_tracking_id, starts_at, ends_at, created_by, created_at, updated_at)
    select $1, id, $7, $8, 'admin', $11, $11 from tracking returning id),
  tagging as (insert into time_tracking_tags (account_id, time_tracking_id, tag_id) select $1, id, $9 from tracking returning tag_id),
  note as (
    insert into notes (account_id, time_tracking_id, type, content, created_at, updated_at)
    select $1, id, 'SystemNote', content, $11, $11 from tracking, unnest($12::text[]) content returning id)`;

/** The values of `insertTimeTracking`. */
export function valuesOfNewTimeTracking({ params, body, userId }: Incoming): unknown[] {
  const { attributes, relationships } = (body as { data: NewTimeTracking }).data;
  const [pause] = attributes.breaks_attributes;
  const notes = ['The administrator created the time tracking.', 'The administrator recorded the breaks.'];
  return [
    accountId, params['workspace_id'], relationships.user.data.id, relationships.area.data.id, attributes.starts_at, attributes.ends_at,
    pause!.starts_at, pause!.ends_at, relationships.tags.data[0]!.id, userId ?? 1, wholeSecond(), notes,
  ]; // prettier-ignore
}
