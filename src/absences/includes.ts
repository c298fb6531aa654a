import { absenceTypesByIds } from '../absence_types/absence_types.ts';
import { presentAbsenceType } from '../absence_types/resource.ts';
import { attachments } from '../files/attachments.ts';
import { presentAttachment } from '../files/resource.ts';
import type { Loader } from '../http/answers/jsonapi.ts';
import type { Schemas } from '../http/v3.ts';
import { notesByIds } from '../notes/notes.ts';
import { presentNote } from '../notes/resource.ts';
import { presentUserOverview } from '../users/resource.ts';
import { usersByIds } from '../users/users.ts';
import type { AbsenceRow } from './rows.ts';

type Included = NonNullable<Schemas['AbsenceIncluded']>[number];

type IdsOf = (row: AbsenceRow) => readonly number[];

const users =
  (idsOf: IdsOf): Loader<AbsenceRow, Included> =>
  async (rows, loading) =>
    (await usersByIds(loading.db, loading.actor, rows.flatMap(idsOf))).map((user) =>
      presentUserOverview(user, loading),
    );

const absenceTypeId: IdsOf = (row) => [row.absence_type_id];
const noteIds: IdsOf = (row) => row.note_ids;
const attachmentIds: IdsOf = (row) => row.attachment_ids;

/** What `include` can name wherever absences are shown. */
export const absenceLoaders: Record<string, Loader<AbsenceRow, Included>> = {
  absence_type: async (rows, { db, actor }) =>
    (await absenceTypesByIds(db, actor, rows.flatMap(absenceTypeId))).map(presentAbsenceType),
  user: users((row) => [row.user_id]),
  confirmed_by_user: users((row) => (row.confirmed_by_user_id === null ? [] : [row.confirmed_by_user_id])),
  followers: users((row) => row.follower_ids),
  notes: async (rows, loading) =>
    (await notesByIds(loading.db, loading.actor, rows.flatMap(noteIds))).map((note) =>
      presentNote(note, loading, 'note'),
    ),
  attachments: async (rows, loading) =>
    (await attachments.byIds(loading.db, loading.actor, rows.flatMap(attachmentIds))).map((attachment) =>
      presentAttachment(attachment, loading),
    ),
};
