import { sql } from 'kysely';
import { may, type WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { readableDataProfile } from '../../platform/db/visibility.ts';

/** The prefix of custom fields in events about users. The key of the field follows. */
const fieldPrefix = 'data_profile.';

const isField = (attribute: string): boolean => attribute.startsWith(fieldPrefix);

interface WithChanges {
  readonly changes: unknown;
}

const attributesOf = ({ changes }: WithChanges): string[] => Object.keys(changes as object);

/**
 * Events as the actor may read them: without the values of custom fields that they may not see. Two data profiles can have a field
 * with the same key. The actor must then see both. The values of a field that was deleted are for account admins only.
 */
export async function readableEvents<Row extends WithChanges>(
  db: Db,
  actor: WorkspaceActor,
  rows: readonly Row[],
): Promise<Row[]> {
  const readsAll = may(actor, 'read_deleted_fields', 'account', {});
  if (readsAll || !rows.some((row) => attributesOf(row).some(isField))) return [...rows];
  const seen = await db
    .selectFrom('custom_fields')
    .innerJoin('data_profiles', (join) =>
      join
        .on('data_profiles.account_id', '=', actor.accountId)
        .onRef('data_profiles.id', '=', 'custom_fields.data_profile_id'),
    )
    .where('custom_fields.account_id', '=', actor.accountId)
    .groupBy('custom_fields.key')
    .having(sql<boolean>`bool_and(${readableDataProfile(actor)})`)
    .select('custom_fields.key')
    .execute();
  const seenFields = new Set(seen.map(({ key }) => fieldPrefix + key));
  const isReadable = (attribute: string): boolean => !isField(attribute) || seenFields.has(attribute);
  return rows.map((row) => ({
    ...row,
    changes: Object.fromEntries(Object.entries(row.changes as object).filter(([attribute]) => isReadable(attribute))),
  }));
}
