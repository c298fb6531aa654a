import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { hoursOf } from '../../days/calendar/worked_time.ts';
import { permissionsOf } from '../../platform/core/permissions.ts';
import { rankOf } from '../../platform/core/ranks.ts';
import { localTime, one, resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import type { TimeAccountEntryOf } from './time_account_entries.ts';

type TimeAccountEntry = components['schemas']['TimeAccountEntry'];

const timeAccountEntry = resource('time_account_entry', fields.TimeAccountEntry);

export const presentTimeAccountEntry = (
  { row, user }: TimeAccountEntryOf,
  context: PresentContext,
): TimeAccountEntry => {
  const facts = { user_id: user.id, user_rank: rankOf(user), area_ids: user.area_ids };
  return timeAccountEntry(
    {
      id: row.id,
      permissions: permissionsOf(context.actor, 'time_account_entry', facts, context.queryOptions.permissions),
      date: row.date,
      hours: hoursOf(row.seconds),
      kind: row.kind as TimeAccountEntry['attributes']['kind'],
      note: row.note,
      created_by: row.created_by,
      created_at: localTime(row.created_at, context),
    },
    { user: one('user', user.id), creator: one('user', row.created_by_user_id) },
  );
};
