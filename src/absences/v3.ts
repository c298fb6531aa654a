import type { Id } from '../core/ids.ts';
import type { Actor } from '../core/permissions.ts';
import type { Db } from '../db/connection.ts';
import { attachments, createAttachments } from '../files/attachments.ts';
import { presentAttachment } from '../files/resource.ts';
import { included, type Loader, type Loading } from '../http/answers/jsonapi.ts';
import { v3, type Schemas } from '../http/v3.ts';
import { includeIn } from '../http/requests/view.ts';
import { createNote, deleteNote, listNotes, updateNote, type NoteRow } from '../notes/notes.ts';
import { presentNote } from '../notes/resource.ts';
import { createAbsence, deleteAbsence, findAbsence, lockAbsence, updateAbsence } from './absences.ts';
import { startCreation } from './batch.ts';
import { calculateAbsence } from './calculation.ts';
import { decideAbsence, type Decision } from './confirmation.ts';
import { absenceLoaders } from './includes.ts';
import { listAbsences } from './listing.ts';
import { presentAbsence, presentCalculation } from './resource.ts';
import type { AbsenceRow } from './rows.ts';

export const absenceHandlers = v3.part({
  async listAbsences(call) {
    const { rows, paging, totals } = await listAbsences(call.db, call.actor, call.view);
    return {
      data: rows.map((row) => presentAbsence(row, call)),
      ...(await included(call, rows, absenceLoaders)),
      meta: { ...paging, ...totals },
    };
  },

  async createAbsence(call) {
    const { user_id, created_by, confirm_message, external_id, ...attributes } = call.body.data.attributes;
    const { import_id, outlook_id, secure_id } = attributes;
    const own = {
      created_by,
      confirm_message,
      external_id,
      import_id: text(import_id),
      outlook_id: text(outlook_id),
      secure_id: text(secure_id),
    };
    const input = { ...described(attributes), ...own, user: user_id };
    return { data: presentAbsence(await createAbsence(call.db, call.actor, input, call.now), call) };
  },

  async getAbsence(call) {
    return shown(await findAbsence(call.db, call.actor, call.params.absence_id), call);
  },

  async updateAbsence(call) {
    const { starts_at, ends_at, full_day, hours, days, notes_attributes, ...flags } = call.body.data.attributes;
    const change = {
      starts_at,
      ends_at,
      full_day,
      hours,
      days,
      use_custom_values: isByHand(flags),
      notes: notes_attributes,
    };
    return {
      data: presentAbsence(await updateAbsence(call.db, call.actor, call.params.absence_id, change, call.now), call),
    };
  },

  async deleteAbsence(call) {
    return { data: presentAbsence(await deleteAbsence(call.db, call.actor, call.params.absence_id), call) };
  },

  async batchAbsences(call) {
    const { user_ids, ...attributes } = call.body.data.attributes;
    const ids = user_ids as readonly Id[] | Readonly<Record<string, Id>>;
    return { meta: await startCreation(call.db, call.actor, ids, described(attributes), call.now) };
  },

  async confirmAbsence(call) {
    return shown(
      await decideAbsence(call.db, call.actor, call.params.absence_id, decisions.confirmAbsence, call.now),
      call,
      includeIn(call.body?.include),
    );
  },

  async rejectAbsence(call) {
    return shown(
      await decideAbsence(call.db, call.actor, call.params.absence_id, decisions.rejectAbsence, call.now),
      call,
    );
  },

  async resetAbsence(call) {
    return shown(
      await decideAbsence(call.db, call.actor, call.params.absence_id, decisions.resetAbsence, call.now),
      call,
    );
  },

  async listAbsenceAttachments(call) {
    const { rows, paging } = await attachments.list(call.db, call.actor, await ownerOf(call), call.view);
    return { data: rows.map((row) => presentAttachment(row, call)), meta: paging };
  },

  async createAbsenceAttachments(call) {
    const rows = await createAttachments(call.db, call.actor, await lockedOwnerOf(call), call.files, call.now);
    return { data: rows.map((row) => presentAttachment(row, call)) };
  },

  async listAbsenceNotes(call) {
    const { rows, paging } = await listNotes(call.db, call.actor, await ownerOf(call), call.view);
    return {
      data: rows.map((row) => presentNote(row, call, 'note')),
      ...(await included(call, rows, noteLoaders)),
      meta: paging,
    };
  },

  async createAbsenceNote(call) {
    const { content } = call.body.data.attributes;
    return {
      data: presentNote(
        await createNote(call.db, call.actor, await lockedOwnerOf(call), content, call.now),
        call,
        'user_note',
      ),
    };
  },

  async updateAbsenceNote(call) {
    const { content } = call.body.data.attributes;
    const note = await updateNote(
      call.db,
      call.actor,
      await lockedOwnerOf(call),
      call.params.user_note_id,
      content,
      call.now,
    );
    return { data: presentNote(note, call, 'user_note') };
  },

  async deleteAbsenceNote(call) {
    return {
      data: presentNote(
        await deleteNote(call.db, call.actor, await lockedOwnerOf(call), call.params.user_note_id),
        call,
        'user_note',
      ),
    };
  },

  async getAbsencesCalculation(call) {
    const { starts_at, ends_at, full_day = false, user_id } = call.query;
    return {
      data: presentCalculation(
        await calculateAbsence(call.db, call.actor, { starts_at, ends_at, full_day, user_id }),
        call.requestId,
      ),
    };
  },
});

type OnAbsence = { db: Db; actor: Actor; params: { absence_id: string } };

/** The absence that notes and files are about, once it is known that the caller may read it. */
const ownerOf = async ({ db, actor, params }: OnAbsence) => ({
  absence_id: (await findAbsence(db, actor, params.absence_id)).id,
});

/** The same for a change, so that nothing is written on an absence that is being deleted. */
const lockedOwnerOf = async ({ db, actor, params }: OnAbsence) => ({
  absence_id: (await lockAbsence(db, actor, params.absence_id)).id,
});

// Nothing attaches files to notes yet.
const noteLoaders: Record<string, Loader<NoteRow, Schemas['Attachment']>> = { attachments: async () => [] };

/** The state that each operation leads to. The last two look like mistakes, and are what the contract says. */
const decisions: Record<'confirmAbsence' | 'rejectAbsence' | 'resetAbsence', Decision> = {
  confirmAbsence: 'confirmed',
  rejectAbsence: 'pending',
  resetAbsence: 'rejected',
};

const shown = async (row: AbsenceRow, loading: Loading, include = loading.view.include) => ({
  data: presentAbsence(row, loading),
  ...(await included(loading, [row], absenceLoaders, include)),
});

type Described = Omit<Schemas['AbsenceBatch']['data']['attributes'], 'action' | 'user_ids'> & {
  use_custom_values?: boolean;
};

/** What a single absence and one for many have in common. */
const described = ({
  absence_type_id,
  starts_at,
  ends_at,
  full_day,
  title,
  hours,
  days,
  follower_ids,
  notes_attributes,
  ...flags
}: Described) => ({
  absence_type: absence_type_id,
  starts_at,
  ends_at,
  full_day,
  title,
  hours,
  days,
  use_custom_values: isByHand(flags),
  follower_ids,
  notes: notes_attributes?.map((note) => note.content),
});

/** Two names for one switch: either turns it on. Undefined where neither was sent. */
const isByHand = (flags: { use_custom_values?: boolean; force_calc_custom_hours?: boolean }): boolean | undefined => {
  const sent = [flags.use_custom_values, flags.force_calc_custom_hours].filter((flag) => flag !== undefined);
  return sent.length === 0 ? undefined : sent.includes(true);
};

const text = (value: Id | undefined): string | undefined => (value === undefined ? undefined : String(value));
