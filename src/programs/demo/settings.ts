import { createCustomField } from '../../organisation/data_profiles/custom_fields.ts';
import { createDataProfile } from '../../organisation/data_profiles/data_profiles.ts';
import { createWageType } from '../../payroll/wage_types/wage_types.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';

/** A data profile with a field that a user has filled in, one that employees do not see, and a wage type. */
export async function createSettings(
  db: OpenTransaction,
  actor: WorkspaceActor,
  userId: number,
  now: Date,
): Promise<void> {
  const profile = await createDataProfile(db, actor, { title: 'Equipment', user_checkin: true }, now);
  const size = { title: 'Shoe size', data_type: 'float', data_profile_id: String(profile.id) } as const;
  const field = await createCustomField(db, actor, size, now);
  await db
    .insertInto('custom_field_values')
    .values({ account_id: actor.accountId, custom_field_id: field.id, user_id: userId, value: '43' })
    .execute();
  const hidden = await createDataProfile(db, actor, { title: 'Personnel file', least_role: 'workspace_admin' }, now);
  const insurance = { title: 'Health insurance', data_type: 'string', data_profile_id: String(hidden.id) } as const;
  await createCustomField(db, actor, insurance, now);
  await createWageType(db, actor, { number: 100, title: 'Hours worked', source: 'net', unit: 'hours' }, now);
}
