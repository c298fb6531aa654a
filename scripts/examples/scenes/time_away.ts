import { bodyOf, here, type Show } from '../show.ts';

const summer = { starts_at: '2026-07-06T00:00:00+02:00', ends_at: '2026-07-17T23:59:59+02:00', full_day: true };

/** Robin asks for his summer vacation, and gets it; then the company closes over Christmas. */
export async function timeAway(show: Show): Promise<void> {
  await absenceTypes(show);
  const query = { ...summer, user_id: '3' };
  await show('getAbsencesCalculation', { path: here, query }, { 400: { query: { ...query, ends_at: '2026-07-01' } } });
  await show('listAbsences', { path: here, query: { items: 2, 'filter[confirmation_status]': 'pending' } });
  const wish = {
    ...summer,
    absence_type_id: '1',
    user_id: '3',
    title: 'Summer vacation',
    external_id: 'leave-2026-17',
  };
  const created = await show(
    'createAbsence',
    {
      path: here,
      body: bodyOf('absence', { ...wish, follower_ids: ['4'], notes_attributes: [{ content: 'Sam covers for me.' }] }),
    },
    { 400: { body: bodyOf('absence', { ...wish, absence_type_id: '4711', ends_at: '2026-07-01T00:00:00+02:00' }) } },
  );
  const path = { ...here, absence_id: created.data.id };
  await show('getAbsence', { path, query: { include: 'absence_type' } });
  await show(
    'updateAbsence',
    { path, body: bodyOf('absence', { ends_at: '2026-07-15T23:59:59+02:00' }) },
    { 400: { body: bodyOf('absence', { ends_at: '2026-07-15', full_day: 'yes' }) } },
  );
  await notesAndFiles(show, path);
  await show('confirmAbsence', { path, body: { include: 'absence_type' } }, { 400: { body: { include: 'pets' } } });
  const longKey = { 400: { headers: { 'Idempotency-Key': 'x'.repeat(256) } } };
  await show('rejectAbsence', { path }, longKey);
  await show('resetAbsence', { path }, longKey);
  await show('deleteAbsence', { path });
  const holidays = {
    starts_at: '2026-12-24T00:00:00+01:00',
    ends_at: '2026-12-31T23:59:59+01:00',
    full_day: true,
    title: 'Company holidays',
  };
  await show(
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
  await show.stage.drain();
  await notifications(show);
}

async function absenceTypes(show: Show): Promise<void> {
  await show('listAbsenceTypes', { path: here, query: { 'filter[kind]': 'eq:vacation' } });
  const created = await show(
    'createAbsenceType',
    { path: here, body: bodyOf('absence_type', { title: 'Moving house', kind: 'special', external_id: 'moving' }) },
    { 400: { body: bodyOf('absence_type', { title: '', kind: 'weather' }) } },
  );
  const path = { ...here, absence_type_id: created.data.id };
  await show(
    'updateAbsenceType',
    { path, body: bodyOf('absence_type', { title: 'Moving day' }) },
    { 400: { body: bodyOf('absence_type', { external_id: 'vacation' }) } },
  );
  await show('deleteAbsenceType', { path });
}

async function notesAndFiles(show: Show, path: Readonly<{ workspace_id: string; absence_id: string }>): Promise<void> {
  const blank = { 400: { body: bodyOf('note', { content: '' }) } };
  const created = await show(
    'createAbsenceNote',
    { path, body: bodyOf('note', { content: 'Please hand over the keys before you leave.' }) },
    blank,
  );
  const note = { ...path, user_note_id: created.data.id };
  await show('listAbsenceNotes', { path, query: { 'filter[type]': 'eq:UserNote' } });
  await show(
    'updateAbsenceNote',
    { path: note, body: bodyOf('note', { content: 'Please hand over the keys to Sam before you leave.' }) },
    blank,
  );
  await show('deleteAbsenceNote', { path: note });
  const ticket = { name: 'train-ticket.txt', bytes: Buffer.from('Hamburg to Lisbon, 6 July\n') };
  await show('createAbsenceAttachments', { path, form: { files: [ticket] } }, { 400: { form: { papers: [ticket] } } });
  await show('listAbsenceAttachments', { path });
}

async function notifications(show: Show): Promise<void> {
  const { data } = await show('listNotifications', { path: here, query: { items: 2 } });
  const [first, second] = data.map(({ id }) => id) as [string, string];
  await show(
    'deleteNotification',
    { path: { ...here, notification_id: first }, query: { type: 'trigger_warning' } },
    { 400: { query: { type: 'letter' } } },
  );
  await show(
    'batchNotifications',
    { path: here, body: bodyOf('batch_action', { action: 'destroy', all: false, ids: [second] }) },
    { 400: { body: bodyOf('batch_action', { action: 'destroy', ids: 'all' }) } },
  );
  await show.stage.drain();
}
