import { bodyOf, demo, here, type Recorder } from '../recorder.ts';

const delivery = {
  working_area_id: '1',
  starts_at: '2026-05-16T08:00:00+02:00',
  ends_at: '2026-05-16T16:00:00+02:00',
  number_of_employees: 2,
  note: 'The delivery comes at nine.',
  tag_ids: ['1'],
};

/** Planned work, and the people who are to do it. */
export async function shifts(record: Recorder): Promise<void> {
  await record('listShifts', {
    path: here,
    query: { 'filter[overlapping_with_range]': '2026-05-11_2026-05-17', items: 2, include: 'working_area' },
  });
  await record(
    'createShift',
    { path: here, body: bodyOf('event', delivery) },
    { 400: { body: bodyOf('event', { ...delivery, ends_at: delivery.starts_at, working_area_id: '4711' }) } },
  );
  const path = { ...here, shift_id: demo.draftShift };
  await record('getShift', { path, query: { include: 'tags' } }, { 400: { query: { include: 'weather' } } });
  await record(
    'updateShift',
    { path, body: bodyOf('event', { ends_at: '2026-05-16T17:00:00+02:00', number_of_employees: 3 }) },
    { 400: { body: bodyOf('event', { number_of_employees: 0 }) } },
  );
  await record(
    'updateShiftUsers',
    { path, body: bodyOf('event', { user_ids: ['2', '3'] }) },
    { 400: { body: bodyOf('event', { user_ids: ['4', '4711'] }) } },
  );
  await record(
    'createShiftPublication',
    { path: here, body: bodyOf('publication', { from: '2026-05-11', to: '2026-05-17' }) },
    { 400: { body: bodyOf('publication', { from: '2026-05-11', to: '2026-05-01' }) } },
  );
  const copy = { action: 'copy_week', from_week: '2026-W20', to_week: '2026-W21', with_users: true } as const;
  await record(
    'batchShifts',
    { path: here, body: bodyOf('batch_action', copy) },
    { 400: { body: bodyOf('batch_action', { ...copy, from_week: '2025-W53', to_week: 'next week' }) } },
  );
  await record('deleteShift', { path });
}
