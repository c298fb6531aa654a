import { demo, type Recorder } from '../recorder.ts';

const location = { location_external_id: 'harbour' };
const breakfast = {
  ...location,
  working_area_external_id: 'kitchen',
  starts_at: '2026-06-15T06:00:00+02:00',
  ends_at: '2026-06-15T14:00:00+02:00',
  number_of_employees: 2,
};

/** How a booking system plans its orders through the public API. */
export async function roster(record: Recorder): Promise<void> {
  await record(
    'createPublicShift',
    { body: { shift: { ...breakfast, note: 'Breakfast for 40.', visible: true, tags: '1' } } },
    { 400: { body: { shift: { ...breakfast, working_area_external_id: 'nothing' } } } },
  );
  const [id, draft] = [1, Number(demo.draftShift)];
  await record(
    'findPublicShifts',
    { query: { ...location, range_start: '2026-05-11', range_end: '2026-05-17' }, one: { id } },
    { 400: { query: { ...location } }, 404: { query: { id: 4711 } } },
  );
  const unknown = { 404: { body: { shift: { id: 4711 } } } };
  await record(
    'updatePublicShift',
    { body: { shift: { id, number_of_employees: 3, note: 'Breakfast for 60.' } } },
    { ...unknown, 400: { body: { shift: { id, number_of_employees: 0 } } } },
  );
  const erin = { shift_id: id, user_external_id: 'erin' };
  await record(
    'createAssignment',
    { body: { assignment: { ...erin, shift_id: draft } } },
    { 400: { body: { assignment: { ...erin, user_external_id: 'nobody' } } } },
  );
  await record(
    'getAssignments',
    { query: { shift_id: id } },
    { 400: { query: {} }, 404: { query: { shift_id: 4711 } } },
  );
  await record(
    'deleteAssignment',
    { body: { assignment: erin } },
    {
      400: { body: { assignment: { shift_id: id } } },
      404: { body: { assignment: { ...erin, user_external_id: 'sam' } } },
    },
  );
  await record('deletePublicShift', { body: { shift: { id } } }, { ...unknown, 400: { body: { shift: {} } } });
}
