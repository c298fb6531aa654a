import { sql } from 'kysely';
import type { Problem } from '../core/errors.ts';
import { numericId, unknownIds, type Id } from '../core/ids.ts';
import type { WorkspaceActor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import type { Placeholders } from '../db/placeholders.ts';
import { statement } from '../db/statement.ts';

/** A user whose working time can be recorded: a member of the workspace. */
export interface Member {
  readonly id: number;
  readonly username: string;
  readonly area_ids: readonly number[];
}

/** Held as a member until the caller is done, so that nobody leaves the workspace with something running. */
export async function findMember(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  ref: Id,
): Promise<Member | undefined> {
  const id = numericId(ref);
  if (id === undefined) return undefined;
  const [member] = await heldMember(db, { accountId, workspaceId: workspace.id, id });
  return member;
}

interface Named {
  accountId: number;
  workspaceId: number;
  id: number;
}

const heldMember = statement(
  (_db, { accountId, workspaceId, id }: Placeholders<Named>) => sql<Member>`
    select "user".id, "user".username, array(
      select member.area_id from area_members member where member.account_id = ${accountId} and member.user_id = ${id}) as area_ids
    from memberships membership
    join users "user" on "user".account_id = ${accountId} and "user".id = membership.user_id and "user".deleted_at is null
    where membership.account_id = ${accountId} and membership.workspace_id = ${workspaceId} and membership.user_id = ${id}
    for key share of membership`,
);

/** An area that work can be recorded in: an active one of the workspace, held so that it is not deleted meanwhile. */
export async function areaProblems(db: Db, { accountId, workspace }: WorkspaceActor, ref: Id): Promise<Problem[]> {
  const id = numericId(ref);
  const found = id === undefined ? [] : await heldArea(db, { accountId, workspaceId: workspace.id, id });
  return found.length > 0 ? [] : unknownIds('area', [ref], 'active area of this workspace');
}

const heldArea = statement(
  (_db, { accountId, workspaceId, id }: Placeholders<Named>) => sql<{ id: number }>`
    select id from areas where account_id = ${accountId} and workspace_id = ${workspaceId} and status = 'active' and id = ${id} for share`,
);

/** What is already running, in words; a user has at most one running tracking in a workspace. */
export async function runningProblems(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  userId: number,
  exceptId: number | null,
  show: (time: Date) => string,
): Promise<Problem[]> {
  const running = await db
    .selectFrom('time_trackings')
    .select('starts_at')
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where('user_id', '=', userId)
    .where('ends_at', 'is', null)
    .where('id', 'is distinct from', exceptId)
    .executeTakeFirst();
  if (!running) return [];
  const title = `ends_at is needed, because a time tracking of this user is already running since ${show(running.starts_at)}. End that one first, or give this one an end.`;
  return [{ pointer: 'ends_at', title }];
}

export async function externalIdProblems(
  db: Db,
  { accountId }: WorkspaceActor,
  externalId: string | undefined,
): Promise<Problem[]> {
  if (!externalId) return [];
  const taken = await db
    .selectFrom('time_trackings')
    .select('id')
    .where('account_id', '=', accountId)
    .where('external_id', '=', externalId)
    .executeTakeFirst();
  return taken
    ? [
        {
          pointer: 'external_id',
          title: `external_id "${externalId}" is already used by another time tracking of this account.`,
        },
      ]
    : [];
}
