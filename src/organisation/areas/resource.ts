import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { permissionsOf } from '../../platform/core/permissions.ts';
import { utcForm } from '../../platform/core/time.ts';
import { many, one, resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import type { AreaRow } from './areas.ts';

type Area = components['schemas']['Area'];

const area = resource('area', fields.Area);

export const presentArea = (row: AreaRow, { actor, queryOptions }: PresentContext) =>
  area(
    {
      id: row.id,
      permissions: permissionsOf(actor, 'area', row, queryOptions.permissions),
      name: row.name,
      status: row.status as Area['attributes']['status'],
      color: row.color,
      external_id: row.external_id,
      created_at: utcForm(row.created_at),
      updated_at: utcForm(row.updated_at),
    },
    {
      users: many('user', row.user_ids),
      // Areas do not nest; the contract keeps the name for older clients.
      areas: [],
      workspace: one('workspace', row.workspace_id),
    },
  );
