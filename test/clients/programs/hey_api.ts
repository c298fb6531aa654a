import { client as enterpriseClient } from './public/client.gen.js';
import { createPublicAbsence, findAbsenceTypes, findPublicUsers } from './public/sdk.gen.js';
import { client } from './v3/client.gen.js';
import { createAction, listAreas, listTimeTrackings, listUsers, signIn } from './v3/sdk.gen.js';

const url = process.argv[2]!;
const month = process.argv.slice(3, 5);
client.setConfig({ baseUrl: `${url}/api/v3`, auth: 'demo-api-key', throwOnError: true });
const signedIn = await signIn({
  body: { data: { type: 'user', attributes: { email: 'admin@example.com', password: 'demo-password' } } },
  throwOnError: true,
});
client.setConfig({ auth: signedIn.data.data.attributes.access_token });

const path = { workspace_id: '1' };
const nobody = await listUsers({ path, query: { 'filter[username]': 'ct:erin & co', items: 5 }, throwOnError: true });
const found = await listUsers({ path, query: { 'filter[username]': 'ct:erin', items: 5 }, throwOnError: true });
const worked = await listTimeTrackings({ path, query: { 'filter[starts_at]': month }, throwOnError: true });
const areas = await listAreas({ path, throwOnError: true });

const punch = (action_type: 'start' | 'end') =>
  createAction({ path, body: { data: { type: 'action', attributes: { action_type } } } });
const punches = [await punch('start'), await punch('end')];
const refused = await createAction({
  path,
  body: { data: { type: 'action', attributes: { action_type: 'end' } } },
  throwOnError: false,
});

// With `auth`, this client would also send the token in the query, which the contract names as an alternative.
enterpriseClient.setConfig({
  baseUrl: `${url}/public_api/v1`,
  headers: { Authorization: 'Bearer demo-api-token' },
});
const page = await findPublicUsers({ query: { page: 1 }, throwOnError: true });
const types = await findAbsenceTypes({ throwOnError: true });
if (!('users' in page.data) || !('absence_types' in types.data))
  throw new Error('One record where a list was asked for.');
const created = await createPublicAbsence({
  body: {
    absence: {
      user_id: page.data.users[1]!.id,
      absence_type_id: types.data.absence_types[0]!.id,
      starts_at: '2031-03-03',
      ends_at: '2031-03-07',
      full_day: true,
    },
  },
  throwOnError: true,
});

console.log(
  JSON.stringify({
    nobody: nobody.data.meta.total_count,
    found: found.data.data.map(({ attributes }) => attributes.username),
    month: worked.data.meta.total_count,
    areas: areas.data.meta.total_count,
    punched: punches.map(({ data }) => data?.data.attributes.action_type),
    refused: refused.error?.errors[0]?.source.pointer,
    enterprise: page.data.users.map(({ username }) => username),
    vacationDays: created.data.vacation_days,
  }),
);
