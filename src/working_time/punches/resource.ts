import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { utcForm } from '../../platform/core/time.ts';
import { one, resource } from '../../platform/http/answers/jsonapi.ts';
import type { ShownAction } from './actions.ts';
import type { TaggingRow } from './taggings.ts';

type Schemas = components['schemas'];

const action = resource('action', fields.Action);

export const presentAction = (row: ShownAction): Schemas['Action'] =>
  action(
    {
      id: row.id,
      action_type: row.action_type as Schemas['ActionType'],
      working_session_id: row.working_session_id,
      action_time: utcForm(row.action_time),
      created_at: utcForm(row.created_at),
      updated_at: utcForm(row.updated_at),
    },
    { user: one('user', row.user_id), workspace: one('workspace', row.workspace_id) },
  );

const tagging = resource('tagging', fields.Tagging);

export const presentTagging = (row: TaggingRow): Schemas['Tagging'] =>
  tagging(
    { id: row.id, taggable_type: 'WorkingSessionAction', taggable_id: row.action_id },
    { tag: one('tag', row.tag_id) },
  );
