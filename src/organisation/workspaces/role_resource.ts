import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import type { RoleRow } from './roles.ts';

type Role = components['schemas']['Role'];

const role = resource('role', fields.Role);

/** A role, with its name in the language of the workspace. */
export const presentRole = (row: RoleRow, { actor }: Pick<PresentContext, 'actor'>) =>
  role({
    id: row.id,
    name: row.name as Role['attributes']['name'],
    localized_name: actor.workspace?.locale.startsWith('de') ? row.german_name : row.english_name,
  });
