import { findPublicUsers } from './public/clients/findPublicUsers';
import { listAreas } from './v3/clients/listAreas';
import { listTimeTrackings } from './v3/clients/listTimeTrackings';
import { listUsers } from './v3/clients/listUsers';
import { signIn } from './v3/clients/signIn';

const url = process.argv[2]!;
const month = process.argv.slice(3, 5);
const baseURL = `${url}/api/v3`;
const attributes = { email: 'admin@example.com', password: 'demo-password' };
const signedIn = await signIn(
  { data: { type: 'user', attributes } },
  {},
  { baseURL, headers: { 'Api-Key': 'demo-api-key', 'Content-Type': 'application/json' } },
);
const headers = { Authorization: `Bearer ${signedIn.data.attributes.access_token}` };
const users = await listUsers('1', { 'filter[username]': 'ct:erin', items: 5 }, {}, { baseURL, headers });
const worked = await listTimeTrackings('1', { 'filter[starts_at]': month }, {}, { baseURL, headers });
const areas = await listAreas('1', {}, {}, { baseURL, headers });

const page = await findPublicUsers(
  { page: 1 },
  {},
  { baseURL: `${url}/public_api/v1`, headers: { Authorization: 'Bearer demo-api-token' } },
);
if (!('users' in page)) throw new Error('One record where a list was asked for.');

console.log(
  JSON.stringify({
    found: users.data.map((user) => user.attributes.username),
    month: worked.meta.total_count,
    areas: areas.meta.total_count,
    enterprise: page.users.map((user) => user.username),
  }),
);
