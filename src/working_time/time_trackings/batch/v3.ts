import { v3 } from '../../../platform/http/v3.ts';
import { findBatch } from '../../../platform/batches/batches.ts';
import { presentBatchAction } from './resource.ts';

export const batchActionHandlers = v3.part({
  async getBatchAction(call) {
    return { data: presentBatchAction(await findBatch(call.db, call.actor, call.params.batch_id)) };
  },
});
