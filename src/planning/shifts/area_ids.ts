import type { Problem } from '../../platform/core/errors.ts';
import { numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';

/** The problem of `working_area_ids` that are no active areas of the workspace. */
export async function areaIdProblems(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  ids: readonly Id[] = [],
): Promise<Problem[]> {
  const { numbers, impossible } = numericIds(ids);
  const areas = await db
    .selectFrom('areas')
    .select('id')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where('status', '=', 'active')
    .where(isAnyOf('id', numbers))
    .execute();
  const unknown = numbers.filter((id) => !areas.some((area) => area.id === id));
  return unknownIds('working_area_ids', [...impossible, ...unknown], 'active area of this workspace');
}
