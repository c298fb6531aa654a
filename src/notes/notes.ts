import { sql } from 'kysely';
import { notFound } from '../core/errors.ts';
import { numericId, type Id } from '../core/ids.ts';
import { assumedRole, authorize, type Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { number, text, time, type Columns } from '../db/filters.ts';
import { list, type Selection } from '../db/list.ts';
import type { Placeholders } from '../db/placeholders.ts';
import { statement } from '../db/statement.ts';
import { sharedTexts, type SharedTexts } from '../db/texts.ts';
import { ownerColumn, ownerColumns, ownerId, type Owner } from './owner.ts';

/*
 * Notes of time trackings and absences. Whoever calls these verbs has already found the owner, and knows that the actor may
 * read it.
 */

const columns: Columns = {
  id: number('notes.id'),
  content: text('notes.content'),
  type: text('notes.type'),
  author: text('notes.author'),
  author_role: text('notes.author_role'),
  created_at: time('notes.created_at'),
};

/** Notes with the areas in which their owner lies, because the admins of those may delete them. */
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
    .select(
      sql<number[]>`array(
        select member.area_id from area_members member
        where member.account_id = ${accountId} and member.user_id = coalesce(tracking.user_id, absence.user_id)
        union select tracking.area_id where tracking.area_id is not null)`.as('area_ids'),
    );

export type NoteRow = Awaited<ReturnType<ReturnType<typeof noteRows>['executeTakeFirstOrThrow']>>;

/** Records, in the service's own name, what happened to a record. */
export const addSystemNote = (db: Db, accountId: number, owner: Owner, content: string, now: Date): Promise<void> =>
  addSystemNotes(db, accountId, [{ owner, content }], now);

/** The same for many records at once. */
export async function addSystemNotes(
  db: Db,
  accountId: number,
  notes: readonly { owner: Owner; content: string }[],
  now: Date,
): Promise<void> {
  await insertNotes(db, accountId, notes, systemNote, now);
}

/** The same note of the actor on many records; returns the id of the last one. */
export const addNotes = (db: Db, actor: Actor, owners: readonly Owner[], content: string, now: Date): Promise<number | null> =>
  insertNotes(db, actor.accountId, owners.map((owner) => ({ owner, content })), noteBy(actor), now); // prettier-ignore

const systemNote = { type: 'SystemNote', authorId: null, author: null, authorRole: null };
const noteBy = ({ userId, username, rank }: Actor) => ({
  type: 'UserNote',
  authorId: userId,
  author: username,
  authorRole: assumedRole(rank),
});

interface NewNotes extends SharedTexts {
  accountId: number;
  timeTrackingIds: readonly (number | null)[];
  absenceIds: readonly (number | null)[];
  type: string;
  authorId: number | null;
  author: string | null;
  authorRole: string | null;
  now: Date;
}

async function insertNotes(
  db: Db,
  accountId: number,
  notes: readonly { owner: Owner; content: string }[],
  by: Pick<NewNotes, 'type' | 'authorId' | 'author' | 'authorRole'>,
  now: Date,
): Promise<number | null> {
  if (notes.length === 0) return null;
  const owners = notes.map(({ owner }) => ownerColumns(owner));
  const [added] = await noteInsertion(db, {
    accountId,
    timeTrackingIds: owners.map(({ time_tracking_id }) => time_tracking_id),
    // Where there are none, the database fills in as many nulls as are needed.
    absenceIds: owners.every(({ absence_id }) => absence_id === null) ? [] : owners.map(({ absence_id }) => absence_id),
    ...sharedTexts(notes.map(({ content }) => content)),
    ...by,
    now,
  });
  return added!.id;
}

const noteInsertion = statement(
  (
    _db,
    {
      accountId,
      timeTrackingIds,
      absenceIds,
      texts,
      numbers,
      type,
      authorId,
      author,
      authorRole,
      now,
    }: Placeholders<NewNotes>,
  ) => sql<{ id: number }>`
    with added as (
      insert into notes (account_id, time_tracking_id, absence_id, type, content, author_id, author, author_role, created_at, updated_at)
      select ${accountId}, note.time_tracking_id, note.absence_id, ${type}, content.text, ${authorId}, ${author}, ${authorRole}, ${now}, ${now}
      from unnest(${timeTrackingIds}::bigint[], ${absenceIds}::bigint[], ${numbers}::integer[])
        with ordinality note (time_tracking_id, absence_id, number, position)
      join unnest(${texts}::text[]) with ordinality content (text, number) on content.number = coalesce(note.number, 1)
      order by note.position
      returning id
    )
    select max(added.id) as id from added`,
);

/** One note that a user wrote on this owner; those of the service cannot be addressed, and are 404 like any miss. */
export async function findNote(db: Db, actor: Actor, owner: Owner, ref: Id): Promise<NoteRow> {
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
  ids.length === 0
    ? Promise.resolve([])
    : noteRows(db, accountId)
        .where('notes.id', 'in', [...new Set(ids)])
        .orderBy('notes.id')
        .execute();

/** The notes of one owner, of users and of the service. */
export function listNotes(db: Db, { accountId }: Actor, owner: Owner, selection: Selection) {
  const visible = db
    .selectFrom('notes')
    .where('notes.account_id', '=', accountId)
    .where(`notes.${ownerColumn(owner)}`, '=', ownerId(owner));
  const rows = noteRows(db, accountId);
  return list(db, { visible, rows, id: 'notes.id', columns }, selection);
}

/** A note whose author is the actor, in the role he has now. */
export async function createNote(db: Db, actor: Actor, owner: Owner, content: string, now: Date): Promise<NoteRow> {
  const id = await addNotes(db, actor, [owner], content, now);
  return findNote(db, actor, owner, id!);
}

/** Replaces the text of a note; its author alone may. */
export async function updateNote(
  db: Db,
  actor: Actor,
  owner: Owner,
  ref: Id,
  content: string,
  now: Date,
): Promise<NoteRow> {
  const note = await findNote(db, actor, owner, ref);
  authorize(actor, 'update', 'note', note);
  await db
    .updateTable('notes')
    .set({ content, updated_at: now })
    .where('account_id', '=', actor.accountId)
    .where('id', '=', note.id)
    .execute();
  return findNote(db, actor, owner, note.id);
}

/** Deletes a note and returns it as it was; its author may, and admins of the owner. */
export async function deleteNote(db: Db, actor: Actor, owner: Owner, ref: Id): Promise<NoteRow> {
  const note = await findNote(db, actor, owner, ref);
  authorize(actor, 'destroy', 'note', note);
  await db.deleteFrom('notes').where('account_id', '=', actor.accountId).where('id', '=', note.id).execute();
  return note;
}
