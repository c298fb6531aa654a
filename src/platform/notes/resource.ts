import * as fields from '../../../generated/fields.ts';
import type { components } from '../../../generated/v3.ts';
import { permissionsOf } from '../core/permissions.ts';
import { localTime, resource, type PresentContext } from '../http/answers/jsonapi.ts';
import type { NoteRow } from './notes.ts';

type Note = components['schemas']['Note'];
type UserNote = components['schemas']['UserNote'];

const present = {
  note: resource('note', fields.Note),
  user_note: resource('user_note', fields.UserNote),
};

/** A note is a `note` in collections, and a `user_note` in the answer to the user who created, changed or deleted it. */
export function presentNote(row: NoteRow, context: PresentContext, type: 'note'): Note;
export function presentNote(row: NoteRow, context: PresentContext, type: 'user_note'): UserNote;
export function presentNote(row: NoteRow, context: PresentContext, type: 'note' | 'user_note'): Note | UserNote {
  const author =
    row.type === 'UserNote' ? { author: row.author!, author_role: row.author_role as 'admin' | 'employee' } : {};
  return present[type](
    {
      id: row.id,
      permissions: permissionsOf(context.actor, 'note', row, context.queryOptions.permissions),
      content: row.content,
      type: row.type as 'UserNote',
      ...(author as Required<typeof author>),
      created_at: localTime(row.created_at, context),
    },
    // Nothing attaches files to notes yet.
    { attachments: [] },
  );
}
