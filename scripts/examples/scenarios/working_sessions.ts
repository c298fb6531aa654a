import { demo, type Recorder } from '../recorder.ts';

/** What a time clock of another maker does through the public API. */
export async function workingSessions(record: Recorder): Promise<void> {
  const session = {
    ...{ location_external_id: 'harbour', working_area_external_id: 'kitchen', user_external_id: 'erin' },
    ...{ starts_at: '2026-01-31T08:00:00+01:00', ends_at: '2026-01-31T16:30:00+01:00' },
  };
  // Robin is at work.
  const runningNow = { starts_at: '2026-05-04T09:00:00+02:00', ends_at: '2026-05-04T10:00:00+02:00' };
  await record(
    'createWorkingSession',
    { body: { working_session: { ...session, manual_pause: 30, external_id: 'shift-7' } } },
    { 400: { body: { working_session: { ...session, user_external_id: 'robin', ...runningNow } } } },
  );
  await record(
    'findWorkingSessions',
    {
      query: { user_external_id: 'robin', range_start: '2026-01-26', range_end: '2026-02-02' },
      one: { external_id: 'summer-party' },
    },
    { 400: { query: {} }, 404: { query: { external_id: 'shift-8' } } },
  );
  const id = Number(demo.tracking);
  const named = (external_id: string) => ({ working_session: { external_id } });
  const slips = {
    400: { body: { working_session: {} } },
    404: { body: { ...named('shift-8') } },
  };
  await record(
    'updateWorkingSession',
    { body: { working_session: { id, ends_at: '2026-01-31T17:30:00+01:00', manual_pause: 45 } } },
    { 400: { body: { working_session: { id, manual_pause: 720 } } }, 404: slips[404] },
  );
  await record('confirmWorkingSession', { body: named('summer-party') }, slips);
  await record('resetWorkingSession', { body: named('summer-party') }, slips);
  await record('deleteWorkingSession', { body: named('summer-party') }, slips);
  await actions(record);
}

async function actions(record: Recorder): Promise<void> {
  const punch = { location_external_id: 'harbour', user_external_id: 'sam' };
  const start = { ...punch, action_type: 'start' as const, action_time: '2026-01-31T08:00:00+01:00' };
  const slip = { 400: { body: { working_session_action: { ...start, action_type: 'end-break' } } } };
  await record('createPublicAction', { body: { working_session_action: start } }, slip);
  await record(
    'listPublicActions',
    { query: { location_external_id: 'harbour', range_start: '2026-05-04', range_end: '2026-05-10' } },
    { 400: { query: { location_external_id: 'harbour' } } },
  );
}
