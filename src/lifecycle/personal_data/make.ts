import { utcForm } from '../../platform/core/time.ts';
import type { Db } from '../../platform/db/connection.ts';
import { makeFile } from '../../platform/files/made_files.ts';
import type { JobHandlers } from '../../platform/jobs/queue.ts';
import { copyOf } from './copy.ts';
import type { DataExportRow } from './data_exports.ts';

interface DataExportJob {
  readonly accountId: number;
  readonly dataExportId: number;
}

/** The job that makes data exports. */
export const dataExportJobs = (db: Db, clock: () => Date): JobHandlers => ({
  data_export: ({ accountId, dataExportId }: DataExportJob) =>
    makeFile<DataExportRow>(
      {
        db,
        clock,
        table: 'data_exports',
        interrupted: 'The service was interrupted each time it made the file.',
        fileOf: ({ user_id, created_at }) => ({
          name: `personal-data-${user_id}-${utcForm(created_at).slice(0, 10)}.zip`,
          contentType: 'application/zip',
        }),
        contentOf: async ({ user_id: userId }, report) => copyOf(db, { accountId, userId }, clock(), report),
      },
      accountId,
      dataExportId,
    ),
});
