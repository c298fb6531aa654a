import { sql } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import { notFound, refuse, type Problem } from '../../platform/core/errors.ts';
import { numericId, type Id } from '../../platform/core/ids.ts';
import type { Ref } from '../../platform/core/names.ts';
import type { Actor, WorkspaceActor } from '../../platform/core/permissions.ts';
import { pick } from '../../platform/core/pick.ts';
import type { Db } from '../../platform/db/connection.ts';
import { idsIn, namedFilter } from '../../platform/db/list/filters.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { rowNamed } from '../../platform/db/names.ts';
import { findToChange } from '../../platform/db/record_locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { takenProblems } from '../../platform/db/unique_values.ts';
import { readableBy } from '../../platform/db/visibility.ts';
import { absenceTypeAttributes, absenceTypeEvents } from '../../organisation/workspaces/default_absence_types.ts';

type Schemas = components['schemas'];

type NewAbsenceType = Schemas['AbsenceTypeCreation']['data']['attributes'];
type AbsenceTypeChange = Schemas['AbsenceTypeUpdate']['data']['attributes'];

const columns = listColumns('listAbsenceTypes', 'absence_types');

const absenceTypeRows = (db: Db, accountId: number) =>
  db.selectFrom('absence_types').where('absence_types.account_id', '=', accountId).selectAll('absence_types');

export type AbsenceTypeRow = Awaited<ReturnType<ReturnType<typeof absenceTypeRows>['executeTakeFirstOrThrow']>>;

/** The absence types that records refer to, including deleted ones. */
export const absenceTypesByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<AbsenceTypeRow[]> =>
  rowsByIds(absenceTypeRows(db, accountId), 'absence_types.id', ids);

const activeTypes = (db: Db, accountId: number) =>
  absenceTypeRows(db, accountId)
    .where('absence_types.active', '=', true)
    .where(
      sql<boolean>`exists (
        select from workspaces workspace
        where workspace.account_id = ${accountId} and workspace.id = absence_types.workspace_id and workspace.deleted_at is null)`,
    );

/** One active absence type of the account, or undefined. */
export const absenceTypeNamed = (
  db: Db,
  { accountId }: Pick<Actor, 'accountId'>,
  ref: Ref,
): Promise<AbsenceTypeRow | undefined> =>
  rowNamed('absence_types', ref, (condition) => activeTypes(db, accountId).where(condition).execute());

/** All active absence types of the account, or those of one workspace. */
export const allAbsenceTypes = (
  db: Db,
  { accountId }: Actor,
  workspaceId: number | null,
): Promise<AbsenceTypeRow[]> => {
  const rows = activeTypes(db, accountId).orderBy('absence_types.id');
  return (workspaceId === null ? rows : rows.where('absence_types.workspace_id', '=', workspaceId)).execute();
};

/** The active absence types of the actor's workspace. */
export function listAbsenceTypes(db: Db, actor: WorkspaceActor, selection: Selection) {
  const { accountId, workspace } = actor;
  const visible = db
    .selectFrom('absence_types')
    .where('absence_types.account_id', '=', accountId)
    .where('absence_types.workspace_id', '=', workspace.id)
    .where('absence_types.active', '=', true);
  const rows = absenceTypeRows(db, accountId);
  // Users whom the actor may not read count as users without absence types, so that the filters reveal nothing.
  const usableBy = (userId: ReturnType<typeof sql>) => sql`
    select from user_absence_types usable
    join users on users.account_id = ${accountId} and users.id = usable.user_id
    where usable.account_id = ${accountId} and usable.absence_type_id = absence_types.id and usable.user_id = ${userId}
      and ${readableBy(actor, 'user')}`;
  return list(
    db,
    {
      visible,
      rows,
      id: 'absence_types.id',
      columns,
      timeZone: workspace.time_zone,
      named: {
        users_id_in: namedFilter(idsIn, (ids) => sql`exists (${usableBy(sql`any(${ids}::bigint[])`)})`),
        intersecting_users: namedFilter(
          idsIn,
          (ids) => sql`not exists (
          select from unnest(${ids}::bigint[]) as wanted (user_id) where not exists (${usableBy(sql`wanted.user_id`)}))`,
        ),
      },
    },
    selection,
  );
}

/** One active absence type of the actor's workspace; a miss is 404. */
async function findAbsenceType(db: Db, { accountId, workspace }: WorkspaceActor, ref: Id): Promise<AbsenceTypeRow> {
  const id = numericId(ref);
  const row =
    id === undefined
      ? undefined
      : await absenceTypeRows(db, accountId)
          .where('absence_types.id', '=', id)
          .where('absence_types.workspace_id', '=', workspace.id)
          .where('absence_types.active', '=', true)
          .executeTakeFirst();
  if (!row) throw notFound('absence type');
  return row;
}

/** Creates an absence type that every user of the workspace may use. */
export async function createAbsenceType(
  db: OpenTransaction,
  actor: WorkspaceActor,
  input: NewAbsenceType,
  now: Date,
): Promise<AbsenceTypeRow> {
  const { accountId, workspace } = actor;
  refuse(await attributeProblems(db, accountId, input, null));
  const { id } = await db
    .insertInto('absence_types')
    .values({
      ...pick(input, absenceTypeAttributes),
      account_id: accountId,
      workspace_id: workspace.id,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into user_absence_types (account_id, user_id, absence_type_id)
    select ${accountId}, member.user_id, ${id} from memberships member
    where member.account_id = ${accountId} and member.workspace_id = ${workspace.id}
    returning account_id`.execute(db);
  const after = await findAbsenceType(db, actor, id);
  absenceTypeEvents.record(db, actor, 'created', { before: null, after }, now);
  return after;
}

/** Changes what is given and leaves the rest alone. Absences of the type keep their titles. */
export async function updateAbsenceType(
  db: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  change: AbsenceTypeChange,
  now: Date,
): Promise<AbsenceTypeRow> {
  const before = await findToChange(db, actor, 'absence_types', ref, (found) => findAbsenceType(db, actor, found));
  const { id } = before;
  refuse(await attributeProblems(db, actor.accountId, change, id));
  await db
    .updateTable('absence_types')
    .set({ ...pick(change, absenceTypeAttributes), updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', id)
    .execute();
  const after = await findAbsenceType(db, actor, id);
  absenceTypeEvents.record(db, actor, 'updated', { before, after }, now);
  return after;
}

/** Deletes the absence type. Its row stays, because absences refer to it. */
export async function deleteAbsenceType(
  db: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  now: Date,
): Promise<AbsenceTypeRow> {
  const type = await findToChange(db, actor, 'absence_types', ref, (found) => findAbsenceType(db, actor, found));
  const { numUpdatedRows } = await db
    .updateTable('absence_types')
    .set({ active: false, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', type.id)
    .where('active', '=', true)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound('absence type');
  absenceTypeEvents.record(db, actor, 'deleted', { before: type, after: null }, now);
  return type;
}

/** The problems of an input that the contract cannot know. `typeId` is null for a new absence type. */
const attributeProblems = (
  db: Db,
  accountId: number,
  { external_id }: AbsenceTypeChange,
  typeId: number | null,
): Promise<Problem[]> => {
  const others = db
    .selectFrom('absence_types')
    .where('account_id', '=', accountId)
    .where('active', '=', true)
    .where('id', 'is distinct from', typeId);
  return takenProblems(others, 'external_id', external_id, 'absence type of this account');
};
