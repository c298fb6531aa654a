import { bodyOf, demo, here, type Recorder } from '../recorder.ts';

/** Vacation entitlements, and the remaining days. */
export async function vacation(record: Recorder): Promise<void> {
  const [erin, robin] = ['2', '3'].map((user_id) => ({ ...here, user_id })) as [User, User];
  await record(
    'listUserVacationEntitlements',
    { path: erin },
    { 400: { query: { page: 0 } }, 403: { path: robin, token: record.employee } },
  );
  const carried = {
    title: 'Vacation 2025',
    planned_days: 2.5,
    starts_at: '2025-01-01',
    ends_at: '2025-12-31',
    transfer_remaining: true,
    end_of_transfer_period: '2026-12-31',
  };
  await record(
    'createUserVacationEntitlement',
    { path: erin, body: bodyOf('vacation_entitlement', carried) },
    {
      400: { body: bodyOf('vacation_entitlement', { ...carried, planned_days: 400, end_of_transfer_period: 'soon' }) },
    },
  );
  const path = { ...erin, vacation_entitlement_id: demo.carriedVacation };
  await record(
    'updateUserVacationEntitlement',
    { path, body: bodyOf('vacation_entitlement', { planned_days: 4.5 }) },
    { 400: { body: bodyOf('vacation_entitlement', { end_of_transfer_period: null }) } },
  );
  await record(
    'getUserVacationEntitlement',
    { path },
    { 403: { path: { ...path, ...robin }, token: record.employee } },
  );
  await record(
    'getVacationSummary',
    { path: erin },
    { 400: { query: { date: 'today' } }, 403: { path: robin, token: record.employee } },
  );
  await record('deleteUserVacationEntitlement', { path });
  const nextYear = { action: 'generate', year: 2027, days: 30 } as const;
  await record(
    'batchVacationEntitlements',
    { path: here, body: bodyOf('batch_action', nextYear) },
    { 400: { body: bodyOf('batch_action', { ...nextYear, days: 300, user_ids: ['4711'] }) } },
  );
}

type User = typeof here & { readonly user_id: string };
