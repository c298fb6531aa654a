import { sql } from 'kysely';
import type { Problem } from '../core/errors.ts';
import { inWords, pointerOf, type Names, type Ref } from '../core/names.ts';
import { authorize, type Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { referred, rowNamed } from '../db/names.ts';

/** Where an absence takes place. */
export interface Place {
  readonly id: number;
  readonly time_zone: string;
}

/** The records that a new absence refers to, as far as they are there, and what is wrong with the others. */
export interface References {
  readonly type?: AbsenceTypeReference;
  readonly user?: Absentee;
  readonly place?: Place;
  readonly problems: Problem[];
}

/**
 * Finds the absence type and the user of a new absence. An external system works in no workspace of its own: the absence then
 * belongs to that of its type.
 */
export async function findReferences(
  db: Db,
  actor: Actor,
  input: { absence_type: Ref; user: Ref | undefined },
): Promise<References> {
  const { type, problems } = await findType(db, actor, input.absence_type);
  const place = actor.workspace ?? (type && { id: type.workspace_id, time_zone: type.time_zone });
  const absentee = await findAbsentee(db, actor, place ?? null, input.user);
  const all = [...problems, ...absentee.problems];
  if (type && absentee.user && !absentee.user.absence_type_ids.includes(type.id)) {
    const name = named('absence_type_', input.absence_type);
    all.push({
      pointer: pointerOf(name),
      title: `${inWords(name)} is not among the absence types that the user may use.`,
    });
  }
  return { type, user: absentee.user, place, problems: all };
}

/** An absence type that new absences can have. */
export async function findType(
  db: Db,
  actor: Actor,
  ref: Ref,
): Promise<{ type?: AbsenceTypeReference; problems: Problem[] }> {
  const { row, problems } = await referred(
    named('absence_type_', ref),
    `absence type of this ${actor.workspace ? 'workspace' : 'account'}`,
    () => rowNamed('absence_types', ref, (condition) => typeRows(db, actor).where(condition).execute()),
  );
  return { type: row, problems };
}

/** The user who is absent: the one named, otherwise the actor. One whom the actor may not enter records for is 403. */
export async function findAbsentee(
  db: Db,
  actor: Actor,
  place: Pick<Place, 'id'> | null,
  ref: Ref | undefined = actor.userId ?? undefined,
): Promise<{ user?: Absentee; problems: Problem[] }> {
  const name = named('user_', ref ?? '');
  const { row, problems } = await referred(name, place ? 'user of this workspace' : 'user of this account', async () =>
    ref === undefined
      ? undefined
      : rowNamed('users', ref, (condition) => absenteeRows(db, actor.accountId, place).where(condition).execute()),
  );
  authorize(actor, 'record_absence', 'user', row);
  return { user: row, problems };
}

const typeRows = (db: Db, { accountId, workspace }: Actor) => {
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
      'absence_types.workspace_id',
      'workspace.time_zone',
    ]);
  return workspace === null ? rows : rows.where('absence_types.workspace_id', '=', workspace.id);
};

type AbsenceTypeReference = Awaited<ReturnType<ReturnType<typeof typeRows>['executeTakeFirstOrThrow']>>;

const absenteeRows = (db: Db, accountId: number, place: Pick<Place, 'id'> | null) => {
  const rows = db
    .selectFrom('users')
    .where('users.account_id', '=', accountId)
    .where('users.deleted_at', 'is', null)
    .select([
      'users.id',
      'users.external_id',
      'users.hours_on_vacation_day',
      sql<number[]>`array(
        select member.area_id from area_members member
        where member.account_id = ${accountId} and member.user_id = users.id)`.as('area_ids'),
      sql<number[]>`array(
        select usable.absence_type_id from user_absence_types usable
        where usable.account_id = ${accountId} and usable.user_id = users.id)`.as('absence_type_ids'),
    ]);
  if (place === null) return rows;
  return rows.where(sql<boolean>`exists (
    select from memberships member
    where member.account_id = ${accountId} and member.workspace_id = ${place.id} and member.user_id = users.id)`);
};

/** Those of the users who belong to the workspace. */
export const absentees = (
  db: Db,
  accountId: number,
  place: Pick<Place, 'id'>,
  ids: readonly number[],
): Promise<Absentee[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : absenteeRows(db, accountId, place)
        .where(sql<boolean>`users.id = any(${ids}::bigint[])`)
        .execute();

export type Absentee = Awaited<ReturnType<ReturnType<typeof absenteeRows>['executeTakeFirstOrThrow']>>;

/** How a problem names a record that a body refers to. */
const named = (prefix: string, ref: Ref): Names => (typeof ref === 'object' ? ref : { id: ref as number, prefix });
