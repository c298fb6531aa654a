import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { localTime, one, resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import type { EventRow } from './events.ts';

type Schemas = components['schemas'];
type Attributes = Schemas['HistoryEvent']['attributes'];

const event = resource('history_event', fields.HistoryEvent);

export const presentEvent = (row: EventRow, context: PresentContext) =>
  event(
    {
      id: row.id,
      name: row.name as Attributes['name'],
      at: localTime(row.at, context),
      actor_type: row.actor_type as Attributes['actor_type'],
      actor_id: row.actor_id,
      request_id: row.request_id,
      record_type: row.record_type,
      record_id: row.record_uuid ?? row.record_id,
      external_id: row.external_id,
      changes: row.changes as Attributes['changes'],
    },
    { workspace: one('workspace', row.workspace_id), user: one('user', row.user_id) },
  );
