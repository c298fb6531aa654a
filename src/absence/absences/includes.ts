import { absenceTypesByIds } from '../absence_types/absence_types.ts';
import { presentAbsenceType } from '../absence_types/resource.ts';
import { attachments } from '../../platform/files/attachments.ts';
import { presentAttachment } from '../../platform/files/resource.ts';
import { related, type Loader } from '../../platform/http/answers/jsonapi.ts';
import type { Schemas } from '../../platform/http/v3.ts';
import { notesByIds } from '../../platform/notes/notes.ts';
import { presentNote } from '../../platform/notes/resource.ts';
import { presentUserOverview } from '../../organisation/users/resource.ts';
import { usersByIds } from '../../organisation/users/users.ts';
import type { AbsenceRow } from './rows.ts';

/** The records that `include` can name wherever absences are shown. */
export const absenceLoaders: Record<string, Loader<AbsenceRow, NonNullable<Schemas['AbsenceIncluded']>[number]>> = {
  absence_type: related((row) => [row.absence_type_id], absenceTypesByIds, presentAbsenceType),
  user: related((row) => [row.user_id], usersByIds, presentUserOverview),
  confirmed_by_user: related((row) => [row.confirmed_by_user_id], usersByIds, presentUserOverview),
  followers: related((row) => row.follower_ids, usersByIds, presentUserOverview),
  notes: related(
    (row) => row.note_ids,
    notesByIds,
    (note, loading) => presentNote(note, loading, 'note'),
  ),
  attachments: related((row) => row.attachment_ids, attachments.byIds, presentAttachment),
};
