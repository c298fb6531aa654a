import type { components } from '../../../generated/v3.ts';
import type { Problem } from '../../platform/core/errors.ts';
import { numericId } from '../../platform/core/ids.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { isAnyOf } from '../../platform/db/rows_by_ids.ts';
import { createNote, deleteNote, updateNote } from '../../platform/notes/notes.ts';

/** A note to add, or, with an id, to change or to delete. */
type NoteChange = components['schemas']['AbsenceNoteChange'];

interface AbsenceOwner {
  readonly absence_id: number;
}

/** One problem for each id that is no user's note on this absence, or that occurs twice. */
export async function noteChangeProblems(
  db: Db,
  { accountId }: Actor,
  { absence_id }: AbsenceOwner,
  changes: readonly NoteChange[],
): Promise<Problem[]> {
  const ids = changes.map(({ id }) => (id === undefined ? undefined : (numericId(id) ?? null)));
  const asked = ids.filter((id) => typeof id === 'number');
  const found =
    asked.length === 0
      ? []
      : await db
          .selectFrom('notes')
          .select('id')
          .where('account_id', '=', accountId)
          .where('absence_id', '=', absence_id)
          .where('type', '=', 'UserNote')
          .where(isAnyOf('id', asked))
          .execute();
  const known = new Set(found.map(({ id }) => id));
  return ids.flatMap((id, index): Problem[] => {
    if (id === undefined) return [];
    const pointer = `notes_attributes/${index}/id`;
    if (id === null || !known.has(id)) {
      return [
        {
          code: 'unknown_reference',
          pointer,
          title: `${pointer} names ${JSON.stringify(changes[index]!.id)}, which is no note of a user on this absence.`,
        },
      ];
    }
    return ids.indexOf(id) === index
      ? []
      : [{ code: 'duplicate', pointer, title: `${pointer} names the note ${id} a second time.` }];
  });
}

/** Adds, changes and deletes notes, in the given order. A note of another author is 403. */
export async function applyNoteChanges(
  db: OpenTransaction,
  actor: Actor,
  owner: AbsenceOwner,
  changes: readonly NoteChange[],
  now: Date,
): Promise<void> {
  for (const { id, content, _destroy } of changes) {
    if (id === undefined) await createNote(db, actor, owner, content!, now);
    else if (_destroy) await deleteNote(db, actor, owner, id, now);
    else await updateNote(db, actor, owner, id, content!, now);
  }
}
