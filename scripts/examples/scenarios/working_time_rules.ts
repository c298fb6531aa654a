import { bodyOf, here, type Recorder } from '../recorder.ts';

/** A check before time is recorded, the violations of a colleague, and an acknowledgement. */
export async function workingTimeRules(record: Recorder): Promise<void> {
  const robin = { user: { data: { type: 'user_overview' as const, id: '3' } } };
  const longDay = { starts_at: '2026-04-30T08:00:00+02:00', ends_at: '2026-04-30T19:30:00+02:00' };
  const lunch = { starts_at: '2026-04-30T13:00:00+02:00', ends_at: '2026-04-30T14:00:00+02:00' };
  const shift = { ...longDay, breaks_attributes: [lunch] };
  const body = { data: { type: 'time_tracking' as const, attributes: shift, relationships: robin } };
  const endless = { ...longDay, ends_at: longDay.starts_at };
  await record('checkTimeTracking', { path: here, body }, { 400: { body: bodyOf('time_tracking', endless) } });
  const { data } = await record('listWorkingTimeViolations', {
    path: here,
    query: { 'filter[user_id]': '3', include: 'user' },
  });
  const path = { ...here, working_time_violation_id: data[0]!.id };
  await record('getWorkingTimeViolation', { path }, { 400: { query: { include: 'wages' } } });
  await record(
    'acknowledgeWorkingTimeViolation',
    { path, body: bodyOf('acknowledgement', { reason: 'A colleague was ill. The hours are taken off next week.' }) },
    { 400: { body: bodyOf('acknowledgement', { reason: ' ' }) } },
  );
}
