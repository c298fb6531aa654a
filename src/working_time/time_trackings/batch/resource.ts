import * as fields from '../../../../generated/fields.ts';
import type { components } from '../../../../generated/v3.ts';
import { utcForm } from '../../../platform/core/time.ts';
import { resource } from '../../../platform/http/answers/jsonapi.ts';
import type { BatchRow } from '../../../platform/batches/batches.ts';

type BatchAction = components['schemas']['BatchAction'];
type Attributes = BatchAction['attributes'];

const batchAction = resource('batch_action', fields.BatchAction);

export const presentBatchAction = (row: BatchRow) =>
  batchAction({
    id: row.id, // The name of the step begins with its noun; the request names the action alone.
    action: row.action.slice(row.action.indexOf('.') + 1) as Attributes['action'],
    state: row.state as Attributes['state'],
    total: row.total,
    done: row.done,
    failed: row.failed,
    failures: row.failures as Attributes['failures'],
    created_at: utcForm(row.created_at),
    updated_at: utcForm(row.updated_at),
  });
