import { AppError } from '../../platform/core/errors.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import { findActor } from '../../platform/db/actors.ts';
import type { Db } from '../../platform/db/connection.ts';
import { makeFile } from '../../platform/files/made_files.ts';
import type { JobHandlers } from '../../platform/jobs/queue.ts';
import { contentOf } from './content.ts';
import type { ExportRow } from './exports.ts';

interface ExportJob {
  readonly accountId: number;
  readonly exportId: number;
}

/** The job that makes exports. */
export const exportJobs = (db: Db, clock: () => Date): JobHandlers => ({
  export: ({ accountId, exportId }: ExportJob) =>
    makeFile<ExportRow>(
      {
        db,
        clock,
        table: 'exports',
        interrupted: 'The service was interrupted each time it made the file. Ask for a smaller one.',
        fileOf: contentOf,
        contentOf: async (row, report) => contentOf(row).write(db, await actorOf(db, row), report),
      },
      accountId,
      exportId,
    ),
});

/** The user who asked for the export, with the rights they have now. */
async function actorOf(db: Db, { account_id, workspace_id, user_id }: ExportRow): Promise<WorkspaceActor> {
  const actor = await findActor(db, account_id, workspace_id, user_id);
  if (actor) return actor;
  const title = 'The user who asked for the export no longer belongs to the workspace.';
  throw new AppError(403, [{ code: 'forbidden', pointer: 'base', title }]);
}
