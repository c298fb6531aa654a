import { bodyOf, here, ourAccount, type Recorder } from '../recorder.ts';

/** A copy of the data of a person, and their anonymisation. It comes last, because a new user changes the ids of later ones. */
export async function personalData(record: Recorder): Promise<void> {
  const path = { ...ourAccount, user_id: '3' };
  const others = { 403: { token: record.employee, path: { ...ourAccount, user_id: '1' } } };
  const created = await record(
    'createDataExport',
    { path },
    { ...others, 400: { headers: { 'Idempotency-Key': '' } } },
  );
  await record.server.drain();
  const data_export_id = created.data.id;
  await record(
    'getDataExport',
    { path: { ...path, data_export_id } },
    { 403: { token: record.employee, path: { ...ourAccount, user_id: '1', data_export_id } } },
  );
  const { data: leaver } = await record.sendOnly('createUser', {
    path: here,
    body: bodyOf('user', { username: 'Lee Leaver', start_of_accounting: '2023-01-01' }),
  });
  const { data: trackings } = await record.sendOnly('listTimeTrackings', { path: here, query: { items: 1 } });
  await record.sendOnly('createTimeTrackingNote', {
    path: { ...here, time_tracking_id: trackings[0]!.id },
    body: bodyOf('note', { content: 'Took over from Lee Leaver at noon.' }),
  });
  await record(
    'createAnonymisation',
    { path: { ...ourAccount, user_id: leaver.id }, body: bodyOf('anonymisation', { confirm: 'Lee Leaver' }) },
    { 400: { path, body: bodyOf('anonymisation', { confirm: 'Lee Leaver' }) }, 403: { token: record.employee } },
  );
}
