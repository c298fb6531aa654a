import { sql, type RawBuilder } from 'kysely';
import type { operations } from '../../../generated/v3.ts';
import { visibleAbsences } from '../../absence/absences/rows.ts';
import { listedNames } from '../../platform/core/known_names.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { visibleTo } from '../../working_time/time_trackings/list/visibility.ts';

type Resource = operations['getSummary']['parameters']['query']['resource'];

/** The scopes of each resource, as conditions on its rows. */
const scopesOf: Readonly<Record<Resource, Readonly<Record<string, RawBuilder<boolean>>>>> = {
  TimeTracking: {
    running: sql`time_trackings.ends_at is null`,
    unconfirmed: sql`time_trackings.ends_at is not null and not time_trackings.confirmed`,
    confirmed: sql`time_trackings.confirmed`,
  },
  Absence: {
    pending: sql`absences.confirmation_status = 'pending'`,
    confirmed: sql`absences.confirmation_status = 'confirmed'`,
    rejected: sql`absences.confirmation_status = 'rejected'`,
  },
};

/** The number of records that the actor may read, for each of the scopes, which come in a text with commas. */
export async function countRecords(
  db: Db,
  actor: WorkspaceActor,
  resource: Resource,
  scopes: string,
): Promise<Record<string, number>> {
  const known = scopesOf[resource];
  const names = listedNames('scopes', scopes, Object.keys(known), `${resource} has the scopes`);
  const counts = sql<Record<string, number>>`json_build_object(${sql.join(
    names.flatMap((scope) => [sql.lit(scope), sql`count(*) filter (where ${known[scope]!})`]),
  )})`.as('counts');
  const query =
    resource === 'Absence' ? visibleAbsences(db, actor).select(counts) : visibleTimeTrackings(db, actor).select(counts);
  return (await query.executeTakeFirstOrThrow()).counts;
}

const visibleTimeTrackings = (db: Db, { rank, accountId, userId, areaIds, workspace }: WorkspaceActor) =>
  visibleTo(db, rank, { accountId, userId, areaIds, workspaceId: workspace.id });
