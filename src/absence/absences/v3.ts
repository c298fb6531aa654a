import { invalid } from '../../platform/core/errors.ts';
import type { Id } from '../../platform/core/ids.ts';
import type { Actor } from '../../platform/core/permissions.ts';
import type { Db } from '../../platform/db/connection.ts';
import type { OpenTransaction } from '../../platform/db/open_transaction.ts';
import { attachments, createAttachments } from '../../platform/files/attachments.ts';
import { presentAttachment } from '../../platform/files/resource.ts';
import { included, type Loader, type LoadContext } from '../../platform/http/answers/jsonapi.ts';
import { v3, type Schemas } from '../../platform/http/v3.ts';
import { includeIn } from '../../platform/http/requests/query_options.ts';
import { createNote, deleteNote, listNotes, updateNote, type NoteRow } from '../../platform/notes/notes.ts';
import { presentNote } from '../../platform/notes/resource.ts';
import { deleteAbsence, findAbsence, lockAbsence } from './absences.ts';
import { startDecision } from './batch/decisions.ts';
import { calculateAbsence } from './calculate.ts';
import { createAbsence } from './create.ts';
import { startCreation } from './create_for_many.ts';
import { decideAbsence, type Decision } from './decide.ts';
import { absenceLoaders } from './includes.ts';
import { listAbsences } from './list.ts';
import { presentAbsence, presentCalculation } from './resource.ts';
import type { AbsenceRow } from './rows.ts';
import { updateAbsence } from './update.ts';

export const absenceHandlers = v3.part({
  async listAbsences(call) {
    const { rows, paging, totals } = await listAbsences(call.db, call.actor, call.queryOptions);
    return {
      data: rows.map((row) => presentAbsence(row, call)),
      ...(await included(call, rows, absenceLoaders)),
      meta: { ...paging, ...totals },
    };
  },

  async createAbsence(call) {
    const { user_id: user, ...attributes } = call.body.data.attributes;
    const row = await createAbsence(call.db, call.actor, { ...newAbsenceIn(attributes), user }, call.now);
    return { data: presentAbsence(row, call) };
  },

  async getAbsence(call) {
    return shown(await findAbsence(call.db, call.actor, call.params.absence_id), call);
  },

  async updateAbsence(call) {
    const { notes_attributes: notes, absence_type_id: absence_type, ...attributes } = call.body.data.attributes;
    const change = { ...attributes, absence_type, notes, use_custom_values: usesCustomValues(attributes) };
    const row = await updateAbsence(call.db, call.actor, call.params.absence_id, change, call.now);
    return { data: presentAbsence(row, call) };
  },

  async deleteAbsence(call) {
    return { data: presentAbsence(await deleteAbsence(call.db, call.actor, call.params.absence_id, call.now), call) };
  },

  async batchAbsences(call) {
    const { action, user_ids, ids, all, filter, ...attributes } = call.body.data.attributes;
    if (action !== 'create') {
      const decision = { action, ids: ids as BatchIds | undefined, all, filter };
      return { meta: await startDecision(call.db, call.actor, decision, call.now) };
    }
    // The contract requires these attributes for this action.
    const absence = newAbsenceIn(attributes as NewAttributes);
    return { meta: await startCreation(call.db, call.actor, user_ids as BatchIds, absence, call.now) };
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
    const { rows, paging } = await attachments.list(call.db, call.actor, await ownerOf(call), call.queryOptions);
    return { data: rows.map((row) => presentAttachment(row, call)), meta: paging };
  },

  async createAbsenceAttachments(call) {
    const rows = await createAttachments(call.db, call.actor, await lockedOwnerOf(call), call.files, call.now);
    return { data: rows.map((row) => presentAttachment(row, call)) };
  },

  async listAbsenceNotes(call) {
    const { rows, paging } = await listNotes(call.db, call.actor, await ownerOf(call), call.queryOptions);
    return {
      data: rows.map((row) => presentNote(row, call, 'note')),
      ...(await included(call, rows, noteLoaders)),
      meta: paging,
    };
  },

  async createAbsenceNote(call) {
    const { content } = call.body.data.attributes;
    const note = await createNote(call.db, call.actor, await lockedOwnerOf(call), content, call.now);
    return { data: presentNote(note, call, 'user_note') };
  },

  async updateAbsenceNote(call) {
    const { content } = call.body.data.attributes;
    const owner = await lockedOwnerOf(call);
    const note = await updateNote(call.db, call.actor, owner, call.params.user_note_id, content, call.now);
    return { data: presentNote(note, call, 'user_note') };
  },

  async deleteAbsenceNote(call) {
    const note = await deleteNote(call.db, call.actor, await lockedOwnerOf(call), call.params.user_note_id, call.now);
    return { data: presentNote(note, call, 'user_note') };
  },

  async getAbsencesCalculation(call) {
    const { starts_at, ends_at, full_day = false, half_start = false, half_end = false, user_id } = call.query;
    if (starts_at === undefined && ends_at === undefined) return { hours: null, days: null };
    const times = requireBoth(starts_at, ends_at);
    const input = { ...times, full_day, half_start, half_end, ...(user_id === undefined ? {} : { user_id }) };
    const result = await calculateAbsence(call.db, call.actor, input);
    return { data: presentCalculation(result, call.requestId) };
  },
});

/** The contract cannot say that one parameter needs the other. */
function requireBoth(starts_at: string | undefined, ends_at: string | undefined) {
  if (starts_at === undefined) throw invalid('required', 'starts_at', 'starts_at is required with ends_at.');
  if (ends_at === undefined) throw invalid('required', 'ends_at', 'ends_at is required with starts_at.');
  return { starts_at, ends_at };
}

type BatchIds = readonly Id[] | Readonly<Record<string, Id>>;

type AbsenceCall = { db: Db; actor: Actor; params: { absence_id: string } };

/** The owner of notes and files: an absence that the caller may read. */
const ownerOf = async ({ db, actor, params }: AbsenceCall) => ({
  absence_id: (await findAbsence(db, actor, params.absence_id)).id,
});

/** The same under a lock, so that nothing is added to an absence that is being deleted. */
const lockedOwnerOf = async ({ db, actor, params }: AbsenceCall & { db: OpenTransaction }) => ({
  absence_id: (await lockAbsence(db, actor, params.absence_id)).id,
});

// Nothing attaches files to notes yet.
const noteLoaders: Record<string, Loader<NoteRow, Schemas['Attachment']>> = { attachments: async () => [] };

/** The state that each operation leads to. The last two look like mistakes, but the contract says so. */
const decisions: Record<'confirmAbsence' | 'rejectAbsence' | 'resetAbsence', Decision> = {
  confirmAbsence: 'confirmed',
  rejectAbsence: 'pending',
  resetAbsence: 'rejected',
};

const shown = async (row: AbsenceRow, context: LoadContext, include = context.queryOptions.include) => ({
  data: presentAbsence(row, context),
  ...(await included(context, [row], absenceLoaders, include)),
});

type NewAttributes = Schemas['AbsenceCreation']['data']['attributes'];

/** The attributes that one absence and a batch of absences share, as the verbs take them. */
const newAbsenceIn = ({ absence_type_id, notes_attributes, ...attributes }: Omit<NewAttributes, 'user_id'>) => ({
  ...attributes,
  absence_type: absence_type_id,
  notes: notes_attributes?.map((note) => note.content),
  use_custom_values: usesCustomValues(attributes),
});

/** The contract has two names for one switch, and either turns it on. Undefined where neither is given. */
const usesCustomValues = (
  given: Pick<NewAttributes, 'use_custom_values' | 'force_calc_custom_hours'>,
): boolean | undefined => {
  const flags = [given.use_custom_values, given.force_calc_custom_hours].filter((flag) => flag !== undefined);
  return flags.length === 0 ? undefined : flags.includes(true);
};
