import { bodyOf, demo, here, type Recorder } from '../recorder.ts';
import { closedRecords } from './closed_records.ts';

const summer = { starts_at: '2026-06-08T00:00:00+02:00', ends_at: '2026-06-19T23:59:59+02:00', full_day: true };

/** An employee requests their summer vacation, and an admin decides; then a batch of absences over Christmas. */
export async function absences(record: Recorder): Promise<void> {
  await absenceTypes(record);
  const query = { ...summer, user_id: '3' };
  await record(
    'getAbsencesCalculation',
    { path: here, query },
    { 400: { query: { ...query, ends_at: '2026-06-01' } } },
  );
  await record('listAbsences', { path: here, query: { items: 2, 'filter[confirmation_status]': 'pending' } });
  const wish = {
    ...summer,
    absence_type_id: '1',
    user_id: '3',
    title: 'Summer vacation',
    external_id: 'leave-2026-17',
  };
  await record(
    'createAbsence',
    {
      path: here,
      body: bodyOf('absence', { ...wish, follower_ids: ['4'], notes_attributes: [{ content: 'Sam covers for me.' }] }),
    },
    { 400: { body: bodyOf('absence', { ...wish, absence_type_id: '4711', ends_at: '2026-06-01T00:00:00+02:00' }) } },
  );
  const path = { ...here, absence_id: demo.pendingAbsence };
  await record('getAbsence', { path, query: { include: 'absence_type' } });
  await record(
    'updateAbsence',
    { path, body: bodyOf('absence', { ends_at: '2026-06-11T23:59:59+02:00' }) },
    { 400: { body: bodyOf('absence', { ends_at: '2026-07-15', full_day: 'yes' }) } },
  );
  await notesAndFiles(record, path);
  await record('confirmAbsence', { path, body: { include: 'absence_type' } }, { 400: { body: { include: 'pets' } } });
  const longKey = { 400: { headers: { 'Idempotency-Key': 'x'.repeat(256) } } };
  await record('rejectAbsence', { path }, longKey);
  await record('resetAbsence', { path: { ...here, absence_id: demo.confirmedAbsence } }, longKey);
  await record('deleteAbsence', { path }, { 400: { path: (await closedRecords(record)).absence } });
  await record('restoreAbsence', { path: { ...here, absence_id: demo.deletedAbsence } }, longKey);
  const holidays = {
    starts_at: '2026-12-24T00:00:00+01:00',
    ends_at: '2026-12-31T23:59:59+01:00',
    full_day: true,
    title: 'Company holidays',
  };
  await record(
    'batchAbsences',
    {
      path: here,
      body: bodyOf('batch_action', { action: 'create', user_ids: ['3', '4'], absence_type_id: '1', ...holidays }),
    },
    {
      400: {
        body: bodyOf('batch_action', { action: 'create', user_ids: ['4711'], absence_type_id: '1', ...holidays }),
      },
    },
  );
  await notifications(record);
}

async function absenceTypes(record: Recorder): Promise<void> {
  await record('listAbsenceTypes', { path: here, query: { 'filter[kind]': 'eq:vacation' } });
  await record(
    'createAbsenceType',
    { path: here, body: bodyOf('absence_type', { title: 'Moving house', kind: 'special', external_id: 'moving' }) },
    { 400: { body: bodyOf('absence_type', { title: '', kind: 'weather' }) } },
  );
  const path = { ...here, absence_type_id: '4' };
  await record(
    'updateAbsenceType',
    { path, body: bodyOf('absence_type', { title: 'Moving day' }) },
    { 400: { body: bodyOf('absence_type', { external_id: 'vacation' }) } },
  );
  await record('deleteAbsenceType', { path });
}

async function notesAndFiles(
  record: Recorder,
  path: Readonly<{ workspace_id: string; absence_id: string }>,
): Promise<void> {
  const blank = { 400: { body: bodyOf('note', { content: '' }) } };
  await record(
    'createAbsenceNote',
    { path, body: bodyOf('note', { content: 'Please hand over the keys before you leave.' }) },
    blank,
  );
  const note = { ...path, user_note_id: demo.noteOfAbsence };
  await record('listAbsenceNotes', { path, query: { 'filter[type]': 'eq:UserNote' } });
  await record(
    'updateAbsenceNote',
    { path: note, body: bodyOf('note', { content: 'Please hand over the keys to Sam before you leave.' }) },
    blank,
  );
  await record('deleteAbsenceNote', { path: note });
  const ticket = { name: 'train-ticket.txt', bytes: Buffer.from('Hamburg to Lisbon, 6 July\n') };
  await record(
    'createAbsenceAttachments',
    { path, form: { files: [ticket] } },
    { 400: { form: { papers: [ticket] } } },
  );
  await record('listAbsenceAttachments', { path: { ...here, absence_id: demo.sickness } });
}

async function notifications(record: Recorder): Promise<void> {
  const { data } = await record('listNotifications', { path: here, query: { items: 2 } });
  const [first, second] = data.map(({ id }) => id) as [string, string];
  await record(
    'deleteNotification',
    { path: { ...here, notification_id: first }, query: { type: 'trigger_warning' } },
    { 400: { query: { type: 'letter' } } },
  );
  await record(
    'batchNotifications',
    { path: here, body: bodyOf('batch_action', { action: 'destroy', all: false, ids: [second] }) },
    { 400: { body: bodyOf('batch_action', { action: 'destroy', ids: 'all' }) } },
  );
}
