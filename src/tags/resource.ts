import type { components } from '../../generated/v3.ts';
import { many, one, presenter } from '../http/answers/jsonapi.ts';
import type { TagRow } from './tags.ts';

type Tag = components['schemas']['Tag'];

const tag = presenter<Tag>('tag');

export const presentTag = (row: TagRow): Tag =>
  tag({
    id: row.id,
    attributes: { title: row.title, active: row.active, external_id: row.external_id, color: row.color },
    relationships: { workspace: one('workspace', row.workspace_id), users: many('user', row.user_ids) },
  });
