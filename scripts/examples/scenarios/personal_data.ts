import { bodyOf, demo, ourAccount, type Recorder } from '../recorder.ts';

/** A copy of the data of a person, and the anonymisation of another. */
export async function personalData(record: Recorder): Promise<void> {
  const path = { ...ourAccount, user_id: '3' };
  const others = { 403: { token: record.employee, path: { ...ourAccount, user_id: '1' } } };
  await record('createDataExport', { path }, { ...others, 400: { headers: { 'Idempotency-Key': '' } } });
  const data_export_id = demo.dataExport;
  await record(
    'getDataExport',
    { path: { ...path, data_export_id } },
    { 403: { token: record.employee, path: { ...ourAccount, user_id: '1', data_export_id } } },
  );
  await record(
    'createAnonymisation',
    { path: { ...ourAccount, user_id: demo.leaver }, body: bodyOf('anonymisation', { confirm: 'Lee Leaver' }) },
    { 400: { path, body: bodyOf('anonymisation', { confirm: 'Lee Leaver' }) }, 403: { token: record.employee } },
  );
}
