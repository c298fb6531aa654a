import type { components } from '../../../generated/v3.ts';
import { refuse, type Problem } from '../../platform/core/errors.ts';
import { numericId, unknownIds, type Id } from '../../platform/core/ids.ts';
import { authorize, type WorkspaceActor } from '../../platform/core/permissions.ts';
import { customFieldsByIds } from '../data_profiles/custom_fields.ts';
import { factsOfProfile, findDataProfile, type DataProfileRow } from '../data_profiles/data_profiles.ts';
import { formProblems } from '../data_profiles/data_types.ts';
import { changeFieldValues, type NewFieldValue } from '../data_profiles/field_values.ts';
import type { Db } from '../../platform/db/connection.ts';
import { shareDataProfile } from '../../platform/db/locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { recordUser, type RecordedUser } from '../users/events/user_events.ts';
import { factsOfUser, type UserRow } from '../users/rows.ts';
import { findUser } from '../users/users.ts';

type Change = components['schemas']['UserDataProfileUpdate']['data']['attributes'];
type GivenValue = NonNullable<Change['custom_field_values_attributes']>[number];

/** A data profile with the values of one user. */
export interface UserDataProfile {
  readonly profile: DataProfileRow;
  readonly user: UserRow;
  /** In the order of their fields. */
  readonly values: readonly { readonly id: number; readonly key: string; readonly value: string | null }[];
}

/** The facts about a data profile of a user that the table of rights asks for. */
export const factsOfUserProfile = ({ profile, user }: Pick<UserDataProfile, 'profile' | 'user'>) => ({
  ...factsOfProfile(profile),
  user: factsOfUser(user),
});

/** A data profile of a user that the actor may read; 404 and 403 otherwise. */
export async function findUserDataProfile(
  db: Db,
  actor: WorkspaceActor,
  userRef: Id,
  ref: Id,
): Promise<UserDataProfile> {
  const user = await findUser(db, actor, userRef);
  const profile = await findDataProfile(db, actor, ref);
  authorize(actor, 'read', 'user_data_profile', factsOfUserProfile({ profile, user }));
  const values = await db
    .selectFrom('custom_field_values as value')
    .innerJoin('custom_fields as field', (join) =>
      join.on('field.account_id', '=', actor.accountId).onRef('field.id', '=', 'value.custom_field_id'),
    )
    .where('value.account_id', '=', actor.accountId)
    .where('value.user_id', '=', user.id)
    .where('field.data_profile_id', '=', profile.id)
    .select(['value.id', 'field.key', 'value.value'])
    .orderBy('field.position')
    .orderBy('field.id')
    .execute();
  return { profile, user, values };
}

/** Changes the values that are given and leaves the others alone. */
export async function updateUserDataProfile(
  tx: OpenTransaction,
  actor: WorkspaceActor,
  userRef: Id,
  ref: Id,
  { custom_field_values_attributes: given = [], reset_confirmed_absences }: Change,
  now: Date,
): Promise<UserDataProfile> {
  const before = await findUserDataProfile(tx, actor, userRef, ref);
  const { profile, user } = before;
  authorize(actor, 'update', 'user_data_profile', factsOfUserProfile({ profile, user }));
  // The types of the fields stay as they are until the values are stored.
  await shareDataProfile(tx, { accountId: actor.accountId, id: profile.id });
  const { values, problems } = await valuesIn(tx, actor, profile, given);
  refuse(problems);
  await changeFieldValues(tx, actor, user.id, values, { resetsConfirmed: reset_confirmed_absences === true }, now);
  const after = await findUserDataProfile(tx, actor, user.id, profile.id);
  recordUser(tx, actor, 'updated', { before: recorded(before), after: recorded(after) }, now);
  return after;
}

/** The user with the values of the data profile, as events show them. */
const recorded = ({ user, values }: UserDataProfile): RecordedUser => ({
  ...user,
  ...Object.fromEntries(values.map(({ key, value }) => [`data_profile.${key}` as const, value])),
});

async function valuesIn(db: Db, actor: WorkspaceActor, profile: DataProfileRow, given: readonly GivenValue[]) {
  const ids = given.map(({ custom_field_id }) => numericId(custom_field_id));
  const found = await customFieldsByIds(
    db,
    actor,
    ids.filter((id) => id !== undefined),
  );
  const fields = new Map(
    found.filter((field) => field.data_profile_id === profile.id).map((field) => [field.id, field]),
  );
  const values: NewFieldValue[] = [];
  const problems: Problem[] = [];
  for (const [index, { custom_field_id, data_type, value }] of given.entries()) {
    const pointer = (member: string): string => `custom_field_values_attributes/${index}/${member}`;
    const field = fields.get(ids[index] ?? 0);
    if (!field) {
      problems.push(...unknownIds(pointer('custom_field_id'), [custom_field_id], 'field of this data profile'));
      continue;
    }
    if (ids.indexOf(field.id) < index)
      problems.push({
        code: 'duplicate',
        pointer: pointer('custom_field_id'),
        title: `${pointer('custom_field_id')} names the field ${field.id} a second time.`,
      });
    if (data_type !== undefined && data_type !== field.data_type)
      problems.push({
        code: 'contradiction',
        pointer: pointer('data_type'),
        title: `${pointer('data_type')} is ${data_type}, but the field "${field.title}" has the data_type ${field.data_type}.`,
      });
    problems.push(...formProblems(pointer('value'), field, value));
    values.push({ field, value });
  }
  return { values, problems };
}
