import { sql } from 'kysely';
import { notFound } from '../core/errors.ts';
import { numericId, type Id } from '../core/ids.ts';
import { authorize, type Actor } from '../core/permissions.ts';
import { assumedRole } from '../core/ranks.ts';
import type { Db } from '../db/connection.ts';
import { list, type Selection } from '../db/list/list.ts';
import { listColumns } from '../db/list/columns.ts';
import { findToChange } from '../db/record_locks.ts';
import type { OpenTransaction } from '../db/open_transaction.ts';
import { rowsByIds } from '../db/rows_by_ids.ts';
import { areasOf, userRank } from '../db/visibility.ts';
import { eventsOf, recordEvents } from '../events/record.ts';
import { ownerColumn, ownerColumns, ownerId, type Owner } from './owner.ts';

/*
 * Notes on time trackings and absences. The caller has found the owner and knows that the actor may read it.
 */

const columns = listColumns('listTimeTrackingNotes', 'notes');

/** Notes with the areas of their owner and the rank of its user, which decide who may delete them. */
const noteRows = (db: Db, accountId: number) =>
  db
    .selectFrom('notes')
    .leftJoin('time_trackings as tracking', (join) =>
      join.on('tracking.account_id', '=', accountId).onRef('tracking.id', '=', 'notes.time_tracking_id'),
    )
    .leftJoin('absences as absence', (join) =>
      join.on('absence.account_id', '=', accountId).onRef('absence.id', '=', 'notes.absence_id'),
    )
    .where('notes.account_id', '=', accountId)
    .selectAll('notes')
    .select([
      userRank(
        accountId,
        sql`coalesce(tracking.user_id, absence.user_id)`,
        sql`coalesce(tracking.workspace_id, absence.workspace_id)`,
      ).as('user_rank'),
      areasOf(accountId, sql`coalesce(tracking.user_id, absence.user_id)`, sql.ref('tracking.area_id')).as('area_ids'),
      sql<number>`coalesce(tracking.user_id, absence.user_id)`.as('user_id'),
      sql<number>`coalesce(tracking.workspace_id, absence.workspace_id)`.as('workspace_id'),
    ]);

export type NoteRow = Awaited<ReturnType<ReturnType<typeof noteRows>['executeTakeFirstOrThrow']>>;

/** Notes of the service have no events, because what they are about has one. */
const noteEvents = eventsOf<NoteRow>()('note', ['time_tracking_id', 'absence_id', 'content']);

/** A note to be stored. */
export interface NewNote {
  readonly owner: Owner;
  readonly content: string;
}

/** Stores notes in the name of the service that say what happened to records. */
export async function addSystemNotes(db: Db, accountId: number, notes: readonly NewNote[], now: Date): Promise<void> {
  const query = systemNoteInsertion(db, accountId, notes, now);
  if (query) await db.executeQuery(query);
}

/** The query that stores such notes; undefined for no notes. */
export const systemNoteInsertion = (db: Db, accountId: number, notes: readonly NewNote[], now: Date) =>
  notes.length === 0 ? undefined : noteInsertion(accountId, service, notes, now).compile(db);

const service: Author = { type: 'SystemNote', author_id: null, author: null, author_role: null };

/** Stores notes whose author is the actor, and records them. */
export async function addUserNotes(
  tx: OpenTransaction,
  actor: Actor,
  notes: readonly NewNote[],
  now: Date,
): Promise<void> {
  if (notes.length === 0) return;
  const added = await noteInsertion(actor.accountId, userNoteBy(actor), notes, now).execute(tx);
  const ids = added.rows.map(({ id }) => id);
  const rows = await notesByIds(tx, actor, ids);
  recordEvents(
    tx,
    actor,
    rows.flatMap((row) => noteEvents.eventOf('created', null, row) ?? []),
    now,
  );
}

const userNoteBy = ({ userId, username, rank }: Actor): Author => ({
  type: 'UserNote',
  author_id: userId,
  author: username,
  author_role: assumedRole(rank),
});

interface Author {
  readonly type: 'SystemNote' | 'UserNote';
  readonly author_id: number | null;
  readonly author: string | null;
  readonly author_role: string | null;
}

const noteInsertion = (accountId: number, author: Author, notes: readonly NewNote[], now: Date) => {
  const owners = notes.map(({ owner }) => ownerColumns(owner));
  return sql<{ id: number }>`
    insert into notes (account_id, time_tracking_id, absence_id, content, type, author_id, author, author_role, created_at, updated_at)
    select ${accountId}::bigint, note.time_tracking_id, note.absence_id, note.content, ${author.type}, ${author.author_id}::bigint,
      ${author.author}, ${author.author_role}, ${now}::timestamptz, ${now}::timestamptz
    from unnest(${owners.map(({ time_tracking_id }) => time_tracking_id)}::bigint[],
      ${owners.map(({ absence_id }) => absence_id)}::bigint[], ${notes.map(({ content }) => content)}::text[])
      with ordinality note (time_tracking_id, absence_id, content, position)
    order by note.position
    returning id`;
};

/** One note that a user wrote on this owner; 404 otherwise, also for notes of the service. */
async function findNote(db: Db, actor: Actor, owner: Owner, ref: Id): Promise<NoteRow> {
  const id = numericId(ref);
  const row =
    id === undefined
      ? undefined
      : await noteRows(db, actor.accountId)
          .where('notes.id', '=', id)
          .where(`notes.${ownerColumn(owner)}`, '=', ownerId(owner))
          .where('notes.type', '=', 'UserNote')
          .executeTakeFirst();
  if (!row) throw notFound('note');
  return row;
}

export const notesByIds = (db: Db, { accountId }: Actor, ids: readonly number[]): Promise<NoteRow[]> =>
  rowsByIds(noteRows(db, accountId), 'notes.id', ids);

/** The notes on one owner, by users and by the service. */
export function listNotes(db: Db, { accountId, workspace }: Actor, owner: Owner, selection: Selection) {
  const visible = db
    .selectFrom('notes')
    .where('notes.account_id', '=', accountId)
    .where(`notes.${ownerColumn(owner)}`, '=', ownerId(owner));
  const rows = noteRows(db, accountId);
  return list(db, { visible, rows, id: 'notes.id', columns, timeZone: workspace?.time_zone ?? 'UTC' }, selection);
}

/** Stores a note whose author is the actor. */
export async function createNote(
  db: OpenTransaction,
  actor: Actor,
  owner: Owner,
  content: string,
  now: Date,
): Promise<NoteRow> {
  const { id } = await db
    .insertInto('notes')
    .values({
      account_id: actor.accountId,
      ...ownerColumns(owner),
      ...userNoteBy(actor),
      content,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const after = await findNote(db, actor, owner, id);
  noteEvents.record(db, actor, 'created', { before: null, after }, now);
  return after;
}

/** Replaces the text of a note. */
export async function updateNote(
  db: OpenTransaction,
  actor: Actor,
  owner: Owner,
  ref: Id,
  content: string,
  now: Date,
): Promise<NoteRow> {
  const note = await findToChange(db, actor, 'notes', ref, (found) => findNote(db, actor, owner, found));
  authorize(actor, 'update', 'note', note);
  await db
    .updateTable('notes')
    .set({ content, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', note.id)
    .execute();
  const after = await findNote(db, actor, owner, note.id);
  noteEvents.record(db, actor, 'updated', { before: note, after }, now);
  return after;
}

/** Deletes a note and returns it as it was. */
export async function deleteNote(
  db: OpenTransaction,
  actor: Actor,
  owner: Owner,
  ref: Id,
  now: Date,
): Promise<NoteRow> {
  const note = await findToChange(db, actor, 'notes', ref, (found) => findNote(db, actor, owner, found));
  authorize(actor, 'destroy', 'note', note);
  await db.deleteFrom('notes').where('account_id', '=', actor.accountId).where('id', '=', note.id).execute();
  noteEvents.record(db, actor, 'deleted', { before: note, after: null }, now);
  return note;
}
