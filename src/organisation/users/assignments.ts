import { sql } from 'kysely';
import type { Problem } from '../../platform/core/errors.ts';
import { numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import type { WorkspaceActor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { eventsOf, recordEvents, type EventActor } from '../../platform/events/record.ts';
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

/** The records that a user was assigned, and those that they were not assigned any more. */
interface Reassigned {
  readonly added: readonly number[];
  readonly removed: readonly number[];
}

/**
 * Assigns the user exactly these records of a workspace, or of the whole account. Only differences are written, so that
 * equal requests at the same time, from either side of an assignment, do not wait for each other.
 */
const setAssigned =
  (table: Assignable) =>
  async (
    db: Db,
    { accountId, workspace }: Omit<UserScope, 'rank'>,
    userId: number,
    ids: readonly Id[],
  ): Promise<Reassigned> => {
    const { numbers } = numericIds(ids);
    const assignments = sql.table(assignable[table].assignments);
    const column = sql.ref(assignable[table].column);
    const isInScope = workspace === null ? sql`true` : sql`workspace_id = ${workspace.id}`;
    const { rows: removed } = await sql<{ id: number }>`
      delete from ${assignments}
      where account_id = ${accountId} and user_id = ${userId} and ${column} <> all(${numbers}::bigint[])
        and ${column} in (select id from ${sql.table(table)} where account_id = ${accountId} and ${isInScope})
      returning ${column} as id`.execute(db);
    const { rows: added } = await sql<{ id: number }>`
      insert into ${assignments} (account_id, user_id, ${column})
      select ${accountId}::bigint, ${userId}::bigint, unnest(${numbers}::bigint[])
      on conflict do nothing
      returning ${column} as id`.execute(db);
    return { added: added.map(({ id }) => id), removed: removed.map(({ id }) => id) };
  };

const assignAreas = setAssigned('areas');

/** Replaces the user's areas of this workspace, or of the whole account. */
export async function setAreas(
  tx: OpenTransaction,
  scope: EventActor & UserScope,
  userId: number,
  ids: readonly Id[],
  now: Date,
): Promise<void> {
  const { added, removed } = await assignAreas(tx, scope, userId, ids);
  const changed = await areasWithMembers(tx, scope.accountId, [...added, ...removed]);
  const events = changed.flatMap((after) => {
    const others = after.user_ids.filter((id) => id !== userId);
    const user_ids = added.includes(after.id) ? others : [...others, userId].sort((one, other) => one - other);
    return areaMemberEvents.eventOf('updated', { ...after, user_ids }, after) ?? [];
  });
  recordEvents(tx, scope, events, now);
}

interface AreaMembers {
  readonly id: number;
  readonly workspace_id: number;
  readonly external_id: string | null;
  readonly user_ids: readonly number[];
}

const areaMemberEvents = eventsOf<AreaMembers>()('area', ['user_ids']);

async function areasWithMembers(db: Db, accountId: number, ids: readonly number[]): Promise<AreaMembers[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<AreaMembers>`
    select id, workspace_id, external_id, array(
        select member.user_id from area_members member
        where member.account_id = ${accountId} and member.area_id = areas.id order by member.user_id) as user_ids
    from areas where account_id = ${accountId} and id = any(${ids}::bigint[]) order by id`.execute(db);
  return rows;
}

/** Replaces the user's tags of this workspace, or of the whole account. */
export const setTags = setAssigned('tags');

/** Replaces the absence types that the user may take, of this workspace or of the whole account. */
export const setAbsenceTypes = setAssigned('absence_types');
