import { sql } from 'kysely';
import { refuse } from '../../platform/core/errors.ts';
import type { Ref } from '../../platform/core/names.ts';
import { authorize, type Actor } from '../../platform/core/permissions.ts';
import { localDay } from '../../platform/core/time.ts';
import { changeFieldValues, fieldValuesNamed, fieldValuesOf, storeFieldValues } from '../data_profiles/field_values.ts';
import type { Db } from '../../platform/db/connection.ts';
import { findToChange } from '../../platform/db/record_locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import { setAreas, setTags } from './assignments.ts';
import { recordUser, type RecordedUser } from './events/user_events.ts';
import { joinWorkspace } from './memberships.ts';
import { areasNamed, hasName, isGiven, locationsNamed, locationTagProblems, type IdLists } from './id_lists.ts';
import { factsOfUser, userColumns, userRows, type UserRow } from './rows.ts';
import { attributeProblems, type UserInput } from './user_attributes.ts';
import { insertUser, storeUserChange } from './user_changes.ts';
import { findUser } from './users.ts';

/* Users of all locations of the enterprise, as the public API keeps them. */

export interface EnterpriseUserInput {
  readonly attributes: UserInput;
  readonly areas: IdLists;
  readonly tags: readonly number[] | undefined;
  /** The fields of the data profile, by key. */
  readonly fields: Readonly<Record<string, string | null>>;
  /** Whether confirmed absences whose amount changes become pending. */
  readonly resetsConfirmed?: boolean;
}

/** Creates a user in one or more locations. A user with an e-mail address is invited by mail. */
export async function createEnterpriseUser(
  db: OpenTransaction,
  actor: Actor,
  input: EnterpriseUserInput & { readonly attributes: { username: string }; readonly locations: IdLists },
  now: Date,
): Promise<UserRow> {
  const { accountId } = actor;
  const { attributes, tags = [] } = input;
  const locations = await locationsNamed(db, accountId, input.locations);
  const locationIds = idsOf(locations.rows);
  const areas = await areasNamed(db, accountId, locationIds, input.areas);
  const fields = await fieldValuesNamed(db, accountId, input.fields);
  refuse([
    ...fields.problems,
    ...locations.problems,
    ...areas.problems,
    ...(await locationTagProblems(db, accountId, locationIds, tags)),
    ...(await attributeProblems(db, actor, attributes, null)),
  ]);

  const newUser = { ...attributes, start_of_accounting: localDay(now, locations.rows[0]!.time_zone) };
  const id = await insertUser(db, accountId, newUser, { created_in_workspace: false }, now);
  for (const workspaceId of locationIds)
    await joinWorkspace(db, { accountId, workspaceId, userId: id }, undefined, now);
  await setAreas(db, actor, id, idsOf(areas.rows), now);
  await setTags(db, actor, id, tags);
  await storeFieldValues(db, accountId, id, fields.values);
  if (attributes.email) await enqueue(db, 'invitation', { accountId, userId: id });
  const after = await findUser(db, actor, id);
  recordUser(db, actor, 'created', { before: null, after: await withFields(db, actor, after) }, now);
  return after;
}

/** Changes what is given and leaves the rest alone. */
export async function updateEnterpriseUser(
  db: OpenTransaction,
  actor: Actor,
  ref: Ref,
  change: EnterpriseUserInput,
  now: Date,
): Promise<UserRow> {
  const user = await findToChange(db, actor, 'users', ref, (found) => findUser(db, actor, found));
  authorize(actor, 'update', 'user', factsOfUser(user));
  const areas = await areasNamed(db, actor.accountId, user.workspace_ids, change.areas);
  const fields = await fieldValuesNamed(db, actor.accountId, change.fields);
  refuse([
    ...fields.problems,
    ...areas.problems,
    ...(await locationTagProblems(db, actor.accountId, user.workspace_ids, change.tags ?? [])),
    ...(await attributeProblems(db, actor, change.attributes, user)),
  ]);
  const before = await withFields(db, actor, user);
  await storeUserChange(db, actor, user, change.attributes, now);
  if (isGiven(change.areas)) await setAreas(db, actor, user.id, idsOf(areas.rows), now);
  if (change.tags) await setTags(db, actor, user.id, change.tags);
  await changeFieldValues(db, actor, user.id, fields.values, { resetsConfirmed: change.resetsConfirmed === true }, now);
  const after = await findUser(db, actor, user.id);
  recordUser(db, actor, 'updated', { before, after: await withFields(db, actor, after) }, now);
  return after;
}

/** A user with the fields of their data profile, as events show them. */
async function withFields(db: Db, actor: Actor, user: UserRow): Promise<RecordedUser> {
  const fields = (await fieldValuesOf(db, actor, [user.id])).get(user.id)!;
  return {
    ...user,
    ...Object.fromEntries([...fields].map(([key, { value }]) => [`data_profile.${key}` as const, value])),
  };
}

const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);

/** The conditions on users of the enterprise. A user must meet all that are given. */
export interface EnterpriseUserFilter {
  readonly locations: IdLists;
  readonly areas: IdLists;
  /** The user has one of these tags; 0 means users without tags. */
  readonly tags: readonly number[] | undefined;
}

/** The active and inactive users of the enterprise. */
export function listEnterpriseUsers(db: Db, actor: Actor, filter: EnterpriseUserFilter, selection: Selection) {
  const { accountId, rank } = actor;
  let visible = db.selectFrom('users').where('users.account_id', '=', accountId).where('users.deleted_at', 'is', null);
  if (isGiven(filter.locations)) {
    visible = visible.where(sql<boolean>`exists (
      select from memberships member
      join workspaces on workspaces.account_id = ${accountId} and workspaces.id = member.workspace_id and workspaces.deleted_at is null
      where member.account_id = ${accountId} and member.user_id = users.id and ${hasName('workspaces', filter.locations)})`);
  }
  if (isGiven(filter.areas)) {
    visible = visible.where(sql<boolean>`exists (
      select from area_members member
      join areas on areas.account_id = ${accountId} and areas.id = member.area_id and areas.status = 'active'
      where member.account_id = ${accountId} and member.user_id = users.id and ${hasName('areas', filter.areas)})`);
  }
  if (filter.tags) {
    const tagged = sql`select from user_tags tagging where tagging.account_id = ${accountId} and tagging.user_id = users.id`;
    const orUntagged = filter.tags.includes(0) ? sql`or not exists (${tagged})` : sql``;
    visible = visible.where(
      sql<boolean>`(exists (${tagged} and tagging.tag_id = any(${filter.tags}::bigint[])) ${orUntagged})`,
    );
  }
  return list(
    db,
    {
      visible,
      rows: userRows(db, { accountId, workspace: null, rank }),
      id: 'users.id',
      columns: userColumns,
      timeZone: 'UTC',
    },
    selection,
  );
}
