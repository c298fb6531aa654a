import { sql } from 'kysely';
import type { Problem } from '../core/errors.ts';
import { numericIds, unknownIds, type Id } from '../core/ids.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { UserScope } from './rows.ts';
import type { UserInput } from './user_attributes.ts';

/** The records of a workspace that users are assigned, and the tables that hold the assignments. */
const assignable = {
  areas: { assignments: 'area_members', column: 'area_id', isActive: sql`status = 'active'` },
  tags: { assignments: 'user_tags', column: 'tag_id', isActive: sql`true` },
  absence_types: { assignments: 'user_absence_types', column: 'absence_type_id', isActive: sql`active` },
} as const;

type Assignable = keyof typeof assignable;

/** One problem for each member with ids of records that the workspace does not have. */
export async function assignmentProblems(db: Db, actor: WorkspaceActor, input: UserInput): Promise<Problem[]> {
  const check = async (pointer: keyof UserInput, ids: readonly Id[] | undefined, table: Assignable, what: string) => {
    const { numbers, impossible } = numericIds(ids ?? []);
    const known = await activeIds(db, actor, table, numbers);
    return unknownIds(pointer, [...impossible, ...numbers.filter((id) => !known.has(id))], what);
  };
  return [
    ...(await check('area_ids', input.area_ids, 'areas', 'active area of this workspace')),
    ...(await check('filter_ids', input.filter_ids, 'tags', 'tag of this workspace')),
    ...(await check('tag_ids', input.tag_ids, 'tags', 'tag of this workspace')),
    ...(await check('absence_type_ids', input.absence_type_ids, 'absence_types', 'absence type of this workspace')),
  ];
}

async function activeIds(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  table: Assignable,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ id: number }>`
    select id from ${sql.table(table)}
    where account_id = ${accountId} and workspace_id = ${workspace.id} and ${assignable[table].isActive}
      and id = any(${ids}::bigint[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Assigns the user exactly these records of a workspace, or of the whole account. Only differences are written, so that
 * equal requests at the same time, from either side of an assignment, do not wait for each other.
 */
const setAssigned =
  (table: Assignable) =>
  async (db: Db, { accountId, workspace }: UserScope, userId: number, ids: readonly Id[]): Promise<void> => {
    const { numbers } = numericIds(ids);
    const assignments = sql.table(assignable[table].assignments);
    const column = sql.ref(assignable[table].column);
    const isInScope = workspace === null ? sql`true` : sql`workspace_id = ${workspace.id}`;
    await sql`
      delete from ${assignments}
      where account_id = ${accountId} and user_id = ${userId} and ${column} <> all(${numbers}::bigint[])
        and ${column} in (select id from ${sql.table(table)} where account_id = ${accountId} and ${isInScope})`.execute(
      db,
    );
    await sql`
      insert into ${assignments} (account_id, user_id, ${column})
      select ${accountId}::bigint, ${userId}::bigint, unnest(${numbers}::bigint[])
      on conflict do nothing`.execute(db);
  };

/** Replaces the user's areas of this workspace, or of the whole account. */
export const setAreas = setAssigned('areas');

/** Replaces the user's tags of this workspace, or of the whole account. */
export const setTags = setAssigned('tags');

/** Replaces the absence types that the user may take, of this workspace or of the whole account. */
export const setAbsenceTypes = setAssigned('absence_types');
