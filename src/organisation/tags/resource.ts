import * as fields from '../../../generated/fields.ts';
import { many, one, resource } from '../../platform/http/answers/jsonapi.ts';
import type { TagRow } from './tags.ts';

const tag = resource('tag', fields.Tag);

export const presentTag = (row: TagRow) =>
  tag(
    { id: row.id, title: row.title, active: row.active, external_id: row.external_id, color: row.color },
    { workspace: one('workspace', row.workspace_id), users: many('user', row.user_ids) },
  );
