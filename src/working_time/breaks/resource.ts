import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { localForm } from '../../platform/core/time.ts';
import { one, resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import type { BreakRow } from './breaks.ts';

type Schemas = components['schemas'];

const pause = resource('break', fields.Break);

export function presentBreak(row: BreakRow, { actor }: PresentContext): Schemas['Break'] {
  const local = (time: Date): string => localForm(time, actor.workspace!.time_zone);
  return pause(
    {
      id: row.id,
      starts_at: local(row.starts_at),
      ends_at: row.ends_at && local(row.ends_at),
      created_at: local(row.created_at),
      updated_at: local(row.updated_at),
      start_signature_id: row.start_signature_id,
      end_signature_id: row.end_signature_id,
      created_by: row.created_by,
    },
    { time_tracking: one('time_tracking', row.time_tracking_shown_id) },
  );
}
