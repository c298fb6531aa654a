import { sql } from 'kysely';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { isAdminRole } from '../../platform/db/visibility.ts';

/** The pin of the actor in the first workspace that they administer; null where there is none. */
export async function ownAdminPin(db: Db, { accountId, userId }: Actor): Promise<string | null> {
  const membership = await db
    .selectFrom('memberships')
    .innerJoin('workspaces', (join) =>
      join.on('workspaces.account_id', '=', accountId).onRef('workspaces.id', '=', 'memberships.workspace_id'),
    )
    .select('memberships.identifier_pin')
    .where('memberships.account_id', '=', accountId)
    .where('memberships.user_id', '=', userId)
    .where(isAdminRole(sql.ref('memberships.role')))
    .where('workspaces.deleted_at', 'is', null)
    .orderBy('memberships.workspace_id')
    .executeTakeFirst();
  return membership?.identifier_pin ?? null;
}
