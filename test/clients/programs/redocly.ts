import * as enterprise from './public.js';
import * as api from './v3.js';

const url = process.argv[2]!;
const month = process.argv.slice(3, 5);
api.configure({ serverUrl: `${url}/api/v3`, auth: { apiKey: { apiKey: 'demo-api-key' } } });
const body = { data: { type: 'user', attributes: { email: 'admin@example.com', password: 'demo-password' } } } as const;
const signedIn = await api.signIn({ body });
api.client.auth.bearer(signedIn.data.attributes.access_token);

const path = { workspace_id: '1' };
const nobody = await api.listUsers({ path, query: { 'filter[username]': 'ct:erin & co', items: 5 } });
const found = await api.listUsers({ path, query: { 'filter[username]': 'ct:erin', items: 5 } });
const worked = await api.listTimeTrackings({ path, query: { 'filter[starts_at]': month } });
const areas = await api.listAreas({ path });

const punch = (action_type: 'start' | 'end') =>
  api.createAction({ path, body: { data: { type: 'action', attributes: { action_type } } } });
const punches = [await punch('start'), await punch('end')];
const refused = await punch('end').then(
  () => undefined,
  (error: unknown) =>
    error instanceof api.ApiError ? (error.body as api.Errors).errors[0]?.source.pointer : undefined,
);

enterprise.configure({ serverUrl: `${url}/public_api/v1` });
enterprise.client.auth.bearer('demo-api-token');
const page = await enterprise.findPublicUsers({ query: { page: 1 } });
const types = await enterprise.findAbsenceTypes();
if (!('users' in page) || !('absence_types' in types)) throw new Error('One record where a list was asked for.');
const absence = {
  user_id: page.users[1]!.id,
  absence_type_id: types.absence_types[0]!.id,
  starts_at: '2031-03-03',
  ends_at: '2031-03-07',
  full_day: true,
};
const created = await enterprise.createPublicAbsence({ body: { absence } });

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
