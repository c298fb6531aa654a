import { sql } from 'kysely';
import type { Problem } from '../../platform/core/errors.ts';
import { noWorkspaceId } from '../../platform/core/ids.ts';
import { namesInWords, pointerOf, type Names, type Ref } from '../../platform/core/names.ts';
import { authorize, type Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import { referred, rowNamed } from '../../platform/db/names.ts';
import { rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { userRank } from '../../platform/db/visibility.ts';
import type { AbsenceRow } from './rows.ts';

/** Where absence types are looked up: in a workspace, or in the whole account. */
interface Scope {
  readonly accountId: number;
  readonly workspace: { readonly id: number } | null;
}

/** The workspace of an absence. */
interface Workspace {
  readonly id: number;
  readonly time_zone: string;
}

/**
 * Finds the absence type and the user of a new absence. The public API works in no workspace: the absence then belongs to the
 * workspace of its type.
 */
export async function findTypeAndUser(
  db: Db,
  actor: Actor,
  typeRef: Ref,
  userRef: Ref | undefined,
): Promise<{ type?: TypeReference; user?: Absentee; workspace?: Workspace; problems: Problem[] }> {
  const { type, problems } = await findType(db, actor, typeRef);
  const workspace = actor.workspace ?? (type && { id: type.workspace_id, time_zone: type.time_zone });
  const absentee = await findAbsentee(db, actor, workspace ?? null, userRef);
  const { user } = absentee;
  const isUsable = !type || !user || user.absence_type_ids.includes(type.id);
  const usability = isUsable ? [] : [notUsable(named('absence_type_', typeRef))];
  return { type, user, workspace, problems: [...problems, ...absentee.problems, ...usability] };
}

const notUsable = (names: Names): Problem => ({
  code: 'unusable_reference',
  pointer: pointerOf(names),
  title: `${namesInWords(names)} is not among the absence types that the user may use.`,
});

/**
 * The type of an absence after a change. Only a pending absence gets another one, which its user may use. The names of its own
 * type are no change.
 */
export async function typeAfter(
  db: Db,
  actor: Actor,
  absence: AbsenceRow,
  ref: Ref | undefined,
): Promise<{ type: AbsenceTypeOf; problems: Problem[] }> {
  const { account_id, workspace_id: id, confirmation_status: status } = absence;
  const own = { id: absence.absence_type_id, kind: absence.kind, title: absence.absence_type_title };
  const names = ref === undefined ? undefined : named('absence_type_', ref);
  if (names === undefined || isOwnType(names, absence)) return { type: own, problems: [] };
  if (status !== 'pending') return { type: own, problems: [decidedAlready(names, status)] };
  const { type, problems } = await findType(db, { ...actor, workspace: { id } }, ref!);
  const [user] = await absentees(db, account_id, { id }, [absence.user_id]);
  const isUsable = !type || user?.absence_type_ids.includes(type.id) === true;
  return { type: type ?? own, problems: [...problems, ...(isUsable ? [] : [notUsable(names)])] };
}

type AbsenceTypeOf = Pick<TypeReference, 'id' | 'kind' | 'title'>;

const isOwnType = (names: Names, { absence_type_id, absence_type_external_id }: AbsenceRow): boolean =>
  (names.id === undefined || String(names.id) === String(absence_type_id)) &&
  (names.external_id === undefined || names.external_id === absence_type_external_id);

const decidedAlready = (names: Names, status: string): Problem => ({
  code: 'wrong_state',
  pointer: pointerOf(names),
  title: `Only a pending absence can get another absence type, but this one is ${status}, and the request gave ${namesInWords(names)}. Set it back to pending first.`,
});

/** One active absence type of the actor's workspace or account. */
export async function findType(db: Db, actor: Scope, ref: Ref): Promise<{ type?: TypeReference; problems: Problem[] }> {
  const { row, problems } = await referred(
    named('absence_type_', ref),
    `absence type of this ${actor.workspace ? 'workspace' : 'account'}`,
    () => rowNamed('absence_types', ref, (condition) => typeRows(db, actor).where(condition).execute()),
  );
  return { type: row, problems };
}

/** The absent user: the named one, otherwise the actor. 403 for a user whose absences the actor may not record. */
export async function findAbsentee(
  db: Db,
  actor: Actor,
  workspace: Pick<Workspace, 'id'> | null,
  ref: Ref | undefined = actor.userId ?? undefined,
): Promise<{ user?: Absentee; problems: Problem[] }> {
  const name = named('user_', ref ?? '');
  const { row, problems } = await referred(
    name,
    workspace ? 'user of this workspace' : 'user of this account',
    async () =>
      ref === undefined
        ? undefined
        : rowNamed('users', ref, (condition) =>
            absenteeRows(db, actor.accountId, workspace).where(condition).execute(),
          ),
  );
  authorize(actor, 'record_absence', 'user', row);
  return { user: row, problems };
}

const typeRows = (db: Db, { accountId, workspace }: Scope) => {
  const rows = db
    .selectFrom('absence_types')
    .innerJoin('workspaces as workspace', (join) =>
      join.on('workspace.account_id', '=', accountId).onRef('workspace.id', '=', 'absence_types.workspace_id'),
    )
    .where('absence_types.account_id', '=', accountId)
    .where('absence_types.active', '=', true)
    .where('workspace.deleted_at', 'is', null)
    .select([
      'absence_types.id',
      'absence_types.external_id',
      'absence_types.title',
      'absence_types.kind',
      'absence_types.workspace_id',
      'workspace.time_zone',
    ]);
  return workspace === null ? rows : rows.where('absence_types.workspace_id', '=', workspace.id);
};

type TypeReference = Awaited<ReturnType<ReturnType<typeof typeRows>['executeTakeFirstOrThrow']>>;

const absenteeRows = (db: Db, accountId: number, workspace: Pick<Workspace, 'id'> | null) => {
  const rows = db
    .selectFrom('users')
    .where('users.account_id', '=', accountId)
    .where('users.deleted_at', 'is', null)
    .select([
      'users.id',
      'users.external_id',
      userRank(accountId, sql.ref('users.id'), workspace?.id ?? noWorkspaceId).as('rank'),
      sql<number[]>`array(
        select member.area_id from area_members member
        where member.account_id = ${accountId} and member.user_id = users.id)`.as('area_ids'),
      sql<number[]>`array(
        select usable.absence_type_id from user_absence_types usable
        where usable.account_id = ${accountId} and usable.user_id = users.id)`.as('absence_type_ids'),
    ]);
  if (workspace === null) return rows;
  return rows.where(sql<boolean>`exists (
    select from memberships member
    where member.account_id = ${accountId} and member.workspace_id = ${workspace.id} and member.user_id = users.id)`);
};

/** The users with these ids, as far as they are members of the workspace. */
export const absentees = (
  db: Db,
  accountId: number,
  workspace: Pick<Workspace, 'id'>,
  ids: readonly number[],
): Promise<Absentee[]> => rowsByIds(absenteeRows(db, accountId, workspace), 'users.id', ids);

export type Absentee = Awaited<ReturnType<ReturnType<typeof absenteeRows>['executeTakeFirstOrThrow']>>;

/** The names of a record, as a problem shows them. */
const named = (prefix: string, ref: Ref): Names => (typeof ref === 'object' ? ref : { id: ref as number, prefix });
