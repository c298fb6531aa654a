import { sql } from 'kysely';
import { notFound, refuse, type Problem } from '../core/errors.ts';
import { numericId, type Id } from '../core/ids.ts';
import type { Ref } from '../core/names.ts';
import type { Actor, WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { idsIn, namedFilter, number, text, type Columns } from '../db/filters.ts';
import { list, type Selection } from '../db/list.ts';
import { rowNamed } from '../db/names.ts';

export interface AbsenceTypeInput {
  title?: string;
  kind?: string;
  external_id?: string | null;
}

const columns: Columns = {
  id: number('absence_types.id'),
  title: text('absence_types.title'),
  kind: text('absence_types.kind'),
};

const absenceTypeRows = (db: Db, accountId: number) =>
  db.selectFrom('absence_types').where('absence_types.account_id', '=', accountId).selectAll('absence_types');

export type AbsenceTypeRow = Awaited<ReturnType<ReturnType<typeof absenceTypeRows>['executeTakeFirstOrThrow']>>;

/** The absence types that records refer to, deleted ones too. */
export const absenceTypesByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<AbsenceTypeRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : absenceTypeRows(db, accountId)
        .where('absence_types.id', 'in', [...new Set(ids)])
        .orderBy('absence_types.id')
        .execute();

const activeTypes = (db: Db, accountId: number) =>
  absenceTypeRows(db, accountId)
    .where('absence_types.active', '=', true)
    .where(
      sql<boolean>`exists (
        select from workspaces workspace
        where workspace.account_id = ${accountId} and workspace.id = absence_types.workspace_id and workspace.deleted_at is null)`,
    );

/** One active absence type of the account, by either of its names, or undefined. */
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

/** The absence types of the actor's workspace, but for deleted ones. */
export function listAbsenceTypes(db: Db, { accountId, workspace }: WorkspaceActor, selection: Selection) {
  const visible = db
    .selectFrom('absence_types')
    .where('absence_types.account_id', '=', accountId)
    .where('absence_types.workspace_id', '=', workspace.id)
    .where('absence_types.active', '=', true);
  const rows = absenceTypeRows(db, accountId);
  const usableBy = (userId: ReturnType<typeof sql>) => sql`
    select from user_absence_types usable
    where usable.account_id = ${accountId} and usable.absence_type_id = absence_types.id and usable.user_id = ${userId}`;
  return list(
    db,
    {
      visible,
      rows,
      id: 'absence_types.id',
      columns,
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

/** One absence type of the actor's workspace; a miss and a deleted one are 404. */
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

/** A new absence type, which every user of the workspace may use. */
export async function createAbsenceType(
  db: Db,
  actor: WorkspaceActor,
  input: AbsenceTypeInput & { title: string; kind: string },
  now: Date,
): Promise<AbsenceTypeRow> {
  const { accountId, workspace } = actor;
  refuse(await problemsWith(db, accountId, input, null));
  const { id } = await db
    .insertInto('absence_types')
    .values({ ...input, account_id: accountId, workspace_id: workspace.id, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`
    insert into user_absence_types (account_id, user_id, absence_type_id)
    select ${accountId}, member.user_id, ${id} from memberships member
    where member.account_id = ${accountId} and member.workspace_id = ${workspace.id}`.execute(db);
  return findAbsenceType(db, actor, id);
}

/** Changes what is given and leaves the rest alone; absences keep their own titles. */
export async function updateAbsenceType(
  db: Db,
  actor: WorkspaceActor,
  ref: Id,
  change: AbsenceTypeInput,
  now: Date,
): Promise<AbsenceTypeRow> {
  const { id } = await findAbsenceType(db, actor, ref);
  refuse(await problemsWith(db, actor.accountId, change, id));
  await db
    .updateTable('absence_types')
    .set({ ...change, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', id)
    .execute();
  return findAbsenceType(db, actor, id);
}

/** Takes the absence type out of sight and out of use. The absences that have it keep it, so the row stays. */
export async function deleteAbsenceType(db: Db, actor: WorkspaceActor, ref: Id, now: Date): Promise<AbsenceTypeRow> {
  const type = await findAbsenceType(db, actor, ref);
  const { numUpdatedRows } = await db
    .updateTable('absence_types')
    .set({ active: false, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', type.id)
    .where('active', '=', true)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound('absence type');
  return type;
}

/** What the data says against an input. A constraint holds this too. */
async function problemsWith(
  db: Db,
  accountId: number,
  { external_id }: AbsenceTypeInput,
  exceptId: number | null,
): Promise<Problem[]> {
  if (!external_id) return [];
  const owner = await db
    .selectFrom('absence_types')
    .select('id')
    .where('account_id', '=', accountId)
    .where('external_id', '=', external_id)
    .where('active', '=', true)
    .where('id', 'is distinct from', exceptId)
    .executeTakeFirst();
  return owner
    ? [
        {
          pointer: 'external_id',
          title: `external_id "${external_id}" is already used by another absence type of this account.`,
        },
      ]
    : [];
}
