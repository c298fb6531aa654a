import type { Config } from '../../platform/config.ts';
import { v3 } from '../../platform/http/v3.ts';
import { listDeletedRecords } from './deleted_records.ts';
import { presentDeletedRecord } from './resource.ts';

export const deletedRecordHandlers = ({ recordRetentionMonths }: Config) =>
  v3.part({
    async listDeletedRecords(call) {
      const { rows, paging } = await listDeletedRecords(call.db, call.actor, call.queryOptions);
      return { data: rows.map((row) => presentDeletedRecord(row, call, recordRetentionMonths)), meta: paging };
    },
  });
