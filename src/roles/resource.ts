import type { components } from '../../generated/v3.ts';
import type { Actor } from '../core/permissions.ts';
import { presenter } from '../http/answers/jsonapi.ts';
import type { RoleRow } from './roles.ts';

type Role = components['schemas']['Role'];

const role = presenter<Role>('role');

/** The name for people is in the language of the workspace. */
export const presentRole = (row: RoleRow, actor: Actor): Role =>
  role({
    id: row.id,
    attributes: {
      name: row.name as Role['attributes']['name'],
      localized_name: actor.workspace?.locale.startsWith('de') ? row.german_name : row.english_name,
    },
  });
