import { HttpError, ok } from '@oazapfts/runtime';
import * as enterprise from './public.js';
import * as api from './v3.js';

const url = process.argv[2]!;
const month = process.argv.slice(3, 5);
api.defaults.baseUrl = `${url}/api/v3`;
api.defaults.headers = { 'Api-Key': 'demo-api-key' };
const signedIn = await ok(
  api.signIn({ data: { type: 'user', attributes: { email: 'admin@example.com', password: 'demo-password' } } }),
);
api.defaults.headers = { Authorization: `Bearer ${signedIn.data.attributes.access_token}` };

const nobody = await ok(api.listUsers('1', { filterUsername: 'ct:erin & co', items: 5 }));
const found = await ok(api.listUsers('1', { filterUsername: 'ct:erin', items: 5 }));
const worked = await ok(api.listTimeTrackings('1', { filterStartsAt: month }));
const areas = await ok(api.listAreas('1'));

const punch = (action_type: 'start' | 'end') =>
  api.createAction('1', { data: { type: 'action', attributes: { action_type } } });
const punches = [await ok(punch('start')), await ok(punch('end'))];
const refused = await ok(punch('end')).then(
  () => undefined,
  (error: unknown) => (error instanceof HttpError ? (error.data as api.Errors).errors[0]?.source.pointer : undefined),
);

enterprise.defaults.baseUrl = `${url}/public_api/v1`;
enterprise.defaults.headers = { Authorization: 'Bearer demo-api-token' };
const page = await ok(enterprise.findPublicUsers({ page: 1 }));
const types = await ok(enterprise.findAbsenceTypes());
if (!('users' in page) || !('absence_types' in types)) throw new Error('One record where a list was asked for.');
const created = await ok(
  enterprise.createPublicAbsence({
    absence: {
      user_id: page.users[1]!.id,
      absence_type_id: types.absence_types[0]!.id,
      starts_at: '2031-03-03',
      ends_at: '2031-03-07',
      full_day: true,
    },
  }),
);

console.log(
  JSON.stringify({
    nobody: nobody.meta.total_count,
    found: found.data.map(({ attributes }) => attributes.username),
    month: worked.meta.total_count,
    areas: areas.meta.total_count,
    punched: punches.map(({ data }) => data.attributes.action_type),
    refused,
    enterprise: page.users.map(({ username }) => username),
    vacationDays: created.vacation_days,
  }),
);
