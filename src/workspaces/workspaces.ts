import { sql } from 'kysely';
import { notFound, refuse, type Problem } from '../core/errors.ts';
import type { Ref } from '../core/names.ts';
import type { Actor, WorkspaceActor } from '../core/permissions.ts';
import { zoneNamed } from '../core/time.ts';
import type { Db } from '../db/connection.ts';
import { boolean, city, number, text, type Columns } from '../db/filters.ts';
import { list, type Selection } from '../db/list.ts';
import { rowNamed } from '../db/names.ts';
import { readableWorkspace } from '../db/visibility.ts';
import { avatarColumns, avatarProblems, forgetReplacedAvatar } from '../files/avatars.ts';
import { joinWorkspace } from '../users/references.ts';

/** The attributes of a workspace that are plain columns, and go there as they come. */
interface WorkspaceColumns {
  name?: string;
  phone?: string | null;
  locale?: string;
  external_id?: string | null;
  allow_employees_edit_working_session_area?: boolean;
  allow_employee_edit_punched_working_sessions?: boolean;
  allow_employees_tag_working_sessions?: boolean;
  checkin?: boolean | null;
  welcome_message?: string;
}

export interface WorkspaceInput extends WorkspaceColumns {
  time_zone?: string;
  avatar?: string | null;
}

// prettier-ignore
const plainColumns: readonly (keyof WorkspaceColumns)[] = [
  'name', 'phone', 'locale', 'external_id', 'allow_employees_edit_working_session_area',
  'allow_employee_edit_punched_working_sessions', 'allow_employees_tag_working_sessions', 'checkin', 'welcome_message',
];

const defaultAbsenceTypes = [
  { title: 'Vacation', kind: 'vacation' },
  { title: 'Sick leave', kind: 'sickness' },
  { title: 'Special leave', kind: 'special' },
  { title: 'Unpaid leave', kind: 'unpaid' },
];

const columns: Columns = {
  id: number('workspaces.id'),
  name: text('workspaces.name'),
  phone: text('workspaces.phone'),
  time_zone: city('workspaces.time_zone'),
  locale: text('workspaces.locale'),
  external_id: text('workspaces.external_id'),
  allow_employees_edit_working_session_area: boolean('workspaces.allow_employees_edit_working_session_area'),
  allow_employee_edit_punched_working_sessions: boolean('workspaces.allow_employee_edit_punched_working_sessions'),
  allow_employees_tag_working_sessions: boolean('workspaces.allow_employees_tag_working_sessions'),
  checkin: boolean('workspaces.checkin'),
  welcome_message: text('workspaces.welcome_message'),
};

const workspaceRows = (db: Db, accountId: number) =>
  db
    .selectFrom('workspaces')
    .where('workspaces.account_id', '=', accountId)
    .selectAll('workspaces')
    .select(
      sql<number[]>`array(
        select area.id from areas area
        where area.account_id = ${accountId} and area.workspace_id = workspaces.id and area.status = 'active'
        order by area.id)`.as('area_ids'),
    );

export type WorkspaceRow = Awaited<ReturnType<ReturnType<typeof workspaceRows>['executeTakeFirstOrThrow']>>;

/** The workspace that the actor works in. */
export async function findWorkspace(db: Db, { accountId, workspace }: WorkspaceActor): Promise<WorkspaceRow> {
  const row = await workspaceRows(db, accountId)
    .where('workspaces.id', '=', workspace.id)
    .where('workspaces.deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw notFound('workspace');
  return row;
}

/** One workspace of the account, by either of its names, or undefined. */
export const workspaceNamed = (
  db: Db,
  { accountId }: Pick<Actor, 'accountId'>,
  ref: Ref,
): Promise<WorkspaceRow | undefined> =>
  rowNamed('workspaces', ref, (condition) =>
    workspaceRows(db, accountId).where('workspaces.deleted_at', 'is', null).where(condition).execute(),
  );

/** Every workspace of the account. */
export const allWorkspaces = (db: Db, { accountId }: Actor): Promise<WorkspaceRow[]> =>
  workspaceRows(db, accountId).where('workspaces.deleted_at', 'is', null).orderBy('workspaces.id').execute();

/** The actor at work in one of his account's workspaces. */
export const inWorkspace = (actor: Actor, workspace: WorkspaceRow): WorkspaceActor => ({ ...actor, workspace });

export const workspacesByIds = (
  db: Db,
  { accountId }: Pick<Actor, 'accountId'>,
  ids: readonly number[],
): Promise<WorkspaceRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : workspaceRows(db, accountId)
        .where('workspaces.id', 'in', [...new Set(ids)])
        .orderBy('workspaces.id')
        .execute();

/** The workspaces the actor belongs to; all of the account's for an account admin. */
export function listWorkspaces(db: Db, actor: Actor, selection: Selection) {
  const visible = db
    .selectFrom('workspaces')
    .where('workspaces.account_id', '=', actor.accountId)
    .where('workspaces.deleted_at', 'is', null)
    .where(readableWorkspace(actor));
  const rows = workspaceRows(db, actor.accountId);
  return list(db, { visible, rows, id: 'workspaces.id', columns }, selection);
}

/** A new workspace with the default absence types, of which its creator becomes a member. */
export async function createWorkspace(
  db: Db,
  actor: Pick<Actor, 'accountId' | 'userId'>,
  input: WorkspaceInput & { name: string },
  now: Date,
): Promise<WorkspaceRow> {
  refuse(await problemsWith(db, actor.accountId, input, null));
  const { accountId, userId } = actor;
  const { id } = await db
    .insertInto('workspaces')
    .values({
      ...(await columnsOf(db, accountId, input, now)),
      account_id: accountId,
      name: input.name,
      time_zone: zoneNamed(input.time_zone ?? 'Berlin')!,
      locale: input.locale ?? 'de',
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('directory_workspaces').values({ workspace_id: id, account_id: accountId }).execute();
  await db
    .insertInto('absence_types')
    .values(
      defaultAbsenceTypes.map((type) => ({
        ...type,
        account_id: accountId,
        workspace_id: id,
        created_at: now,
        updated_at: now,
      })),
    )
    .execute();
  if (userId !== null) await joinWorkspace(db, { accountId, workspaceId: id, userId }, undefined, now);
  return workspaceRows(db, accountId).where('workspaces.id', '=', id).executeTakeFirstOrThrow();
}

/** Changes what is given and leaves the rest alone. */
export async function updateWorkspace(
  db: Db,
  actor: WorkspaceActor,
  change: WorkspaceInput,
  now: Date,
): Promise<WorkspaceRow> {
  refuse(await problemsWith(db, actor.accountId, change, actor.workspace.id));
  const before = await findWorkspace(db, actor);
  await db
    .updateTable('workspaces')
    .set({ ...(await columnsOf(db, actor.accountId, change, now)), updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', actor.workspace.id)
    .execute();
  await forgetReplacedAvatar(db, before, change);
  return findWorkspace(db, actor);
}

async function columnsOf(db: Db, accountId: number, input: WorkspaceInput, now: Date) {
  const plain: WorkspaceColumns = Object.fromEntries(
    plainColumns.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]),
  );
  return {
    ...plain,
    time_zone: input.time_zone === undefined ? undefined : zoneNamed(input.time_zone),
    ...(await avatarColumns(db, accountId, input.avatar, now)),
  };
}

async function problemsWith(
  db: Db,
  accountId: number,
  input: WorkspaceInput,
  exceptId: number | null,
): Promise<Problem[]> {
  const problems: Problem[] = [];
  if (input.time_zone !== undefined && !zoneNamed(input.time_zone)) {
    problems.push({
      pointer: 'time_zone',
      title: `time_zone must be a city such as Berlin or an IANA name such as Europe/Berlin, but was "${input.time_zone}".`,
    });
  }
  if (input.external_id) {
    const owner = await db
      .selectFrom('workspaces')
      .select('id')
      .where('account_id', '=', accountId)
      .where('external_id', '=', input.external_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (owner && owner.id !== exceptId)
      problems.push({
        pointer: 'external_id',
        title: `external_id "${input.external_id}" is already used by another workspace of this account.`,
      });
  }
  return [...problems, ...(await avatarProblems(input.avatar))];
}
