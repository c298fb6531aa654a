import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { localTime, one, resource, type PresentContext } from '../../platform/http/answers/jsonapi.ts';
import type { DeletedRecordRow } from './deleted_records.ts';
import { keptUntil } from './retention.ts';

type DeletedRecord = components['schemas']['DeletedRecord'];

const deletedRecord = resource('deleted_record', fields.DeletedRecord);

export const presentDeletedRecord = (row: DeletedRecordRow, context: PresentContext, retentionMonths: number) =>
  deletedRecord(
    {
      id: row.id,
      record_type: row.record_type as DeletedRecord['attributes']['record_type'],
      record_id: row.record_uuid ?? String(row.record_id),
      starts_at: localTime(row.starts_at, context),
      ends_at: row.ends_at && localTime(row.ends_at, context),
      deleted_at: localTime(row.deleted_at, context),
      deleted_by: row.deleted_by,
      kept_until: localTime(keptUntil(row.deleted_at, retentionMonths), context),
    },
    { user: one('user', row.user_id) },
  );
