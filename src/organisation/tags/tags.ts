import { sql } from 'kysely';
import type { components } from '../../../generated/v3.ts';
import { notFound, refuse, type Problem } from '../../platform/core/errors.ts';
import { numericId, numericIds, unknownIds, type Id } from '../../platform/core/ids.ts';
import { authorize, type Actor, type WorkspaceActor } from '../../platform/core/permissions.ts';
import { pick, storedAttributes } from '../../platform/core/pick.ts';
import type { Db } from '../../platform/db/connection.ts';
import { findToChange } from '../../platform/db/record_locks.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { list, type Selection } from '../../platform/db/list/list.ts';
import { listColumns } from '../../platform/db/list/columns.ts';
import { isAnyOf, rowsByIds } from '../../platform/db/rows_by_ids.ts';
import { takenProblems } from '../../platform/db/unique_values.ts';
import { removeTag } from '../../platform/events/lost_references.ts';
import { eventsOf } from '../../platform/events/record.ts';

type Schemas = components['schemas'];

type NewTag = Schemas['TagCreation']['data']['attributes'];
type TagChange = Schemas['TagUpdate']['data']['attributes'];

const stored = storedAttributes({ table: 'tags', schemas: ['TagCreation', 'TagUpdate'], handled: [] });

const columns = listColumns('listTags', 'tags');

/** Tags with their users. Users who left the workspace keep their tags in case they return, but are not shown. */
const tagRows = (db: Db, accountId: number) =>
  db
    .selectFrom('tags')
    .where('tags.account_id', '=', accountId)
    .selectAll('tags')
    .select(
      sql<number[]>`array(
        select tagging.user_id from user_tags tagging
        join memberships member on member.account_id = ${accountId} and member.workspace_id = tags.workspace_id and member.user_id = tagging.user_id
        where tagging.account_id = ${accountId} and tagging.tag_id = tags.id
        order by tagging.user_id)`.as('user_ids'),
    );

export type TagRow = Awaited<ReturnType<ReturnType<typeof tagRows>['executeTakeFirstOrThrow']>>;

export const tagEvents = eventsOf<TagRow>()('tag', [...stored, 'user_ids']);

export const tagsByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<TagRow[]> =>
  rowsByIds(tagRows(db, accountId), 'tags.id', ids);

const tagsInWorkspace = (db: Db, { accountId, workspace }: WorkspaceActor) =>
  tagRows(db, accountId).where('tags.workspace_id', '=', workspace.id);

/** Every tag of the actor's workspace, active or not. */
export const allTags = (db: Db, actor: WorkspaceActor): Promise<TagRow[]> =>
  tagsInWorkspace(db, actor).orderBy('tags.id').execute();

/** One tag of the actor's workspace, active or not; 404 otherwise. */
export async function findTag(db: Db, actor: WorkspaceActor, ref: Id): Promise<TagRow> {
  const id = numericId(ref);
  const row =
    id === undefined ? undefined : await tagsInWorkspace(db, actor).where('tags.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('tag');
  return row;
}

/** The tag of the actor's workspace with exactly this title. Creates it if there is none and the actor may; concurrent calls get the same tag. */
export async function tagTitled(db: OpenTransaction, actor: WorkspaceActor, title: string, now: Date): Promise<TagRow> {
  for (;;) {
    const found = await tagsInWorkspace(db, actor).where('tags.title', '=', title).executeTakeFirst();
    if (found) return found;
    authorize(actor, 'create_tag', 'workspace', actor.workspace);
    const tag = {
      account_id: actor.accountId,
      workspace_id: actor.workspace.id,
      title,
      created_at: now,
      updated_at: now,
    };
    const created = await db
      .insertInto('tags')
      .values(tag)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (created) return recordedTag(db, actor, created.id, now);
  }
}

async function recordedTag(db: OpenTransaction, actor: WorkspaceActor, id: number, now: Date): Promise<TagRow> {
  const after = await findTag(db, actor, id);
  tagEvents.record(db, actor, 'created', { before: null, after }, now);
  return after;
}

/** The tags of the actor's workspace, or those on one time tracking. */
export function listTags(db: Db, actor: WorkspaceActor, selection: Selection, timeTrackingId?: number) {
  const { accountId, workspace } = actor;
  let visible = db
    .selectFrom('tags')
    .where('tags.account_id', '=', accountId)
    .where('tags.workspace_id', '=', workspace.id);
  if (timeTrackingId !== undefined) {
    visible = visible.where(sql<boolean>`exists (
      select from time_tracking_tags tagging
      where tagging.account_id = ${accountId} and tagging.time_tracking_id = ${timeTrackingId} and tagging.tag_id = tags.id)`);
  }
  const rows = tagRows(db, accountId);
  return list(db, { visible, rows, id: 'tags.id', columns, timeZone: workspace.time_zone }, selection);
}

/** Creates a tag in the actor's workspace. Of several calls at the same moment, one creates it and all return it. */
export async function createTag(db: OpenTransaction, actor: WorkspaceActor, input: NewTag, now: Date): Promise<TagRow> {
  authorize(actor, 'create_tag', 'workspace', actor.workspace);
  refuse(await problemsWith(db, actor, input, null));
  const created = await db
    .insertInto('tags')
    .values({
      ...pick(input, stored),
      account_id: actor.accountId,
      workspace_id: actor.workspace.id,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'workspace_id', 'title']).doNothing())
    .returning('id')
    .executeTakeFirst();
  // The title was free before, so another call took it in between.
  return created ? recordedTag(db, actor, created.id, now) : tagTitled(db, actor, input.title, now);
}

/** Changes the given attributes. */
export async function updateTag(
  db: OpenTransaction,
  actor: WorkspaceActor,
  ref: Id,
  change: TagChange,
  now: Date,
): Promise<TagRow> {
  const before = await findToChange(db, actor, 'tags', ref, (found) => findTag(db, actor, found));
  const { id } = before;
  refuse(await problemsWith(db, actor, change, id));
  await db
    .updateTable('tags')
    .set({ ...pick(change, stored), updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', id)
    .execute();
  const after = await findTag(db, actor, id);
  tagEvents.record(db, actor, 'updated', { before, after }, now);
  return after;
}

/** Deletes a tag, also from everything that carries it, and returns it without users. */
export async function deleteTag(db: OpenTransaction, actor: WorkspaceActor, ref: Id, now: Date): Promise<TagRow> {
  const tag = await findToChange(db, actor, 'tags', ref, (found) => findTag(db, actor, found));
  await removeTag(db, actor, tag.id, now);
  // Of two deletions at the same time, the second finds nothing.
  const deleted = await db
    .deleteFrom('tags')
    .where('account_id', '=', actor.accountId)
    .where('id', '=', tag.id)
    .returning('id')
    .executeTakeFirst();
  if (!deleted) throw notFound('tag');
  tagEvents.record(db, actor, 'deleted', { before: tag, after: null }, now);
  return { ...tag, user_ids: [] };
}

/** Names every id that a record may not be tagged with: no tag of the workspace, or an inactive one that it does not carry yet. */
export async function tagProblems(
  db: Db,
  actor: WorkspaceActor,
  pointer: string,
  ids: readonly Id[],
  carried: readonly number[] = [],
): Promise<Problem[]> {
  const query = tagsQuery(db, actor, ids);
  return problemsWithTags(pointer, ids, query ? (await db.executeQuery(query)).rows : [], carried);
}

/** The query that `problemsWithTags` needs; none for no ids. */
export function tagsQuery(db: Db, { accountId, workspace }: WorkspaceActor, ids: readonly Id[]) {
  const { numbers } = numericIds(ids);
  if (numbers.length === 0) return undefined;
  return db
    .selectFrom('tags')
    .select(['id', 'active'])
    .where('account_id', '=', accountId)
    .where('workspace_id', '=', workspace.id)
    .where(isAnyOf('id', numbers));
}

/** The same as `tagProblems`, about tags that were looked up already. */
export function problemsWithTags(
  pointer: string,
  ids: readonly Id[],
  found: readonly { readonly id: number; readonly active: boolean }[],
  carried: readonly number[] = [],
): Problem[] {
  const { numbers, impossible } = numericIds(ids);
  const known = new Map(found.map((tag) => [tag.id, tag.active]));
  const unknown = [...impossible, ...numbers.filter((id) => !known.has(id))];
  const inactive = numbers.filter((id) => known.get(id) === false && !carried.includes(id));
  return [...unknownIds(pointer, unknown, 'tag of this workspace'), ...unknownIds(pointer, inactive, 'active tag')];
}

/** Values that another tag has already. Constraints refuse these too, but only one at a time. */
async function problemsWith(
  db: Db,
  { accountId, workspace }: WorkspaceActor,
  input: TagChange,
  exceptId: number | null,
): Promise<Problem[]> {
  const others = db.selectFrom('tags').where('account_id', '=', accountId).where('id', 'is distinct from', exceptId);
  const neighbours = others.where('workspace_id', '=', workspace.id);
  return [
    ...(await takenProblems(neighbours, 'title', input.title, 'tag of this workspace')),
    ...(await takenProblems(others, 'external_id', input.external_id, 'tag of this account')),
  ];
}
