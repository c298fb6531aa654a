import type { Recorder } from '../recorder.ts';

/** Records of a closed month: those of the hotel's night porter, in their first month. */
export async function closedRecords(record: Recorder) {
  const hotel = { workspace_id: '2' };
  const periods = await record.sendOnly('listAccountingPeriods', { path: hotel });
  const user_id = periods.data[0]!.relationships.user!.data!.id;
  const first = { items: 1, sort: 'starts_at', 'filter[user_id]': user_id };
  const [tracking] = (await record.sendOnly('listTimeTrackings', { path: hotel, query: first })).data;
  const [absence] = (await record.sendOnly('listAbsences', { path: hotel, query: first })).data;
  const entries = await record.sendOnly('listTimeAccountEntries', { path: { ...hotel, user_id } });
  const time_tracking = { ...hotel, time_tracking_id: tracking!.id };
  return {
    time_tracking,
    rest: { ...time_tracking, break_id: tracking!.relationships.breaks!.data[0]!.id },
    absence: { ...hotel, absence_id: absence!.id },
    entry: { ...hotel, user_id, time_account_entry_id: entries.data[0]!.id },
  };
}
